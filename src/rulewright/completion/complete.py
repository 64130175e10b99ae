"""complete(dataset): rules for every relation of a knowledge graph. The front page of knowledge-base completion.

    Dataset --deal_folds--> graphs that hide a part of the facts --RelationLearner--> Mixture per relation -->
    CompletionModel

Relations are independent pieces of work; they are learned on as many threads as there are cores, since the kernels
let go of Python's lock. What comes out does not depend on the number of threads.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from queue import SimpleQueue

import numpy as np

from rulewright.completion.given import Given
from rulewright.completion.learner import CompletionSettings, RelationLearner, deal_folds
from rulewright.completion.mixture import Mixture
from rulewright.completion.model import CompletionModel
from rulewright.completion.placing import settings_for
from rulewright.completion.presets import best_for
from rulewright.errors import DatasetError, OptionError
from rulewright.kb.splits import Dataset
from rulewright.paths.graph import build_graph


def complete(
    dataset: Dataset,
    settings: CompletionSettings | None = None,
    threads: int | None = None,
    on_relation: Callable[[str], None] | None = None,
    given: Given | None = None,
) -> CompletionModel:
    """Learn rules for every relation that has training facts.

    settings     None takes those that suit the size and shape of the data
    threads      None takes all cores
    on_relation  is told the name of every relation that is done
    given        rules to weigh instead of mined ones, see completion.placing; they set some of the settings
    """
    if not len(dataset.train):
        raise DatasetError(f"{dataset.name} has no training facts")
    if threads is not None and threads < 1:
        raise OptionError(f"threads must be at least 1, not {threads}")
    settings = settings or best_for(dataset)
    settings = settings if given is None else settings_for(given, settings)
    entities, relations = len(dataset.entities), len(dataset.relations)
    folds = deal_folds(dataset.train, dataset.graph, entities, relations, settings)
    full = build_graph(dataset.graph, entities, relations, settings.walker)
    known = full
    if dataset.graph is not dataset.train:
        known = build_graph(np.concatenate([dataset.graph, dataset.train]), entities, relations, settings.walker)
    sizes = np.bincount(dataset.train[:, 1], minlength=relations)
    largest_first = np.argsort(-sizes, kind="stable")[: int(np.count_nonzero(sizes))].tolist()
    learners: SimpleQueue[RelationLearner] = SimpleQueue()
    workers = min(threads or os.cpu_count() or 1, len(largest_first))
    for _ in range(workers):
        learners.put(RelationLearner(folds, full, known, settings, given))

    def learn(relation: int) -> tuple[Mixture, Mixture]:
        with borrowed(learners) as learner:
            return learner.learn(relation)

    mixtures: dict[int, Mixture] = {}
    names = dataset.relations.names
    with ThreadPoolExecutor(workers) as pool:
        running = {pool.submit(learn, relation): relation for relation in largest_first}
        try:
            for done in as_completed(running):
                for mixture in done.result():
                    mixtures[mixture.relation] = mixture
                if on_relation is not None:
                    on_relation(names[running[done]])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    ordered = {relation: mixtures[relation] for relation in sorted(mixtures)}
    return CompletionModel(dataset.name, dataset.entities, dataset.relations, dataset.graph, ordered, settings)


@contextmanager
def borrowed(learners: "SimpleQueue[RelationLearner]") -> Iterator[RelationLearner]:
    """A learner for one piece of work; each holds its own thread's memory."""
    learner = learners.get()
    try:
        yield learner
    finally:
        learners.put(learner)
