"""The work that engines share out: learn one relation from the facts.

Only ids and settings travel. Graphs are built from them where the work is done, once in every process, and since
dealing the folds is seeded they are the same everywhere.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

import numpy as np

from rulewright.completion.given import Given
from rulewright.completion.learner import CompletionSettings, Fold, RelationLearner, deal_folds
from rulewright.completion.mixture import Mixture
from rulewright.kb.splits import Dataset
from rulewright.paths.graph import Graph, Triples, build_graph

Pair = tuple[Mixture, Mixture]  # of a relation of the data: for its tails, and for its heads


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
class Graphs:
    """The graphs that learners read; they are built once and shared by all threads."""

    folds: list[Fold]
    full: Graph
    known: Graph

    @staticmethod
    def of(facts: TrainingFacts, settings: CompletionSettings) -> "Graphs":
        entities, relations, train = facts.entities, facts.relations, facts.train
        graph = train if facts.graph is None else facts.graph
        full = known = build_graph(graph, entities, relations, settings.walker)
        if facts.graph is not None:
            known = build_graph(np.concatenate([graph, train]), entities, relations, settings.walker)
        return Graphs(deal_folds(train, graph, entities, relations, settings), full, known)


class RelationWork:
    """Learns relations on any number of threads. It travels as facts, settings and given rules alone."""

    def __init__(self, facts: TrainingFacts, settings: CompletionSettings, given: Given | None = None) -> None:
        self.facts, self.settings, self.given = facts, settings, given
        self._lock = Lock()
        self._graphs: Graphs | None = None
        self._idle: list[RelationLearner] = []

    def __reduce__(self) -> tuple[type["RelationWork"], tuple[TrainingFacts, CompletionSettings, Given | None]]:
        return RelationWork, (self.facts, self.settings, self.given)

    def learn(self, relation: int) -> Pair:
        """The mixtures of one relation."""
        with self.borrowed() as learner:
            return learner.learn(relation)

    @contextmanager
    def borrowed(self) -> Iterator[RelationLearner]:
        """A learner for one piece of work; each holds the memory of one thread."""
        with self._lock:
            if self._graphs is None:
                self._graphs = Graphs.of(self.facts, self.settings)
            graphs = self._graphs
            learner = self._idle.pop() if self._idle else None
        learner = learner or RelationLearner(graphs.folds, graphs.full, graphs.known, self.settings, self.given)
        yield learner
        # One that failed half-way is not used again: what it left in its memory is anyone's guess.
        with self._lock:
            self._idle.append(learner)
