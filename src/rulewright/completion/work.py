"""The work that engines share out: learn one relation from the facts.

Only ids and settings travel. Graphs are built from them where the work is done, once in every process, and since
dealing the folds is seeded they are the same everywhere.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from rulewright.completion.folds import Graphs, TrainingFacts
from rulewright.completion.given import Given
from rulewright.completion.learner import RelationLearner
from rulewright.completion.mixture import Mixture
from rulewright.completion.settings import CompletionSettings

Pair = tuple[Mixture, Mixture]  # of a relation of the data: for its tails, and for its heads


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
                self._graphs = Graphs.of(self.facts, self.settings, self.given)
            graphs = self._graphs
            learner = self._idle.pop() if self._idle else None
        learner = learner or RelationLearner(graphs, self.settings, self.given)
        yield learner
        # One that failed half-way is not used again: what it left in its memory is anyone's guess.
        with self._lock:
            self._idle.append(learner)
