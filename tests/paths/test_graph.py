"""The compressed graph holds exactly the triples and their inverses."""

import numpy as np
import pytest

from rulewright.paths.graph import both_directions, build_graph, relation_name

TRIPLES = np.array([[0, 0, 1], [0, 0, 2], [1, 0, 2], [2, 1, 0], [0, 0, 1], [3, 1, 3]])


def edges(triples: np.ndarray) -> set[tuple[int, int, int]]:
    return {(h, r, t) for h, r, t in both_directions(triples).tolist()}


def test_every_triple_is_an_edge_in_both_directions_and_once() -> None:
    graph = build_graph(TRIPLES, 5, 2)
    found = [(h, r, t) for h in range(5) for r in range(4) for t in graph.tails_of(h, r).tolist()]
    assert set(found) == edges(TRIPLES)
    assert len(found) == len(set(found)) == len(graph) == 10


def test_pairs_of_a_relation_are_its_edges_by_head() -> None:
    graph = build_graph(TRIPLES, 5, 2)
    for relation in range(4):
        pairs = graph.pairs(relation).tolist()
        assert pairs == sorted(pairs)
        assert {(h, relation, t) for h, t in pairs} == {e for e in edges(TRIPLES) if e[1] == relation}


def test_a_graph_without_triples_has_no_edge() -> None:
    graph = build_graph(np.zeros((0, 3), np.int64), 3, 1)
    assert len(graph) == 0
    assert graph.pairs(0).shape == (0, 2)
    assert graph.tails_of(2, 1).tolist() == []


def test_a_forward_walker_leaves_an_entity_evenly_along_a_relation() -> None:
    graph = build_graph(TRIPLES, 5, 2)
    for head in range(5):
        for relation in range(4):
            row = head * 4 + relation
            chances = graph.chance[graph.start[row] : graph.start[row + 1]]
            assert not len(chances) or chances.sum() == pytest.approx(1)
            assert len(set(chances.tolist())) <= 1


def test_a_symmetric_walker_sees_the_same_chance_from_both_ends() -> None:
    graph = build_graph(TRIPLES, 5, 2, "symmetric")
    chance = {}
    for head in range(5):
        for relation in range(4):
            row = head * 4 + relation
            for k in range(graph.start[row], graph.start[row + 1]):
                chance[head, relation, int(graph.tails[k])] = graph.chance[k]
    assert all(value == chance[t, r ^ 1, h] for (h, r, t), value in chance.items())
    assert chance[0, 0, 2] == pytest.approx(1 / np.sqrt(2 * 2))  # two tails of 0, two heads of 2
    assert chance[0, 0, 1] == pytest.approx(1 / np.sqrt(2 * 1))


def test_an_inverse_is_named_after_its_relation() -> None:
    assert [relation_name(r, ["likes", "of"]) for r in range(4)] == ["likes", "likes^-1", "of", "of^-1"]
