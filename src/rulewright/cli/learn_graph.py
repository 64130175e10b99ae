"""rulewright learn on a knowledge graph: mine paths, weigh them, measure on validation."""

import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import typer

from rulewright.cli.figures_line import figures_line
from rulewright.cli.memory import fitted, memory_size
from rulewright.cli.output import print_json, print_note, print_text, progress
from rulewright.cli.problem import read_text
from rulewright.cli.rule_file import rules_for_graph
from rulewright.completion.complete import complete
from rulewright.completion.evaluate import evaluate
from rulewright.completion.given import Given
from rulewright.completion.model import CompletionModel
from rulewright.completion.peak_memory import peak_rss_mb
from rulewright.completion.placing import settings_for
from rulewright.completion.presets import preset_for
from rulewright.completion.saving import save_model, settings_from
from rulewright.completion.settings import CompletionSettings
from rulewright.completion.tune import tuned
from rulewright.completion.unfinished import UnfinishedRun, unfinished_run
from rulewright.engine.engine import Engine
from rulewright.errors import InputError, OptionError, RulewrightError, nearest
from rulewright.kb.datasets import load_dataset
from rulewright.kb.splits import Dataset
from rulewright.lnn.device import device_of


def learn_graph(
    data: str,
    out: Path | None,
    preset: str,
    settings_file: Path | None,
    tries: int,
    threads: int | None,
    engine_of: Callable[[int | None], Engine],
    seed: int,
    as_json: bool,
    memory: str | None,
    rules: Path | None = None,
    strict: bool = False,
    device: str = "cpu",
) -> None:
    """Learn the rules of every relation, or weigh those of a file.

    With a place for the run, what is finished survives a kill.
    """
    if tries < 0:
        raise OptionError(f"--tune must be at least 0, not {tries}")
    memory_size(memory)  # a mistake is told before a large file is read
    device_of(device)
    dataset = load_dataset(data)
    settings = read_settings(settings_file, preset_for(dataset, preset, seed))
    print_note(str(dataset) + (f" ({dataset.note})" if dataset.note else ""))
    if tries and rules is not None:
        raise OptionError("--tune mines paths of its own; it cannot go with --rules")
    given = None if rules is None else rules_for_graph(rules, dataset, strict)
    settings = settings if given is None else settings_for(given, settings)
    wanted = settings
    settings, threads = fitted(dataset, wanted, threads, memory)
    engine = engine_of(threads)
    marks = () if given is None else (given.fingerprint,)
    place: AbstractContextManager[UnfinishedRun | None] = nullcontext()
    if out is not None:
        place = unfinished_run(out, dataset, wanted, tries, memory_size(memory), *marks, fitted=settings)
    with place as unfinished, what_is_kept(unfinished):
        if unfinished is not None:
            settings = unfinished.settings
        if tries:
            settings = tuned_settings(dataset, settings, tries, threads, engine, unfinished)
        started = time.perf_counter()
        model = learn_model(dataset, settings, engine, unfinished, given)
        seconds = time.perf_counter() - started if unfinished is None else unfinished.seconds
        figures: dict[str, Any] = {"seconds": round(seconds, 3), "peak_rss_mb": round(peak_rss_mb(), 1)}
        if len(dataset.valid):
            figures["valid"] = evaluate(model, dataset, "valid", threads, device=device).as_dict()
        if out is not None and unfinished is not None:
            save_model(model, out, data, figures, seconds, unfinished.folder)
            print_note(f"run written to {out}")
            if not model.failed:
                unfinished.remove()
    if as_json:
        failed = [asdict(failure) for failure in model.failed]
        print_json({"name": model.name, "settings": asdict(settings), **figures, "failed": failed})
    else:
        print_summary(model, figures)
    if model.failed:
        print_failures(model, kept=out is not None)
        raise typer.Exit(1)


@contextmanager
def what_is_kept(unfinished: UnfinishedRun | None) -> Iterator[None]:
    """When learning is interrupted or breaks off, what remains of it is told."""
    try:
        yield
    except (RulewrightError, KeyboardInterrupt):
        if unfinished is not None and unfinished.kept:
            print_note(f"relations that are done and kept: {unfinished.kept}; the same command goes on from there")
        raise


def tuned_settings(
    dataset: Dataset,
    settings: CompletionSettings,
    tries: int,
    threads: int | None,
    engine: Engine,
    unfinished: UnfinishedRun | None,
) -> CompletionSettings:
    """What a search finds, or found before the run was interrupted."""
    if unfinished is not None and unfinished.tuned is not None:
        return unfinished.tuned
    with progress("tuning", tries) as report:
        found = tuned(dataset, settings, tries, threads, report, engine=engine)
    if unfinished is not None:
        unfinished.keep_tuned(found)
    return found


def learn_model(
    dataset: Dataset,
    settings: CompletionSettings,
    engine: Engine,
    unfinished: UnfinishedRun | None,
    given: Given | None,
) -> CompletionModel:
    """Learn under a progress bar."""
    total = len(set(dataset.train[:, 1].tolist()))
    done = 0 if unfinished is None else len(unfinished.finished)
    if done:
        print_note(f"continuing: {done} of {total} relations are done")
    with progress("learning", total) as report:

        def on_relation(name: str) -> None:
            nonlocal done
            done += 1
            report(done, name)

        return complete(dataset, settings, None, on_relation, given, engine=engine, unfinished=unfinished)


def print_summary(model: CompletionModel, figures: dict[str, Any]) -> None:
    """What was learned, for people."""
    paths = sum(int((mixture.weights > 0).sum()) for mixture in model.mixtures.values())
    constants = sum(len(mixture.constants) for mixture in model.mixtures.values())
    print_text(
        f"{len(model.mixtures)} directed relations, {paths:,} path rules and {constants:,} rules with constants "
        f"in {figures['seconds']:.1f} s"
    )
    if "valid" in figures:
        print_text(figures_line(figures["valid"]))


def print_failures(model: CompletionModel, kept: bool) -> None:
    """Which relations could not be learned, and what to do about it."""
    total = len(model.failed) + len(model.mixtures) // 2
    print_note(f"{len(model.failed)} of {total} relations could not be learned:")
    for failure in model.failed:
        print_note(f"  {failure.relation}: {failure.reason}")
    if kept:
        print_note("The run holds the others; the same command tries these again, and only these.")


def read_settings(path: Path | None, settings: CompletionSettings) -> CompletionSettings:
    """A TOML file of settings laid over others."""
    if path is None:
        return settings
    try:
        changes = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as cause:  # not only TOMLDecodeError: numbers too long, brackets too deep
        if isinstance(cause, InputError):
            raise
        raise InputError(f"{path} is not a TOML file: {cause}") from cause
    merged = asdict(settings)
    unknown = next((name for name in changes if name not in merged), None)
    if unknown is not None:
        raise OptionError(f"{path}: there is no setting {unknown}{nearest(unknown, list(merged))}")
    for name, value in changes.items():
        if isinstance(value, dict) and isinstance(merged.get(name), dict):
            merged[name] = merged[name] | value
        else:
            merged[name] = value
    try:
        return replace(settings_from(merged), seed=settings.seed)
    except TypeError as cause:
        raise OptionError(f"{path}: {cause}") from cause
