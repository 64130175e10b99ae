"""The walks along one path between two entities: a few of them, found without trying those that lead elsewhere.

First every step is marked back from the end, so that the search forward never runs into a dead end.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.paths.graph import Graph


def walks_between(graph: Graph, steps: list[int], head: int, tail: int, most: int) -> list[list[int]]:
    """At most so many walks from head to tail, each as the entities it meets; none comes back to the head."""
    path = np.array(steps, np.int32)
    marks = np.zeros((len(steps) + 1, graph.entities), np.bool_)
    found = np.zeros((most, len(steps) + 1), np.int32)
    count = fill_walks(graph.start, graph.tails, graph.relations, path, head, tail, marks, found)
    walks: list[list[int]] = found[:count].tolist()
    return walks


def walks_along(
    graph: Graph, paths: NDArray[np.int32], head: int, tail: int, most: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The same for many paths (padded with -1) at once: the path of each walk, and the entities it meets.

    Rows come by path; behind a walk's end they are padded with -1.
    """
    found = np.full((len(paths), most, paths.shape[1] + 1), -1, np.int32)
    counts = np.zeros(len(paths), np.int64)
    fill_all_walks(graph.start, graph.tails, graph.relations, graph.entities, paths, head, tail, found, counts)
    return found[np.arange(most) < counts[:, None]], np.repeat(np.arange(len(paths)), counts)


@njit(cache=True, nogil=True)
def fill_all_walks(start, tails, relations, entities, paths, head, tail, found, counts):  # type: ignore[no-untyped-def]
    """counts[p] walks along path p, in found[p]."""
    for p in range(paths.shape[0]):
        length = 0
        while length < paths.shape[1] and paths[p, length] >= 0:
            length += 1
        marks = np.zeros((length + 1, entities), np.bool_)
        walks = found[p, :, : length + 1]
        counts[p] = fill_walks(start, tails, relations, paths[p, :length], head, tail, marks, walks)


@njit(cache=True, nogil=True)
def mark_back(start, tails, relations, path, head, tail, marks):  # type: ignore[no-untyped-def]
    """marks[level, e]: from e at this level the rest of the path can end on the tail."""
    length = path.shape[0]
    fringe, spare = np.empty(marks.shape[1], np.int32), np.empty(marks.shape[1], np.int32)
    fringe[0], size = tail, 1
    marks[length, tail] = True
    for level in range(length - 1, 0, -1):
        reached = 0
        for i in range(size):
            row = np.int64(fringe[i]) * relations + (path[level] ^ 1)
            for k in range(start[row], start[row + 1]):
                entity = tails[k]
                if entity != head and not marks[level, entity]:
                    marks[level, entity] = True
                    spare[reached] = entity
                    reached += 1
        fringe, spare = spare, fringe
        size = reached


@njit(cache=True, nogil=True)
def fill_walks(start, tails, relations, path, head, tail, marks, found):  # type: ignore[no-untyped-def]
    """Fill `found` with walks in the order of the graph, depth first; returns how many there are."""
    length = path.shape[0]
    if head == tail:
        return 0
    mark_back(start, tails, relations, path, head, tail, marks)
    walk, at = np.empty(length + 1, np.int32), np.empty(length + 1, np.int64)
    walk[0] = head
    at[0] = start[np.int64(head) * relations + path[0]]
    count = level = 0
    while level >= 0 and count < found.shape[0]:
        if at[level] == start[np.int64(walk[level]) * relations + path[level] + 1]:
            level -= 1
            continue
        entity = tails[at[level]]
        at[level] += 1
        if not marks[level + 1, entity]:
            continue
        walk[level + 1] = entity
        if level + 1 == length:
            found[count] = walk
            count += 1
        else:
            level += 1
            at[level] = start[np.int64(entity) * relations + path[level]]
    return count
