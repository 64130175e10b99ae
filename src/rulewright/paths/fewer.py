"""graph_without(graph, triples): a graph with a few of its facts taken out, far sooner than one built anew."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.paths.graph import Graph, Walker, both_directions


def graph_without(
    graph: Graph,
    triples: Sequence[tuple[int, int, int]],
    walker: Walker = "forward",
    offsets: NDArray[np.int64] | None = None,
) -> Graph:
    """What `build_graph` would make of the other facts; a triple that is no fact of the graph changes nothing.

    offsets  memory for `start`, whose content is lost; fresh memory of that size costs more than all the rest
    """
    gone: dict[int, int] = {}  # the place of an edge -> its row
    for head, relation, tail in both_directions(np.array(triples, np.int64).reshape(-1, 3)).tolist():
        row = head * graph.relations + relation
        place = int(graph.start[row] + np.searchsorted(graph.tails_of(head, relation), tail))
        if place < graph.start[row + 1] and graph.tails[place] == tail:
            gone[place] = row
    if not gone:
        return graph
    start, rows = np.empty_like(graph.start) if offsets is None else offsets, sorted(gone.values())
    bounds = [0, *(row + 1 for row in rows), len(start)]  # between them every row begins so many edges sooner
    for taken, (first, end) in enumerate(pairwise(bounds)):
        np.subtract(graph.start[first:end], taken, out=start[first:end])
    tails, chance = np.delete(graph.tails, list(gone)), np.delete(graph.chance, list(gone))
    renew_chances(start, tails, chance, graph.relations, np.array(rows, np.int64), walker == "symmetric")
    return Graph(graph.entities, graph.relations, start, tails, chance)


@njit(cache=True, nogil=True)
def renew_chances(start, tails, chance, relations, rows, symmetric):  # type: ignore[no-untyped-def]
    """The chances of edges that leave these rows, and for the symmetric walker of their inverses."""
    for row in rows:
        head, relation, degree = row // relations, row % relations, float(start[row + 1] - start[row])
        for k in range(start[row], start[row + 1]):
            if symmetric:
                other = tails[k] * relations + (relation ^ 1)
                chance[k] = 1 / np.sqrt(degree * (start[other + 1] - start[other]))
                back = np.searchsorted(tails[start[other] : start[other + 1]], head)
                chance[start[other] + back] = chance[k]
            else:
                chance[k] = 1 / degree
