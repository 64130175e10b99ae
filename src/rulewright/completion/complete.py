"""complete(dataset): rules for every relation of a knowledge graph. The front page of knowledge-base completion.

    Dataset --deal_folds--> graphs that hide a part of the facts --RelationLearner--> Mixture per relation -->
    CompletionModel

Relations are independent pieces of work, which an engine shares out: to threads, or to the processes of a cluster. What
comes out does not depend on where they were learned.
"""

from collections.abc import Callable
from contextlib import closing

from rulewright.completion.folds import TrainingFacts
from rulewright.completion.given import Given
from rulewright.completion.mixture import Mixture
from rulewright.completion.model import CompletionModel, FailedRelation
from rulewright.completion.placing import settings_for
from rulewright.completion.presets import best_for
from rulewright.completion.settings import CompletionSettings
from rulewright.completion.unfinished import UnfinishedRun
from rulewright.completion.work import RelationWork
from rulewright.engine.engine import Engine, Failed
from rulewright.engine.pool import Pool
from rulewright.errors import DatasetError, OptionError, RulewrightError
from rulewright.kb.splits import Dataset


def complete(
    dataset: Dataset,
    settings: CompletionSettings | None = None,
    threads: int | None = None,
    on_relation: Callable[[str], None] | None = None,
    given: Given | None = None,
    *,
    engine: Engine | None = None,
    unfinished: UnfinishedRun | None = None,
) -> CompletionModel:
    """Learn rules for every relation that has training facts.

    A relation that cannot be learned is named among the model's `failed`, and the others are kept; an error is raised
    only when none can.

    settings     None takes those that suit the size and shape of the data
    threads      None takes all cores
    on_relation  is told the name of every relation that is done
    given        rules to weigh instead of mined ones, see completion.placing; they set some of the settings
    engine       where to learn, instead of on threads
    unfinished   holds relations that were learned before, which are taken as they are, and keeps every further one
    """
    if not len(dataset.train):
        raise DatasetError(f"{dataset.name} has no training facts")
    if engine is not None and threads is not None:
        raise OptionError("threads are those of the default engine: leave them out, or leave out the engine")
    engine = engine or Pool(threads)
    settings = settings or best_for(dataset)
    settings = settings if given is None else settings_for(given, settings)
    facts = TrainingFacts.of(dataset)
    found = {} if unfinished is None else dict(unfinished.finished)
    names = dataset.relations.names
    failures: dict[int, Exception] = {}
    wanted = [relation for relation in facts.largest_first() if relation not in found]
    with closing(engine.run(RelationWork.learn, RelationWork(facts, settings, given), wanted)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, Failed):
                failures[outcome.item] = outcome.cause
            else:
                found[outcome.item] = outcome.result
                if unfinished is not None:
                    unfinished.keep(outcome.item, outcome.result)
            if on_relation is not None:
                on_relation(names[outcome.item])
    if failures and not found:
        raise next(iter(failures.values()))
    mixtures: dict[int, Mixture] = {
        mixture.relation: mixture for relation in sorted(found) for mixture in found[relation]
    }
    failed = tuple(FailedRelation(names[relation], reason_of(failures[relation])) for relation in sorted(failures))
    return CompletionModel(
        dataset.name, dataset.entities, dataset.relations, dataset.graph, mixtures, settings, failed=failed
    )


def reason_of(cause: Exception) -> str:
    """Why something failed, in a line; an error that was not foreseen is named by its kind."""
    if isinstance(cause, MemoryError):
        return "there was not enough memory"
    return str(cause) if isinstance(cause, RulewrightError) else f"{type(cause).__name__}: {cause}"
