"""Addresses say what they mean, whatever the names."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.completion.toys import dataset_of, quick

from rulewright.completion.model import CompletionModel
from rulewright.web.links import LONGEST_NAME, link, relation, twin


@given(st.dictionaries(st.sampled_from(["head", "relation", "q"]), st.text(min_size=1), max_size=3))
def test_parameters_come_back_as_they_were(parameters: dict[str, str]) -> None:
    try:
        address = link("ask", parameters)
    except UnicodeEncodeError:
        return  # half a character, which no vocabulary can hold
    assert address.isascii()
    found = parse_qs(urlsplit(address).query, keep_blank_values=True, strict_parsing=bool(parameters))
    assert found == {name: [value] for name, value in parameters.items()}


def test_a_twin_has_the_same_parameters() -> None:
    assert twin("/ask?head=a.b") == "/ask.json?head=a.b"
    assert twin("/") == "/overview.json"
    assert twin("/?q=x") == "/overview.json?q=x"


def test_a_relation_whose_name_could_mean_two_goes_by_its_number() -> None:
    dataset = dataset_of([("a", "likes", "b"), ("a", "likes^-1", "b"), ("a", "l" * (LONGEST_NAME + 1), "b")])
    model = CompletionModel("toy", dataset.entities, dataset.relations, np.array(dataset.train), {}, quick())
    assert relation(model, 0) == {"relation": "likes"}
    assert relation(model, 1) == {"relation_id": "1"}
    assert relation(model, 2) == {"relation": "likes^-1"}
    assert relation(model, 4) == {"relation_id": "4"}
