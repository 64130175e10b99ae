"""tuned(dataset, settings, tries): a seeded search for better settings, judged on validation data alone."""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from rulewright.completion.complete import complete
from rulewright.completion.evaluate import evaluate
from rulewright.completion.settings import CompletionSettings
from rulewright.engine.engine import Engine
from rulewright.errors import MissingExtraError, OptionError
from rulewright.kb.splits import Dataset

optuna: Any
try:
    optuna = import_module("optuna")
except ImportError:  # the extra `tune`
    optuna = None

PAPER_GRID = {"rate": (0.1, 1.0), "margin": (0.1, 0.5, 1.0, 2.0)}
RANGES = {"rate": (0.005, 0.2), "sparsity": (0.0, 0.5), "paths": (50, 3000), "sharpness": (1.0, 1e5)}


def tuned(
    dataset: Dataset,
    settings: CompletionSettings,
    tries: int,
    threads: int | None = None,
    report: Callable[[int, str], None] | None = None,
    *,
    engine: Engine | None = None,
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
        model = complete(dataset, tried, threads if engine is None else None, engine=engine)
        figure = evaluate(model, dataset, "valid", threads).figures["mrr"]
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
    """The searched settings at their given values; paths that are true or false have no sharpness to search."""
    if settings.objective == "margin":
        names: tuple[str, ...] = ("rate", "margin")
    else:
        names = ("rate", "sparsity", "paths") + (("sharpness",) if settings.sharpness else ())
    return {name: getattr(settings, name) for name in names}


def suggested(trial: Any, settings: CompletionSettings) -> dict[str, Any]:
    """The settings of one try; for the margin loss the paper's own grid. Every range takes in the given value."""
    given = starting_point(settings)
    if settings.objective == "margin":
        return {
            name: trial.suggest_categorical(name, tuple(sorted({*PAPER_GRID[name], value})))
            for name, value in given.items()
        }
    found = {}
    for name, value in given.items():
        low, high = RANGES[name]
        suggest = trial.suggest_int if name == "paths" else trial.suggest_float
        found[name] = suggest(name, min(low, value), max(high, value), log=low > 0)
    return found
