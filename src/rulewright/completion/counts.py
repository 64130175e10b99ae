"""How often rules with constants hold, counted over every fact of the relation."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def count_body_hits(  # type: ignore[no-untyped-def]
    start, tails, entities, relations, relation, place, facts, starts, answer, hits
):
    """hits[i] = the heads that have the fact and the answer of rule i; `place` leads from an entity to its answer."""
    marked = np.zeros(entities, np.bool_)
    for head in range(entities):
        row = head * relations + relation
        if start[row] == start[row + 1]:
            continue
        for k in range(start[row], start[row + 1]):
            if place[tails[k]] >= 0:
                marked[place[tails[k]]] = True
        for s in range(relations):
            for j in range(start[head * relations + s], start[head * relations + s + 1]):
                fact = np.int64(s) * entities + tails[j]
                at = np.searchsorted(facts, fact)
                if at < facts.shape[0] and facts[at] == fact:
                    for w in range(starts[at], starts[at + 1]):
                        if marked[answer[w]]:
                            hits[w] += 1
        for k in range(start[row], start[row + 1]):
            if place[tails[k]] >= 0:
                marked[place[tails[k]]] = False
