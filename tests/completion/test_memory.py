"""What learning takes is told before; and it is cut to fit, in the order that changes least."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from tests.completion.toys import dataset_of, families, quick

from rulewright.completion.constants import ConstantSettings
from rulewright.completion.memory import FEWEST_ENTRIES, Sizes, estimate, plan_learning, plan_ranking, resident_bytes
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import MemoryBudgetError
from rulewright.kb.splits import Dataset
from rulewright.kb.vocabulary import Vocabulary

DATASET = dataset_of(families())
SETTINGS = CompletionSettings(constants=ConstantSettings())
SLACK = 3_000_000  # what this process may take between two looks at it


def total(settings: CompletionSettings, threads: int, program: int = 0) -> int:
    return estimate(Sizes.of(DATASET), settings, threads, program).total


def test_without_a_budget_nothing_is_changed() -> None:
    plan = plan_learning(DATASET, SETTINGS, 3)
    assert (plan.settings, plan.threads, plan.changes) == (SETTINGS, 3, ())
    assert str(plan).startswith("needs up to ")
    assert "folds 0.00" in str(plan)


def test_a_tight_budget_takes_threads_first_then_rows_then_folds() -> None:
    here = plan_learning(DATASET, SETTINGS, 2).estimate.program
    one_thread = plan_learning(DATASET, SETTINGS, 2, total(SETTINGS, 1, here) + SLACK)
    assert (one_thread.settings, one_thread.threads, one_thread.changes) == (SETTINGS, 1, ("1 thread",))
    fewest = replace(SETTINGS, entries=FEWEST_ENTRIES)
    few_rows = plan_learning(DATASET, SETTINGS, 2, total(fewest, 1, here) + SLACK)
    assert few_rows.threads == 1
    assert few_rows.settings.entries < SETTINGS.entries
    assert few_rows.settings.used_folds == SETTINGS.used_folds
    assert "entries" in str(few_rows)


def large(facts: int = 300_000, entities: int = 50_000) -> Dataset:
    """Facts at random, so many that a fold of them weighs more than a thread."""
    rng = np.random.default_rng(0)
    triples = np.stack([rng.integers(size, size=facts) for size in (entities, 10, entities)], axis=1)
    names, relations = Vocabulary(map(str, range(entities))), Vocabulary(map(str, range(10)))
    return Dataset("large", names, relations, triples, triples, triples[:1], triples[:1])


def test_what_a_fold_less_makes_room_for_is_given_back() -> None:
    dataset, settings = large(), replace(quick(), folds=4, used_folds=4)
    fewer, sizes = replace(settings, used_folds=3), Sizes.of(dataset)
    here = plan_learning(dataset, settings, 2).estimate.program
    assert estimate(sizes, fewer, 2, here).total + SLACK < estimate(sizes, settings, 1, here).total
    plan = plan_learning(dataset, settings, 2, estimate(sizes, fewer, 2, here).total + SLACK)
    assert (plan.settings.used_folds, plan.threads, plan.changes) == (3, 2, ("used_folds 3",))


def test_a_budget_below_everything_is_an_error_that_names_the_least() -> None:
    with pytest.raises(MemoryBudgetError, match=r"learning from toy needs at least \d+\.\d\d GB \(program") as told:
        plan_learning(DATASET, SETTINGS, 2, 1_000_000)
    assert told.value.needed > resident_bytes()
    with pytest.raises(MemoryBudgetError, match="ranking on toy"):
        plan_ranking(DATASET, 3, 2, 1_000_000)
    assert plan_ranking(DATASET, 3, 2) == 2


def test_every_part_grows_with_what_it_stands_for() -> None:
    smaller, larger = dataset_of(families(4)), dataset_of(families(64))
    few, many = (estimate(Sizes.of(dataset), SETTINGS, 2, 0) for dataset in (smaller, larger))
    assert few.graph < many.graph
    assert few.folds < many.folds
    assert few.building < many.building
    assert few.rules < many.rules
    assert total(SETTINGS, 1) < total(SETTINGS, 2)
    assert total(quick(), 1) < total(SETTINGS, 1)


MEASURED = """
from rulewright.completion.complete import complete
from rulewright.completion.peak_memory import peak_rss_mb
from rulewright.completion.memory import plan_learning
from rulewright.completion.presets import best_for
from rulewright.kb.datasets import load_dataset
from dataclasses import replace
dataset = load_dataset("nations")
settings = replace(best_for(dataset), epochs=2, paths=50, mined=20, queries=20, used_folds=2)
plan = plan_learning(dataset, settings, 2)
complete(dataset, plan.settings, plan.threads)
print(plan.estimate.total, peak_rss_mb() * 2**20)
"""


def test_the_peak_stays_below_the_estimate() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURED], check=True, capture_output=True, text=True)
    estimated, peak = map(float, done.stdout.split())
    assert 0.3 * estimated < peak < estimated
