"""What learners read: graphs that each hide a part of the training facts, which then are the queries to learn from.

A fact that a rule is to predict must not help to predict it, so the graph of its fold lacks it, in both directions.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.evidence import Evidence
from rulewright.completion.given import Given
from rulewright.completion.mixture import Profiles
from rulewright.completion.settings import CompletionSettings
from rulewright.kb.splits import Dataset
from rulewright.paths.graph import Graph, Triples, both_directions, build_graph


@dataclass(frozen=True, eq=False)
class TrainingFacts:
    """What learning needs of a data set; `graph` is None where the training facts are the graph."""

    entities: int
    relations: int
    train: Triples
    graph: Triples | None

    @staticmethod
    def of(dataset: Dataset) -> "TrainingFacts":
        graph = None if dataset.graph is dataset.train else dataset.graph
        return TrainingFacts(len(dataset.entities), len(dataset.relations), dataset.train, graph)

    def largest_first(self) -> list[int]:
        """The relations that have training facts; the longest work first, so that none is left over at the end."""
        sizes = np.bincount(self.train[:, 1], minlength=self.relations)
        order: list[int] = np.argsort(-sizes, kind="stable").tolist()
        return order[: int(np.count_nonzero(sizes))]


@dataclass(frozen=True, eq=False)
class Read:
    """A graph, with the numbers of its facts where rules with constants are wanted."""

    graph: Graph
    evidence: Evidence | None

    @staticmethod
    def of(graph: Graph, least: int | None) -> "Read":
        """`least` entities have to share a fact for a rule to be about it; None where no such rules are wanted."""
        return Read(graph, None if least is None else Evidence.of(graph, least))


@dataclass(frozen=True, eq=False)
class Fold:
    """A graph without a part of the training facts, and that part as queries in both directions."""

    read: Read
    profiles: Profiles
    hidden: Triples


@dataclass(frozen=True, eq=False)
class Graphs:
    """The graphs that learners read; they are built once and shared by all threads.

    `full` is what bodies may read when nothing is hidden; `known` also has the facts to learn from where they are not
    among that, so that no true answer is taken for a rival.
    """

    folds: list[Fold]
    full: Read
    known: Graph

    @staticmethod
    def of(facts: TrainingFacts, settings: CompletionSettings, given: Given | None = None) -> "Graphs":
        entities, relations, train = facts.entities, facts.relations, facts.train
        graph = train if facts.graph is None else facts.graph
        full = known = build_graph(graph, entities, relations, settings.walker)
        if facts.graph is not None:
            known = build_graph(np.concatenate([graph, train]), entities, relations, settings.walker)
        least = None if settings.constants is None else settings.constants.support
        if least is not None and given is not None:
            least = 1  # given rules may be about any fact
        return Graphs(deal_folds(train, graph, entities, relations, settings, least), Read.of(full, least), known)

    @property
    def most_facts(self) -> int:
        """How many facts the evidence numbers at most."""
        found = [read.evidence for read in (self.full, *(fold.read for fold in self.folds))]
        return max(len(evidence.facts) for evidence in found if evidence is not None)


def deal_folds(
    triples: Triples,
    known: Triples,
    entities: int,
    relations: int,
    settings: CompletionSettings,
    least: int | None = None,
) -> list[Fold]:
    """The folds in use. `triples` are the facts to learn from, `known` what bodies may use (usually the same).

    Every relation is dealt evenly, so that a rare one is not hidden whole. `least` is that of `Read.of`.
    """
    rng = np.random.default_rng(settings.seed)
    order = rng.permutation(len(triples))
    order = order[np.argsort(triples[order, 1], kind="stable")]
    part = np.empty(len(triples), dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(np.bincount(triples[:, 1], minlength=relations))])
    for first, last in pairwise(starts):
        offset = rng.integers(settings.folds)
        part[order[first:last]] = (np.arange(last - first) + offset) % settings.folds
    folds = []
    for number in range(settings.used_folds):
        hidden = triples[part == number]
        graph = build_graph(without(known, hidden, entities, relations), entities, relations, settings.walker)
        folds.append(Fold(Read.of(graph, least), Profiles.of(graph), both_directions(hidden)))
    return folds


def without(triples: Triples, hidden: Triples, entities: int, relations: int) -> Triples:
    """The triples that are not among the hidden ones."""

    def keys(rows: Triples) -> NDArray[np.int64]:
        return np.asarray((rows[:, 0] * relations + rows[:, 1]) * entities + rows[:, 2])

    return triples[~np.isin(keys(triples), keys(hidden))]
