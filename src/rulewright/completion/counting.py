"""How often given paths hold: on pairs that they are to explain, and of all that they predict."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.paths.graph import Graph
from rulewright.paths.mine import MinedPaths
from rulewright.paths.walk import new_work, walk_path

SAMPLED = 500  # entities from which one path's predictions are counted


def count_hits(parts: list[tuple[Graph, NDArray[np.int64]]], paths: NDArray[np.int32]) -> MinedPaths:
    """For each path how many of the pairs it joins and with what chance, each pair in the graph that hides it.

    The figures are those that mining gives the paths it finds; the order of the paths stays.
    """
    mass, hits = np.zeros(len(paths)), np.zeros(len(paths), np.int64)
    for graph, pairs in parts:
        degree = np.diff(graph.start)
        chance = np.repeat((1 / np.maximum(degree, 1)).astype(np.float32), degree)
        ordered = np.ascontiguousarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))])
        work = new_work(paths.shape[1], graph.entities)
        walk_pairs(graph.start, graph.tails, chance, graph.relations, ordered, paths, graph.entities, work, mass, hits)
    return MinedPaths(paths, mass, hits)


def count_predictions(
    graph: Graph, relation: int, paths: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each path, in lexicographic order, how many answers it predicts for a relation, and how many are facts.

    Where more than `SAMPLED` entities have a path's first relation, an even sample of them is asked.
    """
    predicted, correct = np.zeros(len(paths), np.int64), np.zeros(len(paths), np.int64)
    work, marks = new_work(paths.shape[1], graph.entities), np.zeros(graph.entities, np.bool_)
    for first in sorted(set(paths[:, 0].tolist())):
        rows = np.flatnonzero(paths[:, 0] == first)
        heads = np.flatnonzero(np.diff(graph.start)[first :: graph.relations])
        heads = heads[:: -(-len(heads) // SAMPLED) or 1]
        counts = np.zeros((2, len(rows)), np.int64)
        edges = (graph.start, graph.tails, graph.chance, graph.relations)
        own = np.ascontiguousarray(paths[rows])
        walk_all(*edges, relation, heads, own, graph.entities, work, marks, counts)
        predicted[rows], correct[rows] = counts
    return predicted, correct


@njit(cache=True, nogil=True)
def walk_pairs(  # type: ignore[no-untyped-def]
    start, tails, chance, relations, pairs, paths, most, work, mass, hits
):
    """Add to each path's mass and hits what it does for the pairs, which are in order of their heads."""
    nodes, chances, counts, _ = work
    first = 0
    while first < pairs.shape[0]:
        head = pairs[first, 0]
        last = first
        while last < pairs.shape[0] and pairs[last, 0] == head:
            last += 1
        for p in range(paths.shape[0]):
            level = walk_path(start, tails, chance, relations, head, paths, p, most, work)
            for i in range(counts[level]):
                for k in range(first, last):
                    if nodes[level, i] == pairs[k, 1]:
                        mass[p] += chances[level, i]
                        hits[p] += 1
        first = last


@njit(cache=True, nogil=True)
def walk_all(  # type: ignore[no-untyped-def]
    start, tails, chance, relations, relation, heads, paths, most, work, marks, totals
):
    """Add to each path's totals its predictions for the heads, and those that are facts of the relation."""
    nodes, _, counts, _ = work
    for head in heads:
        row = np.int64(head) * relations + relation
        for k in range(start[row], start[row + 1]):
            marks[tails[k]] = True
        for p in range(paths.shape[0]):
            level = walk_path(start, tails, chance, relations, head, paths, p, most, work)
            totals[0, p] += counts[level]
            for i in range(counts[level]):
                if marks[nodes[level, i]]:
                    totals[1, p] += 1
        for k in range(start[row], start[row + 1]):
            marks[tails[k]] = False
