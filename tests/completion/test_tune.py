"""The search for settings starts at those given, judges on validation alone, and keeps the best."""

import math
from dataclasses import replace

import pytest
from tests.completion.toys import dataset_of, families, held_out, quick

from rulewright.completion import tune
from rulewright.completion.complete import complete
from rulewright.completion.evaluate import evaluate
from rulewright.completion.tune import tuned
from rulewright.errors import MissingExtraError, OptionError
from rulewright.kb.splits import Dataset

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    train, valid = held_out(families(6), "grandparent", 6)
    return dataset_of(train, valid)


def test_the_best_settings_are_no_worse_than_the_given_ones_and_the_same_each_time(dataset: Dataset) -> None:
    pytest.importorskip("optuna")
    notes: list[tuple[int, str]] = []
    given = quick(epochs=2)
    found = tuned(dataset, given, 4, 1, lambda done, note: notes.append((done, note)))
    first, best = (evaluate(complete(dataset, s, 1), dataset, "valid", 1).figures["mrr"] for s in (given, found))
    assert best >= first
    assert [done for done, _ in notes] == [1, 2, 3, 4]
    assert notes[0][1] == f"best MRR {first:.4f}"
    assert notes[-1][1] == f"best MRR {best:.4f}"
    assert found == tuned(dataset, given, 4, 1)
    unsearched = ("rate", "sparsity", "paths", "sharpness")
    assert replace(found, **{name: getattr(given, name) for name in unsearched}) == given


@pytest.mark.parametrize(
    "changes",
    [
        {"paths": 5},
        {"paths": 5000},
        {"rate": 0.9},
        {"sparsity": 3.0},
        {"sharpness": 0.0},
        {"objective": "margin", "rate": 0.3, "margin": 0.7},
    ],
)
def test_one_try_gives_back_the_given_settings_wherever_they_lie(dataset: Dataset, changes: dict[str, float]) -> None:
    pytest.importorskip("optuna")
    given = quick(epochs=1, **changes)
    assert tuned(dataset, given, 1, 1) == given
    assert math.isfinite(tuned(dataset, given, 3, 1).rate)


def test_without_validation_queries_there_is_nothing_to_judge_on() -> None:
    pytest.importorskip("optuna")
    with pytest.raises(OptionError, match="no validation queries"):
        tuned(dataset_of(families(2)), quick(), 1)


def test_a_missing_library_is_named_with_its_extra(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "optuna", None)
    with pytest.raises(MissingExtraError, match=r"rulewright\[tune\]"):
        tuned(dataset, quick(), 1)
