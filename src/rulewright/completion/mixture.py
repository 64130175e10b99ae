"""The mixture of one directed relation: its base predicates with their weights, and the score of every entity.

score(h, t) = sum of weight * truth over the base predicates, each of which is one readable rule (or one table of them):

    paths        r(X, Y) :- s1(X, A), s2(A, B), ...      truth from the chance of a walk, see paths.walk.path_truth
    columns      frequency    r(X, c)                    how often c is an answer
                 answer side  r(X, c) :- s(X, d)         the table of rules with constants of r
                 head side    r(c, Y) :- s(Y, d)         the table of r^-1, read for the query's entity
                 seen         r(X, Y) :- r(A, Y)         Y has been an answer before
    direct       r(X, Y) :- s(X, Y), or with `not`       signed: a weight below 0 is the negated literal's
    answer       r(X, Y) :- s(Y, A), or with `not`       signed, and only for Y that some path reaches
    degree       r(X, Y) :- Y takes part in much         likewise
"""

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.completion.constants import ConstantRules, no_rules
from rulewright.paths.graph import Graph
from rulewright.paths.walk import add_path_scores, new_work

COLUMNS = ("frequency", "answer side", "head side", "seen")
DEGREE_SCALE = 9.0  # log(1 + degree) reaches about 9 in the graphs at hand, so a degree's truth stays near [0, 1]
FREQUENCY_SCALE = 5.0
FREQUENCY_SHIFT = 0.1  # an answer that occurred once, whose log is 0, still counts more than none


@dataclass(frozen=True, eq=False)
class Mixture:
    """What was learned for one directed relation."""

    relation: int
    paths: NDArray[np.int32]  # (n_paths, length), lexicographic, padded with -1
    weights: NDArray[np.float32]  # (n_paths,)
    support: NDArray[np.int64]  # (n_paths,) sampled pairs that the path joins
    confidence: NDArray[np.float32]  # (n_paths,) mean chance of a walk along it to end on the answer
    columns: NDArray[np.float32]  # (len(COLUMNS),)
    direct: NDArray[np.float32]  # (n_relations,) or empty
    answer: NDArray[np.float32]  # (n_relations + 1,), the degree last, or empty
    constants: ConstantRules
    sampled: int = 0  # pairs that were mined
    loss: float = 0.0

    @staticmethod
    def empty(relation: int, length: int) -> "Mixture":
        """The mixture of a relation nothing is known of: every entity scores the same."""
        none = np.zeros(0, np.float32)
        paths = np.zeros((0, length), np.int32)
        columns = np.zeros(len(COLUMNS), np.float32)
        return Mixture(relation, paths, none, np.zeros(0, np.int64), none, columns, none, none, no_rules())


Tables = tuple[
    NDArray[np.int32], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]
]
HeadTables = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]


def answer_tables(rules: ConstantRules) -> Tables:
    """A relation's own rules with constants, as kernels take them."""
    return rules.answers, rules.prior, rules.facts, rules.starts, rules.answer, rules.weight


def head_tables(inverse: ConstantRules) -> HeadTables:
    """The inverse relation's rules with constants, by the entity they are about."""
    return (inverse.answers, *inverse.by_answer())


@dataclass(frozen=True, eq=False)
class Profiles:
    """Which directed relations leave each entity, and its degree as a truth."""

    starts: NDArray[np.int64]  # (entities + 1,)
    relations: NDArray[np.int32]
    degree: NDArray[np.float32]  # (entities,)

    @staticmethod
    def of(graph: Graph) -> "Profiles":
        rows = np.flatnonzero(np.diff(graph.start))
        entity, relation = rows // graph.relations, (rows % graph.relations).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(np.bincount(entity, minlength=graph.entities))]).astype(np.int64)
        edges = np.diff(graph.start[:: graph.relations])
        return Profiles(starts, relation, (np.log1p(edges) / DEGREE_SCALE).astype(np.float32))


@njit(cache=True, nogil=True)
def fill_columns(start, tails, entities, relations, head, tables, head_table, columns):  # type: ignore[no-untyped-def]
    """columns[c, t]: the truths of COLUMNS at every entity t, for X = head."""
    answers, prior, facts, starts, answer, weight = tables
    columns[:] = 0.0
    for i in range(answers.shape[0]):
        columns[0, answers[i]] = (prior[i] + FREQUENCY_SHIFT) / FREQUENCY_SCALE
        columns[3, answers[i]] = 1.0
    if facts.shape[0] > 0:
        for s in range(relations):
            for j in range(start[head * relations + s], start[head * relations + s + 1]):
                fact = np.int64(s) * entities + tails[j]
                i = np.searchsorted(facts, fact)
                if i < facts.shape[0] and facts[i] == fact:
                    for w in range(starts[i], starts[i + 1]):
                        columns[1, answers[answer[w]]] += weight[w]
    subjects, subject_starts, subject_facts, subject_weights = head_table
    at = np.searchsorted(subjects, head)
    if at < subjects.shape[0] and subjects[at] == head:
        for i in range(subject_starts[at], subject_starts[at + 1]):
            s, d = subject_facts[i] // entities, subject_facts[i] % entities
            row = d * relations + (s ^ 1)
            for k in range(start[row], start[row + 1]):
                columns[2, tails[k]] += subject_weights[i]


@njit(cache=True, nogil=True)
def standing_scores(profile_starts, profile_relations, degree, weights):  # type: ignore[no-untyped-def]
    """What the answer literals alone say of every entity, shifted so that the least is just above 0."""
    n = degree.shape[0]
    scores = np.zeros(n, np.float32)
    if weights.shape[0] == 0:
        return scores
    for e in range(n):
        total = weights[weights.shape[0] - 1] * degree[e]
        for k in range(profile_starts[e], profile_starts[e + 1]):
            total += weights[profile_relations[k]]
        scores[e] = total
    return scores - scores.min() + np.float32(1e-6)


@njit(cache=True, nogil=True)
def score_entities(  # type: ignore[no-untyped-def]
    start,
    tails,
    chance,
    entities,
    relations,
    head,
    paths,
    weights,
    sharpness,
    most,
    column_weights,
    tables,
    head_table,
    direct,
    standing,
    work,
    columns,
    scores,
):
    """Fill `scores` with the score of every entity as the answer for `head`."""
    scores[:] = 0.0
    add_path_scores(start, tails, chance, relations, head, paths, weights, sharpness, most, work, scores)
    if direct.shape[0] > 0:
        for s in range(relations):
            if direct[s] != 0.0:
                for j in range(start[head * relations + s], start[head * relations + s + 1]):
                    scores[tails[j]] += direct[s]
    if standing.shape[0] > 0:
        for e in range(entities):
            if scores[e] > 0.0:
                scores[e] += standing[e]
    if column_weights.max() > 0.0:
        fill_columns(start, tails, entities, relations, head, tables, head_table, columns)
        for c in range(column_weights.shape[0]):
            if column_weights[c] > 0.0:
                for e in range(entities):
                    scores[e] += column_weights[c] * columns[c, e]


class Scorer:
    """Scores entities for one relation on one graph; holds one thread's memory."""

    def __init__(
        self,
        graph: Graph,
        profiles: Profiles | None,  # not needed by a mixture that says nothing of answers by themselves
        mixture: Mixture,
        inverse: ConstantRules,
        sharpness: float,
        most: int,
    ) -> None:
        used = mixture.weights > 0
        paths = np.ascontiguousarray(mixture.paths[used])
        self.mixture = mixture
        self.parts = (paths, mixture.weights[used], sharpness, most, mixture.columns)
        self.tables = (answer_tables(mixture.constants), head_tables(inverse), mixture.direct)
        self.work = new_work(mixture.paths.shape[1], graph.entities)
        self.columns = np.zeros((len(COLUMNS), graph.entities), np.float32)
        self.read(graph, profiles)

    def read(self, graph: Graph, profiles: Profiles | None) -> None:
        """Take the facts from a graph."""
        self.graph, self.profiles = graph, profiles
        self.standing = np.zeros(0, np.float32)
        if self.mixture.answer.size and profiles is not None:
            weights = self.mixture.answer
            self.standing = standing_scores(profiles.starts, profiles.relations, profiles.degree, weights)

    def on(self, graph: Graph) -> "Scorer":
        """The same over other facts about the same entities; both work in the same memory, so by turns."""
        other = copy(self)
        other.read(graph, Profiles.of(graph) if self.mixture.answer.size else None)
        return other

    def arguments(self) -> tuple[object, ...]:
        """What the kernels need, in the order of `score_entities` behind the head."""
        return (*self.parts, *self.tables, self.standing, self.work, self.columns)

    def scores(self, head: int) -> NDArray[np.float32]:
        """The score of every entity as the answer for `head`, unclamped."""
        graph = self.graph
        scores = np.zeros(graph.entities, np.float32)
        edges = (graph.start, graph.tails, graph.chance, graph.entities, graph.relations)
        arguments: tuple[Any, ...] = (*edges, head, *self.arguments(), scores)
        score_entities(*arguments)
        return scores
