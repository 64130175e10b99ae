"""tuned(dataset, settings, tries): a seeded search for better settings, judged on validation data alone."""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from rulewright.completion.complete import complete
from rulewright.completion.evaluate import evaluate
from rulewright.completion.learner import CompletionSettings
from rulewright.errors import MissingExtraError, OptionError
from rulewright.kb.splits import Dataset

optuna: Any
try:
    optuna = import_module("optuna")
except ImportError:  # the extra `tune`
    optuna = None


def tuned(
    dataset: Dataset,
    settings: CompletionSettings,
    tries: int,
    threads: int | None = None,
    report: Callable[[int, str], None] | None = None,
) -> CompletionSettings:
    """The best of `tries` settings by MRR on the validation queries; the first try is `settings` as given."""
    if optuna is None:
        raise MissingExtraError("--tune", "tune")
    if not len(dataset.valid):
        raise OptionError(f"{dataset.name} has no validation queries to tune on")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=settings.seed))
    study.enqueue_trial(starting_point(settings))
    done = 0

    def objective(trial: Any) -> float:
        nonlocal done
        tried = replace(settings, **suggested(trial, settings))
        figure = evaluate(complete(dataset, tried, threads), dataset, "valid", threads).figures["mrr"]
        done += 1
        if report is not None:
            report(done, f"best MRR {max([figure, *finished(study)]):.4f}")
        return figure

    study.optimize(objective, n_trials=tries)
    return replace(settings, **study.best_params)


def finished(study: Any) -> list[float]:
    """The figures of the tries so far."""
    return [trial.value for trial in study.trials if trial.value is not None]


def starting_point(settings: CompletionSettings) -> dict[str, Any]:
    """The searched settings at their given values."""
    names = ("rate", "margin") if settings.objective == "margin" else ("rate", "sparsity", "paths", "sharpness")
    return {name: getattr(settings, name) for name in names}


def suggested(trial: Any, settings: CompletionSettings) -> dict[str, Any]:
    """The settings of one try; for the margin loss the paper's own grid."""
    if settings.objective == "margin":
        return {
            "rate": trial.suggest_categorical("rate", (0.1, 1.0)),
            "margin": trial.suggest_categorical("margin", (0.1, 0.5, 1.0, 2.0)),
        }
    return {
        "rate": trial.suggest_float("rate", 0.005, 0.2, log=True),
        "sparsity": trial.suggest_float("sparsity", 0.0, 0.5),
        "paths": trial.suggest_int("paths", 50, 3000, log=True),
        "sharpness": trial.suggest_float("sharpness", 1.0, 1e5, log=True),
    }
