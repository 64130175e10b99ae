"""Evidence: what the edges of an entity say of it, as facts with small numbers.

An edge X -s-> d is a fact of X, "X has an s to d", with the id s * entities + d. Of all ids only those matter that
enough entities share, a small part; numbered one after the other they fit into a processor's cache, and an entity's
facts stand in one run beside its edges, so that none of its many relations without an edge is looked at.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.paths.graph import Graph


@dataclass(frozen=True, eq=False)
class Evidence:
    """The facts that at least so many entities share, in the order of their ids."""

    facts: NDArray[np.int64]  # (n_facts,) ids; a fact's place here is its number
    of_edge: NDArray[np.int32]  # (edges,) the number of the fact that each edge is, -1 for one that fewer share

    @staticmethod
    def of(graph: Graph, least: int) -> "Evidence":
        facts, of_edge = number_facts(graph.start, graph.tails, graph.entities, graph.relations, least)
        return Evidence(facts, of_edge)

    def numbers(self, facts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of some ids, -1 for those that have none."""
        if not len(self.facts):
            return np.full(len(facts), -1)
        at = np.minimum(np.searchsorted(self.facts, facts), len(self.facts) - 1)
        return np.where(self.facts[at] == facts, at, -1)


@njit(cache=True, nogil=True)
def number_facts(start, tails, entities, relations, least):  # type: ignore[no-untyped-def]
    """The ids of the facts that at least `least` entities have, and the number of every edge's fact."""
    number = np.full(entities * relations, -1, np.int32)
    count = 0
    for s in range(relations):
        for d in range(entities):
            row = np.int64(d) * relations + (s ^ 1)  # whoever has an s to d is where the inverse leads from d
            if start[row + 1] - start[row] >= least:
                number[np.int64(s) * entities + d] = count
                count += 1
    facts = np.empty(count, np.int64)
    for fact in range(number.shape[0]):
        if number[fact] >= 0:
            facts[number[fact]] = fact
    of_edge = np.empty(tails.shape[0], np.int32)
    for entity in range(entities):
        for s in range(relations):
            row = np.int64(entity) * relations + s
            for k in range(start[row], start[row + 1]):
                of_edge[k] = number[np.int64(s) * entities + tails[k]]
    return facts, of_edge
