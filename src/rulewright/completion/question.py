"""Question: one answer to one query, its score and its place among the candidates, on all facts or on fewer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.mixture import Mixture, Scorer
from rulewright.completion.model import CompletionModel
from rulewright.completion.parts import answer_parts
from rulewright.completion.rules import atom
from rulewright.logic.terms import Atom, Constant
from rulewright.paths.fewer import graph_without
from rulewright.paths.graph import Graph
from rulewright.rules.explanation import Part

Triple = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Question:
    """Whether `answer` is an answer to relation(query, ?).

    A candidate is every entity that is not known to be an answer, and the answer itself; who is one stays the same when
    facts are taken away, so that a forgotten answer is no new rival.
    """

    model: CompletionModel
    scorer: Scorer  # over the model's facts, or fewer
    query: int
    answer: int
    candidates: NDArray[np.bool_]

    @staticmethod
    def of(model: CompletionModel, relation: int, query: int, answer: int) -> "Question":
        candidates = np.ones(model.graph.entities, dtype=bool)
        candidates[model.graph.tails_of(query, relation)] = False
        candidates[answer] = True
        return Question(model, model.scorer(relation), query, answer, candidates)

    @property
    def mixture(self) -> Mixture:
        return self.scorer.mixture

    @property
    def relation(self) -> int:
        """The directed relation asked about."""
        return self.mixture.relation

    @property
    def graph(self) -> Graph:
        """The facts it is answered from."""
        return self.scorer.graph

    @property
    def triple(self) -> Triple:
        """The fact that is asked about, as the data would have it."""
        ends = (self.query, self.answer) if not self.relation & 1 else (self.answer, self.query)
        return ends[0], self.relation >> 1, ends[1]

    @cached_property
    def scores(self) -> NDArray[np.float32]:
        """The scores of all entities."""
        return self.scorer.scores(self.query)

    @property
    def score(self) -> float:
        return float(self.scores[self.answer])

    @property
    def higher(self) -> int:
        """Candidates that score higher."""
        return int((self.scores[self.candidates] > self.scores[self.answer]).sum())

    @property
    def equal(self) -> int:
        """Candidates that score the same, itself included."""
        return int((self.scores[self.candidates] == self.scores[self.answer]).sum())

    def fact(self, answer: int) -> Atom:
        """The fact that an answer would be."""
        names = self.model.entities.names
        return atom(self.model, self.relation, Constant(names[self.query]), Constant(names[answer]))

    def parts(self, answers: Sequence[int], witnesses: int = 0, detailed: int | None = None) -> list[list[Part]]:
        """What the scores of some answers are made of; see `answer_parts`."""
        return answer_parts(self.model, self.mixture, self.scorer, self.query, answers, witnesses, detailed)

    def near(self, count: int) -> list[int]:
        """The candidates next to the answer in rank, at most so many on either side, best first."""
        own = self.scores[self.answer]
        others = np.flatnonzero(self.candidates & (np.arange(len(self.scores)) != self.answer))
        ordered = others[np.argsort(-self.scores[others], kind="stable")]
        above = ordered[self.scores[ordered] > own]
        below = ordered[(self.scores[ordered] <= own) & (self.scores[ordered] > 0)]
        return [*above[max(len(above) - count, 0) :].tolist(), *below[:count].tolist()]

    def without(self, triples: Sequence[Triple], offsets: NDArray[np.int64] | None = None) -> "Question":
        """The same question where some facts are not there; weights stay as learned. For `offsets` see `paths.fewer`.

        Both questions work in the same memory, so one is asked after the other.
        """
        graph = graph_without(self.graph, triples, self.model.settings.walker, offsets)
        return replace(self, scorer=self.scorer.on(graph))
