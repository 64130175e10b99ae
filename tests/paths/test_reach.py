"""How far answers lie, against a search that is too simple to be wrong."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import OptionError
from rulewright.kb.datasets import load_dataset
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.splits import split_by_seed
from rulewright.paths.reach import reach_by_length, walk_lengths

ENTITIES = 8
Triple = tuple[int, int, int]


def simple_length(graph: list[Triple], query: Triple, longest: int) -> int:
    """All ends of walks of 1, 2, ... steps from the head, until the tail is among them."""
    edges = [(h, t) for h, r, t in graph if (h, r, t) != query]
    ends = {query[0]}
    for length in range(1, longest + 1):
        ends = {t for h, t in edges if h in ends} | {h for h, t in edges if t in ends}
        if query[2] in ends:
            return length
    return 0


entity = st.integers(0, ENTITIES - 1)
triples = st.lists(st.tuples(entity, st.integers(0, 1), entity), unique=True, max_size=14)


@settings(deadline=None)
@given(triples, st.lists(st.tuples(entity, st.integers(0, 1), entity), max_size=8), st.integers(1, 6))
def test_lengths_are_those_of_a_simple_search(graph: list[Triple], queries: list[Triple], longest: int) -> None:
    queries = [*queries, *graph]
    found = walk_lengths(
        np.array(graph, dtype=np.int64).reshape(-1, 3),
        np.array(queries, dtype=np.int64).reshape(-1, 3),
        ENTITIES,
        longest,
    )
    expected = [simple_length(graph, query, longest) for query in queries]
    # A walk may pass an entity again, which makes no walk between two entities shorter.
    assert found.tolist() == expected


def lengths(graph: list[Triple], query: Triple, longest: int = 6) -> int:
    return int(walk_lengths(np.array(graph), np.array([query]), ENTITIES, longest)[0])


def test_the_query_itself_is_not_walked_but_its_neighbours_are() -> None:
    assert lengths([(0, 0, 1)], (0, 0, 1)) == 0
    assert lengths([(0, 0, 1), (0, 1, 1)], (0, 0, 1)) == 1
    assert lengths([(0, 0, 1), (1, 0, 0)], (0, 0, 1)) == 1
    assert lengths([(0, 0, 1), (2, 0, 1), (2, 1, 0)], (0, 0, 1)) == 2


def test_a_query_from_an_entity_to_itself_needs_a_way_back() -> None:
    assert lengths([(0, 0, 0)], (0, 0, 0)) == 0
    assert lengths([(0, 0, 0), (0, 0, 1)], (0, 0, 0)) == 2
    assert lengths([(0, 1, 0)], (0, 0, 0)) == 1


def test_a_chain_is_followed_as_far_as_asked() -> None:
    chain = [(n, 0, n + 1) for n in range(7)]
    assert lengths(chain, (0, 1, 6)) == 6
    assert lengths(chain, (6, 1, 0)) == 6
    assert lengths(chain, (0, 1, 7)) == 0
    assert lengths(chain, (0, 1, 7), longest=7) == 7


def test_shares_grow_with_length() -> None:
    facts = {"parent": [("ann", "bob"), ("bob", "cy"), ("cy", "dee")], "knows": [("ann", "dee"), ("ann", "bob")]}
    dataset = split_by_seed(KnowledgeBase.of(facts), "family", valid_share=0, test_share=0)
    assert reach_by_length(dataset, "train", longest=3) == (0.4, 0.4, 1.0)
    assert reach_by_length(dataset) == ()


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(OptionError, match="nations has no split dev: choose one of train, valid, test"):
        reach_by_length(load_dataset("nations"), "dev")
    with pytest.raises(OptionError, match="longest must be at least 1"):
        reach_by_length(load_dataset("nations"), longest=0)


@pytest.mark.parametrize(("name", "expected"), [("umls", (63.7, 100)), ("kinship", (81.5, 100))])
def test_the_shipped_sets_are_reached_in_two_steps(name: str, expected: tuple[float, ...]) -> None:
    assert [round(100 * share, 1) for share in reach_by_length(load_dataset(name), longest=2)] == list(expected)


@pytest.mark.data
@pytest.mark.skipif("RULEWRIGHT_DATA" not in os.environ, reason="RULEWRIGHT_DATA is not set")
@pytest.mark.parametrize(
    ("name", "expected"),
    [("wn18rr", (35.0, 44.3, 65.7, 73.2, 82.1, 86.5)), ("fb15k-237", (0.0, 73.8, 99.7, 99.9, 99.9, 99.9))],
)
def test_the_large_sets_have_the_known_ceilings(name: str, expected: tuple[float, ...]) -> None:
    assert [round(100 * share, 1) for share in reach_by_length(load_dataset(name))] == list(expected)
