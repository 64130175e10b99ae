from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.graphs import from_networkx, from_pykeen


def test_every_edge_of_a_directed_graph_is_a_fact_of_the_named_relation() -> None:
    kb = from_networkx(nx.DiGraph([("ann", "bob"), ("bob", "cy")]), relation="parent")
    assert kb.facts_of("parent") == [("ann", "bob"), ("bob", "cy")]
    assert kb["parent"].truth is None


def test_an_attribute_can_name_the_relation() -> None:
    graph = nx.MultiDiGraph()
    graph.add_edge("ann", "bob", kind="parent")
    graph.add_edge("ann", "bob", kind="likes")
    kb = from_networkx(graph, relation="kind")
    assert kb.facts_of("parent") == kb.facts_of("likes") == [("ann", "bob")]


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_an_undirected_edge_is_a_fact_in_both_directions(kind: Any) -> None:
    graph = kind()
    graph.add_edge("a", "b", w=0.5)
    graph.add_edge("c", "c", w=1)
    kb = from_networkx(graph, relation="near", truth="w")
    assert dict(zip(kb.facts_of("near"), kb["near"].truths.tolist(), strict=True)) == {
        ("a", "b"): 0.5,
        ("b", "a"): 0.5,
        ("c", "c"): 1,
    }


def test_parallel_edges_of_one_relation_are_one_fact_with_the_highest_truth() -> None:
    graph = nx.MultiDiGraph()
    graph.add_edge("a", "b", w=0.25)
    graph.add_edge("a", "b", w=0.5)
    assert from_networkx(graph, relation="r", truth="w")["r"].truths.tolist() == [0.5]


def test_nodes_that_are_no_text_are_named() -> None:
    assert from_networkx(nx.DiGraph([(1, (0, 1))]), relation="r").facts_of("r") == [("1", "(0, 1)")]


def test_two_nodes_of_one_name_are_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="nodes 1 and '1' have the same name"):
        from_networkx(nx.DiGraph([(1, "1")]), relation="r")


def test_an_edge_without_the_attribute_that_others_have_is_an_error() -> None:
    graph = nx.DiGraph([("b", "c")])
    graph.add_edge("a", "b", kind="r")
    with pytest.raises(KnowledgeBaseError, match="edge 'b' -> 'c' has no attribute 'kind'"):
        from_networkx(graph, relation="kind")


@pytest.mark.parametrize("truth", [2, "high", None, float("nan")])
def test_a_bad_truth_is_an_error_that_names_the_edge(truth: object) -> None:
    graph = nx.DiGraph()
    graph.add_edge("a", "b", w=truth)
    with pytest.raises(KnowledgeBaseError, match="truth of the edge 'a' -> 'b' must be a number"):
        from_networkx(graph, relation="r", truth="w")


def test_an_edge_without_a_truth_is_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="edge 'a' -> 'b' has no attribute 'w' for its truth"):
        from_networkx(nx.DiGraph([("a", "b")]), relation="r", truth="w")


def test_a_relation_without_a_name_is_an_error() -> None:
    graph = nx.DiGraph()
    graph.add_edge("a", "b", kind=None)
    with pytest.raises(KnowledgeBaseError, match="missing value"):
        from_networkx(graph, relation="kind")


def test_a_graph_without_edges_is_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="the graph holds no facts"):
        from_networkx(nx.DiGraph(), relation="r")


def factory(triples: Any, **changed: Any) -> Any:
    parts = {"entity_to_id": {"b": 1, "a": 0, "c": 2}, "relation_to_id": {"s": 1, "r": 0}, "mapped_triples": triples}
    return SimpleNamespace(**parts | changed)


@pytest.mark.parametrize("make", [torch.tensor, np.array])
def test_a_triples_factory_keeps_its_ids(make: Any) -> None:
    kb = from_pykeen(factory(make([[1, 1, 0], [0, 0, 1]])))
    assert kb.constants.names == ["a", "b", "c"]
    assert kb.facts_of("s") == [("b", "a")]
    assert kb["r"].facts.tolist() == [[0, 1]]


@pytest.mark.parametrize("ids", [{"a": 0, "b": 2}, {"a": 1, "b": 2}, {"a": 0, "b": 0}])
def test_ids_with_gaps_are_an_error(ids: dict[str, int]) -> None:
    with pytest.raises(KnowledgeBaseError, match="entity_to_id must number its names from 0"):
        from_pykeen(factory(np.array([[0, 0, 0]]), entity_to_id=ids))


@pytest.mark.parametrize("triple", [[3, 0, 0], [0, 2, 0], [0, 0, -1]])
def test_ids_without_a_name_are_an_error(triple: list[int]) -> None:
    with pytest.raises(KnowledgeBaseError, match="ids that entity_to_id or relation_to_id does not name"):
        from_pykeen(factory(np.array([triple])))


def test_triples_of_another_shape_are_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="three columns"):
        from_pykeen(factory(np.zeros((2, 2), dtype=int)))


def test_a_factory_without_triples_is_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        from_pykeen(factory(np.zeros((0, 3), dtype=int)))
