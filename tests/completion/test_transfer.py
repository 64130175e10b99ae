"""Rules over a graph of entities that they have never seen."""

import numpy as np
import pytest
from tests.completion.toys import dataset_of, families, held_out, quick

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.evaluate import evaluate
from rulewright.completion.transfer import applied_to, load_facts
from rulewright.errors import DatasetError

MODEL = complete(dataset_of(families()), quick(), 1)
CITIES = [(f"p{n}", "lives", "paris" if n % 2 else "london") for n in range(40)]
CITIES += [(f"p{n}", "speaks", "french" if n % 2 else "english") for n in range(40)]


def others(count: int):
    """Families of other names, in another order, beside relations that no rule knows."""
    triples = [(f"new {h}", r, f"new {t}") for h, r, t in reversed(families(count))]
    return [("new g0", "owns", "new house"), *triples]


def test_rules_carry_over_to_entities_never_seen():
    known, hidden = held_out(others(8), "grandparent", 2)
    transfer = applied_to(MODEL, dataset_of(known, test=hidden, name="elsewhere"))
    assert transfer.unknown == ("owns",)
    assert transfer.missing == ()
    assert evaluate(transfer.model, transfer.dataset, "test", 1).as_dict()["hits@10"] == 1.0
    answers = {answer.entity for answer in transfer.model.predict("new g0", "grandparent", 4, include_known=True)}
    assert answers == {f"new c0{p}{c}" for p in range(2) for c in range(2)}


def test_on_the_graph_itself_nothing_changes():
    data = dataset_of(families())
    same = applied_to(MODEL, data).model
    for relation in MODEL.mixtures:
        for head in range(0, len(data.entities), 7):
            np.testing.assert_array_equal(same.scorer(relation).scores(head), MODEL.scorer(relation).scores(head))


def test_a_relation_without_facts_there_is_told_and_gives_no_answer():
    transfer = applied_to(MODEL, dataset_of([("a", "grandparent", "b"), ("c", "grandparent", "d")]))
    assert transfer.missing == ("parent",)
    assert transfer.model.predict("a", "parent", 3, include_known=True) == []


def test_rules_with_constants_go_along_where_their_constants_are():
    model = complete(dataset_of(CITIES), quick(direct=False, constants=ConstantSettings()), 1)
    assert model.predict("p0", "speaks", 1, include_known=True)[0].entity == "english"
    elsewhere = dataset_of([("zoe", "lives", "paris"), ("max", "lives", "rome"), ("x", "speaks", "french")])
    transfer = applied_to(model, elsewhere)
    assert transfer.dropped > 0
    assert transfer.model.predict("zoe", "speaks", 1)[0].entity == "french"
    score = {name: transfer.model.scorer(2).scores(elsewhere.entities.id(name)) for name in ("zoe", "max")}
    french = elsewhere.entities.id("french")
    assert score["zoe"][french] > score["max"][french]


def test_graphs_without_a_relation_in_common_are_refused():
    with pytest.raises(DatasetError, match="shares no relation"):
        applied_to(MODEL, dataset_of([("a", "owns", "b")]))


def test_all_facts_of_a_single_file_are_the_graph(tmp_path):
    (tmp_path / "facts.tsv").write_text("".join(f"{h}\t{r}\t{t}\n" for h, r, t in families(3)))
    assert len(load_facts(str(tmp_path / "facts.tsv")).graph) == len(families(3))
