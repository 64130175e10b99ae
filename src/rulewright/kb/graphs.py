"""Facts from graphs that other libraries hold: NetworkX, and PyKEEN's TriplesFactory."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.gathering import Gathering, truths_of
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.vocabulary import Vocabulary, constant_name


def from_networkx(graph: Any, relation: str, truth: str | None = None) -> KnowledgeBase:
    """A knowledge base from a NetworkX graph of any kind; an undirected edge is a fact in both directions.

    relation  the edge attribute that names the relation; when no edge has it, the name of the one relation of all edges
    truth     the edge attribute that holds the truth value

    >>> import networkx as nx
    >>> print(from_networkx(nx.DiGraph([("ann", "bob"), ("bob", "cy")]), relation="parent"))
    knowledge base: 2 facts, 1 predicates, 3 constants
    """
    names = node_names(graph)
    edges = list(graph.edges(data=True))
    named = [relation in data for _, _, data in edges]
    if any(named) and not all(named):
        head, tail, _ = edges[named.index(False)]
        raise KnowledgeBaseError(f"the edge {head!r} -> {tail!r} has no attribute {relation!r}, which others have")
    predicates = [constant_name(data[relation]) if any(named) else relation for _, _, data in edges]
    truths = None if truth is None else [edge_truth(head, tail, data, truth) for head, tail, data in edges]
    constants = [names[node] for head, tail, _ in edges for node in (head, tail)]
    if not graph.is_directed():
        constants += [names[node] for head, tail, _ in edges for node in (tail, head)]
        predicates *= 2
        truths = None if truths is None else truths * 2
    gathering = Gathering()
    if predicates:
        gathering.add(predicates, constants, 2, None if truths is None else np.array(truths, dtype=np.float32))
    return gathering.knowledge_base("the graph")


def node_names(graph: Any) -> dict[Any, str]:
    """A name for every node; an error when two nodes would share one."""
    names: dict[Any, str] = {}
    owners: dict[str, Any] = {}
    for node in graph.nodes:
        names[node] = constant_name(node)
        if owners.setdefault(names[node], node) is not node:
            raise KnowledgeBaseError(
                f"the nodes {owners[names[node]]!r} and {node!r} have the same name; relabel one of them"
            )
    return names


def edge_truth(head: object, tail: object, data: Mapping[str, Any], attribute: str) -> float:
    """The truth value of an edge."""
    if attribute not in data:
        raise KnowledgeBaseError(f"the edge {head!r} -> {tail!r} has no attribute {attribute!r} for its truth")
    truths = truths_of([data[attribute]])
    if truths is None:
        value = data[attribute]
        raise KnowledgeBaseError(
            f"the truth of the edge {head!r} -> {tail!r} must be a number in [0, 1], not {value!r}"
        )
    return float(truths[0])


def from_pykeen(factory: Any) -> KnowledgeBase:
    """A knowledge base from PyKEEN's TriplesFactory; ids and names of entities stay what they are there.

    Only `entity_to_id`, `relation_to_id` and `mapped_triples` are used, so whatever has these three will do.
    """
    entities = names_by_id(factory.entity_to_id, "entity_to_id")
    relations = names_by_id(factory.relation_to_id, "relation_to_id")
    triples = np.asarray(factory.mapped_triples)
    if triples.ndim != 2 or triples.shape[1] != 3:
        raise KnowledgeBaseError(f"mapped_triples must have three columns, not the shape {triples.shape}")
    sizes = np.array([len(entities), len(relations), len(entities)])
    if ((triples < 0) | (triples >= sizes)).any():
        raise KnowledgeBaseError("mapped_triples holds ids that entity_to_id or relation_to_id does not name")
    gathering = Gathering(Vocabulary(entities))
    if len(triples):
        predicates = [relations[id] for id in triples[:, 1].tolist()]
        constants = [entities[id] for id in triples[:, [0, 2]].ravel().tolist()]
        gathering.add(predicates, constants, 2)
    return gathering.knowledge_base("the factory")


def names_by_id(ids: Mapping[str, int], what: str) -> list[str]:
    """The names in the order of their ids, which must count from 0."""
    names = sorted(ids, key=ids.__getitem__)
    if [ids[name] for name in names] != list(range(len(names))):
        raise KnowledgeBaseError(f"{what} must number its names from 0 on without gaps")
    return names
