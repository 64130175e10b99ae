"""Walk many paths from one entity. Every path gives the entities it ends in the chance of a walk to get there.

Paths are rows of directed relations, padded with -1 and in lexicographic order, so that each is walked on from the
prefix it shares with the one before. A walk never comes back to where it began (object identity with the query's
entity).
"""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def new_work(length: int, entities: int) -> Any:
    """Scratch space of one thread: per step the entities reached, their chances, how many; and a row of sums."""
    nodes = np.empty((length + 1, entities), np.int32)
    chances = np.empty((length + 1, entities), np.float32)
    return nodes, chances, np.zeros(length + 1, np.int64), np.zeros(entities, np.float32)


@njit(cache=True, nogil=True)
def take_step(start, tails, chance, relations, relation, origin, level, most, work):  # type: ignore[no-untyped-def]
    """Lead everything at `level` one step on, to `level + 1`; past `most` entities the step leads nowhere.

    The limit keeps a path through a hub from costing more than it can tell apart.
    """
    nodes, chances, counts, sums = work
    reached = nodes[level + 1]
    n = 0
    for i in range(counts[level]):
        row = np.int64(nodes[level, i]) * relations + relation
        have = chances[level, i]
        for k in range(start[row], start[row + 1]):
            tail = tails[k]
            if tail == origin:
                continue
            if sums[tail] == 0.0:
                if n == most:
                    for j in range(n):
                        sums[reached[j]] = 0.0
                    counts[level + 1] = 0
                    return
                reached[n] = tail
                n += 1
            sums[tail] += have * chance[k]
    for i in range(n):
        chances[level + 1, i] = sums[reached[i]]
        sums[reached[i]] = 0.0
    counts[level + 1] = n


@njit(cache=True, nogil=True)
def walk_path(start, tails, chance, relations, head, paths, index, most, work):  # type: ignore[no-untyped-def]
    """Walk one path from `head`, reusing what the path before it left in `work`; returns the level its ends are at."""
    nodes, chances, counts, _ = work
    length = paths.shape[1]
    level = 0
    if index > 0:
        while level < length and paths[index, level] >= 0 and paths[index, level] == paths[index - 1, level]:
            level += 1
    else:
        nodes[0, 0] = head
        chances[0, 0] = 1.0
        counts[0] = 1
    while level < length and paths[index, level] >= 0:
        take_step(start, tails, chance, relations, paths[index, level], head, level, most, work)
        level += 1
    return level


@njit(cache=True, nogil=True)
def path_truth(chance: float, sharpness: float) -> float:
    """The truth of a path at its end: 0 for chance 0, 1 for chance 1, nearly logarithmic in between.

    Sharpness 0 makes it 1 everywhere. A chance spans orders of magnitude: one step from a hub and one from a leaf are
    both steps.
    """
    if sharpness == 0.0:
        return 1.0
    return np.log1p(sharpness * chance) / np.log1p(sharpness)  # type: ignore[no-any-return]


@njit(cache=True, nogil=True)
def add_path_scores(  # type: ignore[no-untyped-def]
    start, tails, chance, relations, head, paths, weights, sharpness, most, work, scores
):
    """scores[t] += sum over paths of weight * truth(head, t)."""
    nodes, chances, counts, _ = work
    for p in range(paths.shape[0]):
        level = walk_path(start, tails, chance, relations, head, paths, p, most, work)
        weight = weights[p]
        for i in range(counts[level]):
            scores[nodes[level, i]] += weight * path_truth(chances[level, i], sharpness)


@njit(cache=True, nogil=True)
def fill_path_truths(  # type: ignore[no-untyped-def]
    start, tails, chance, relations, head, paths, sharpness, most, place, work, truths
):
    """truths[place[t], p] = truth of path p at (head, t), for the candidates t that have a place."""
    nodes, chances, counts, _ = work
    for p in range(paths.shape[0]):
        level = walk_path(start, tails, chance, relations, head, paths, p, most, work)
        for i in range(counts[level]):
            at = place[nodes[level, i]]
            if at >= 0:
                truths[at, p] = path_truth(chances[level, i], sharpness)


@njit(cache=True, nogil=True)
def count_walks(start, tails, relations, head, paths, most, place, counts):  # type: ignore[no-untyped-def]
    """counts[place[t], p] = how many walks along path p lead from the head to t, for the candidates t with a place.

    Doubles hold whole numbers up to 2^53 exactly; past that a count is near enough.
    """
    length, entities = paths.shape[1], place.shape[0]
    nodes = np.empty((length + 1, entities), np.int32)
    ways = np.empty((length + 1, entities), np.float64)
    work = (nodes, ways, np.zeros(length + 1, np.int64), np.zeros(entities, np.float64))
    one = np.ones(tails.shape[0], np.float32)
    for p in range(paths.shape[0]):
        level = walk_path(start, tails, one, relations, head, paths, p, most, work)
        for i in range(work[2][level]):
            at = place[nodes[level, i]]
            if at >= 0:
                counts[at, p] = ways[level, i]
