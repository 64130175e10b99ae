"""Filtered ranks and what is computed from them, ties averaged as in the paper (section Metrics and Methodology).

A query has an answer and a score for every entity. n entities score strictly higher and m, the answer among them, score
the same; other known answers of the query are left out of both counts. The answer's rank is then one of n + 1 ... n +
m, each equally likely, and every figure is the mean over them:

    MRR = 1/m * sum of 1/r        Hits@K = 1/m * number of r <= K         for r = n + 1 ... n + m
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.logic.markup import Shown, card, note, table

Ties = Literal["average", "optimistic", "pessimistic"]

CUTS = (1, 3, 10)


@njit(cache=True, nogil=True)
def count_rank(scores: NDArray[np.float32], answer: int, known: NDArray[np.int64]) -> tuple[int, int]:
    """(n, m) of one answer; `known` lists the query's known answers, with or without this one, each once."""
    own = scores[answer]
    higher = 0
    equal = 0
    for entity in range(scores.shape[0]):
        score = scores[entity]
        if score > own:
            higher += 1
        elif score == own:
            equal += 1
    for entity in known:
        if entity == answer:
            continue
        if scores[entity] > own:
            higher -= 1
        elif scores[entity] == own:
            equal -= 1
    return higher, equal


@dataclass(frozen=True, eq=False)
class Ranks(Shown):
    """The counts behind the ranks of many queries."""

    higher: NDArray[np.int64]  # (n_queries,) entities above the answer
    equal: NDArray[np.int64]  # (n_queries,) entities level with the answer, itself included

    def __len__(self) -> int:
        return len(self.higher)

    def __str__(self) -> str:
        return "  ".join(f"{name} {value:.4f}" for name, value in self.figures().items()) + f"  ({len(self):,} queries)"

    def _repr_html_(self) -> str:
        """A card: the figures under every way to rank ties."""
        rows = [[*(f"{value:.4f}" for value in self.figures(ties).values()), ties] for ties in get_args(Ties)]
        return card(table([*self.figures(), "ties"], rows, 1 + len(CUTS)), note(f"{len(self):,} queries"))

    def reciprocal(self, ties: Ties = "average") -> NDArray[np.float64]:
        """The reciprocal rank of every query."""
        if ties == "average":
            harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, self.last + 1))])
            found: NDArray[np.float64] = (harmonic[self.higher + self.equal] - harmonic[self.higher]) / self.equal
            return found
        return 1 / self.rank(ties)

    def hits(self, cut: int, ties: Ties = "average") -> NDArray[np.float64]:
        """For every query the chance that its answer is among the first `cut`."""
        if ties == "average":
            return np.clip(cut - self.higher, 0, self.equal) / self.equal
        return (self.rank(ties) <= cut).astype(np.float64)

    def rank(self, ties: Ties) -> NDArray[np.float64]:
        """The rank: first of the tied ones, last of them, or their mean."""
        first = (self.higher + 1).astype(np.float64)
        last = (self.higher + self.equal).astype(np.float64)
        if ties == "average":
            return np.asarray((first + last) / 2, dtype=np.float64)
        return first if ties == "optimistic" else last

    @property
    def last(self) -> int:
        return int((self.higher + self.equal).max(initial=0))

    def figures(self, ties: Ties = "average") -> dict[str, float]:
        """MRR and Hits@1, 3, 10 over all queries; empty sets give 0."""
        if not len(self):
            return {"mrr": 0.0, **{f"hits@{cut}": 0.0 for cut in CUTS}}
        hits = {f"hits@{cut}": float(self.hits(cut, ties).mean()) for cut in CUTS}
        return {"mrr": float(self.reciprocal(ties).mean()), **hits}

    def take(self, chosen: NDArray[np.bool_]) -> "Ranks":
        """The ranks of some queries."""
        return Ranks(self.higher[chosen], self.equal[chosen])

    @staticmethod
    def joined(parts: "list[Ranks]") -> "Ranks":
        """Ranks of several sets of queries, one after the other."""
        none = np.empty(0, dtype=np.int64)
        higher = np.concatenate([none, *(part.higher for part in parts)])
        return Ranks(higher, np.concatenate([none, *(part.equal for part in parts)]))


def rank_answers(
    scores: NDArray[np.float32], answers: NDArray[np.int64], known: Mapping[int, NDArray[np.int64]] | None = None
) -> Ranks:
    """The ranks of answers given a row of scores per query; `known` holds each row's other known answers."""
    none = np.empty(0, dtype=np.int64)
    counts = [
        count_rank(row, int(answer), none if known is None else known.get(place, none))
        for place, (row, answer) in enumerate(zip(scores, answers, strict=True))
    ]
    table = np.array(counts, dtype=np.int64).reshape(len(counts), 2)
    return Ranks(table[:, 0], table[:, 1])
