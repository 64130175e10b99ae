"""Which base predicates of a mixture speak for an answer, in numbers: what `parts.py` writes and `worth.py` weighs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.mixture import COLUMNS, Mixture, Scorer
from rulewright.completion.model import CompletionModel
from rulewright.paths.graph import Graph
from rulewright.paths.walk import fill_path_truths


def path_truths(scorer: Scorer, query: int, answers: Sequence[int]) -> NDArray[np.float32]:
    """The truth of every path of some weight at some answers, (n_answers, n_paths)."""
    graph, (paths, _, sharpness, most, _) = scorer.graph, scorer.parts
    place = np.full(graph.entities, -1, np.int32)
    place[list(answers)] = np.arange(len(answers))
    truths = np.zeros((len(answers), len(paths)), np.float32)
    edges = (graph.start, graph.tails, graph.chance, graph.relations)
    fill_path_truths(*edges, query, paths, sharpness, most, place, scorer.work, truths)
    return truths


@dataclass(frozen=True, eq=False)
class FiredConstants:
    """Rules with constants that fire for an answer: they speak of `about`, because `subject` has their facts."""

    side: str  # the table that they are from, see mixture.COLUMNS
    about: int
    subject: int
    facts: NDArray[np.int64]  # directed relation * entities + the other end
    weights: NDArray[np.float64]  # with the table's


def fired_constants(
    model: CompletionModel, mixture: Mixture, graph: Graph, query: int, answer: int
) -> Iterator[FiredConstants]:
    """r(X, c) :- s(X, d) about the answer, then r(c, Y) :- s(Y, d) about the query."""
    scales = dict(zip(COLUMNS, mixture.columns.tolist(), strict=True))
    own, inverse = mixture.constants, model.mixture(mixture.relation ^ 1).constants
    for rules, side, about, subject in ((own, "answer side", answer, query), (inverse, "head side", query, answer)):
        at = np.searchsorted(rules.answers, about)
        if scales[side] <= 0 or at == len(rules.answers) or rules.answers[at] != about:
            continue
        mine = np.flatnonzero(rules.answer == at)
        facts = rules.facts[np.searchsorted(rules.starts, mine, side="right") - 1]
        fires = np.isin(facts, facts_of(graph, subject))
        weights = scales[side] * rules.weight[mine[fires]].astype(np.float64)
        yield FiredConstants(side, about, subject, facts[fires], weights)


def facts_of(graph: Graph, entity: int) -> NDArray[np.int64]:
    """The facts of an entity as rules with constants number them: directed relation * entities + the other end."""
    rows = entity * graph.relations + np.arange(graph.relations + 1)
    bounds = graph.start[rows]
    relations = np.repeat(np.arange(graph.relations), np.diff(bounds))
    ends: NDArray[np.int64] = relations * graph.entities + graph.tails[bounds[0] : bounds[-1]]
    return ends
