"""One predicate's facts as an integer table."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import KnowledgeBaseError


@dataclass(frozen=True, eq=False)
class Relation:
    """The facts of one predicate; every row is distinct.

    `truth` is None when every fact is simply true, which costs no memory.
    """

    facts: NDArray[np.int64]  # (n_facts, arity), constant ids
    truth: NDArray[np.float32] | None = None  # (n_facts,), each in [0, 1]

    @property
    def arity(self) -> int:
        return int(self.facts.shape[1])

    def __len__(self) -> int:
        return int(self.facts.shape[0])

    @cached_property
    def truths(self) -> NDArray[np.float32]:
        """The truth of every fact, ones when none was given."""
        return np.ones(len(self), dtype=np.float32) if self.truth is None else self.truth

    def inverted(self) -> "Relation":
        """The same binary facts read from right to left."""
        return Relation(np.ascontiguousarray(self.facts[:, ::-1]), self.truth)

    @staticmethod
    def of(
        facts: NDArray[np.int64], truth: NDArray[np.float32] | None = None, name: str = "the relation"
    ) -> "Relation":
        """A relation from raw rows: repeated facts are merged and keep their highest truth."""
        facts = np.ascontiguousarray(facts, dtype=np.int64)
        if facts.ndim != 2 or facts.shape[1] == 0:
            raise KnowledgeBaseError(f"{name}: facts must form a table with at least one column")
        if truth is not None:
            truth = np.asarray(truth, dtype=np.float32)
            if truth.shape != facts.shape[:1]:
                raise KnowledgeBaseError(f"{name}: {len(facts):,} facts but {truth.size:,} truth values")
            bad = ~((truth >= 0) & (truth <= 1))  # also catches NaN
            if bad.any():
                where = int(np.flatnonzero(bad)[0])
                raise KnowledgeBaseError(f"{name}: fact {where + 1} has truth {truth[where]}, which is not in [0, 1]")
        keep, truth = distinct_rows(facts, truth)
        if truth is not None and (truth == 1).all():
            truth = None
        return Relation(facts if keep is None else facts[keep], truth)


def distinct_rows(
    facts: NDArray[np.int64], truth: NDArray[np.float32] | None
) -> tuple[NDArray[np.int64] | None, NDArray[np.float32] | None]:
    """Row numbers of the distinct facts in first-seen order (None: all are), and their highest truths."""
    if len(facts) < 2:
        return None, truth
    order = lexical_order(facts)
    fresh = np.ones(len(facts), dtype=bool)
    fresh[1:] = False
    for column in facts.T:
        ordered = column[order]
        fresh[1:] |= ordered[1:] != ordered[:-1]
    if fresh.all():
        return None, truth
    starts = np.flatnonzero(fresh)
    firsts = order[starts]
    arrival = np.argsort(firsts)
    highest = None if truth is None else np.maximum.reduceat(truth[order], starts)[arrival]
    return firsts[arrival], highest


def lexical_order(facts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows in lexicographic order, equal ones as they came; one packed key is sorted where the ids leave room."""
    radix = int(facts.max()) + 1
    if int(facts.min()) < 0 or radix ** facts.shape[1] >= 2**62:
        return np.lexsort(facts.T[::-1])
    keys = facts[:, 0].copy()
    for column in facts.T[1:]:
        keys *= radix
        keys += column
    return np.argsort(keys, kind="stable")
