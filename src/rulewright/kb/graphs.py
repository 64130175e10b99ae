"""Facts from graphs that other libraries hold: NetworkX, and PyKEEN's TriplesFactory."""

from typing import Any

import numpy as np

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.gathering import Gathering, truths_of
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation
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
    truths = None if truth is None else [edge_truth(edge, truth) for edge in edges]
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
