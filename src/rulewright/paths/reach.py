"""How far the answer of a query lies: the length of the shortest walk between its two ends.

A chain rule of k atoms can give a query its answer only if an undirected walk of k edges joins the two, so the share of
queries with such a walk is the ceiling of every set of chain rules up to that length. The query's own edge is not
walked, and neither is its inverse: a rule must not lean on the fact that it has to predict.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.errors import OptionError
from rulewright.kb.splits import Dataset, Triples
from rulewright.paths.graph import both_directions

LONGEST = 6
FORWARD, BACKWARD = 0, 1


class Neighbours(NamedTuple):
    """The edges of a graph by the entity they leave, each in both directions, as compressed rows."""

    starts: NDArray[np.int64]  # (n_entities + 1,) where the edges of an entity begin
    ends: NDArray[np.int32]  # (n_edges,) the entity an edge leads to
    labels: NDArray[np.int32]  # (n_edges,) its directed relation, as in `rulewright.paths.graph`


def reach_by_length(dataset: Dataset, split: str = "test", longest: int = LONGEST) -> tuple[float, ...]:
    """The share of a split's queries whose answer is within 1, 2, ... `longest` steps; nothing for an empty split."""
    queries = dataset.parts().get(split)
    if queries is None:
        raise OptionError(f"{dataset.name} has no split {split}: choose one of {', '.join(dataset.parts())}")
    if not len(queries):
        return ()
    lengths = walk_lengths(dataset.graph, queries, len(dataset.entities), longest)
    counts = np.bincount(lengths, minlength=longest + 1)[1:]
    return tuple((np.cumsum(counts) / len(queries)).tolist())


def walk_lengths(graph: Triples, queries: Triples, entities: int, longest: int = LONGEST) -> NDArray[np.int64]:
    """For each query the length of the shortest walk from head to tail, 0 when none is within `longest` steps."""
    if longest < 1:
        raise OptionError(f"longest must be at least 1, not {longest}")
    near = neighbours(graph, entities)
    queries = np.ascontiguousarray(queries, dtype=np.int64)
    return np.asarray(shortest_walks(near.starts, near.ends, near.labels, queries, longest))


def neighbours(graph: Triples, entities: int) -> Neighbours:
    """The graph's edges, walkable from both sides."""
    edges = both_directions(graph)
    order = np.argsort(edges[:, 0], kind="stable")
    starts = np.zeros(entities + 1, dtype=np.int64)
    np.cumsum(np.bincount(edges[:, 0], minlength=entities), out=starts[1:])
    return Neighbours(starts, edges[order, 2].astype(np.int32), edges[order, 1].astype(np.int32))


@njit(cache=True, nogil=True)
def shortest_walks(starts, ends, labels, queries, longest):  # type: ignore[no-untyped-def]
    """`walk_lengths` over compressed rows."""
    entities = len(starts) - 1
    seen = np.full((2, entities), -1, np.int64)  # the last query whose search came by, from either side
    fringes = np.empty((2, entities), np.int32)
    spare = np.empty(entities, np.int32)
    lengths = np.zeros(len(queries), np.int64)
    for query in range(len(queries)):
        lengths[query] = shortest_walk(starts, ends, labels, queries[query], query, longest, seen, fringes, spare)
    return lengths


@njit(cache=True, nogil=True)
def shortest_walk(starts, ends, labels, triple, query, longest, seen, fringes, spare):  # type: ignore[no-untyped-def]
    """Breadth-first search from both ends at once, always one step further from the side with the smaller fringe."""
    head, tail = triple[0], triple[2]
    sizes = np.ones(2, np.int64)
    fringes[FORWARD, 0], fringes[BACKWARD, 0] = head, tail
    seen[FORWARD, head] = query
    seen[BACKWARD, tail] = query
    for length in range(1, longest + 1):
        side = FORWARD if sizes[FORWARD] <= sizes[BACKWARD] else BACKWARD
        other = BACKWARD - side
        found = 0
        for place in range(sizes[side]):
            entity = fringes[side, place]
            for edge in range(starts[entity], starts[entity + 1]):
                neighbour = ends[edge]
                if is_query_edge(entity, neighbour, labels[edge], triple):
                    continue
                if seen[other, neighbour] == query:
                    return length
                if seen[side, neighbour] != query:
                    seen[side, neighbour] = query
                    spare[found] = neighbour
                    found += 1
        if found == 0:
            return 0
        sizes[side] = found
        fringes[side, :found] = spare[:found]
    return 0


@njit(cache=True, nogil=True)
def is_query_edge(entity, neighbour, label, triple):  # type: ignore[no-untyped-def]
    """Whether an edge is the query itself, walked in either direction."""
    head, relation, tail = triple[0], triple[1], triple[2]
    if label == 2 * relation:
        return entity == head and neighbour == tail
    return label == 2 * relation + 1 and entity == tail and neighbour == head
