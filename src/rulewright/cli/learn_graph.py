"""rulewright learn on a knowledge graph: mine paths, weigh them, measure on validation."""

import time
import tomllib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rulewright.cli.memory import fitted
from rulewright.cli.output import print_json, print_note, print_text, progress
from rulewright.cli.problem import read_text
from rulewright.completion.complete import complete
from rulewright.completion.evaluate import evaluate, peak_rss_mb
from rulewright.completion.learner import CompletionSettings
from rulewright.completion.model import CompletionModel
from rulewright.completion.presets import preset_for
from rulewright.completion.saving import save_model, settings_from
from rulewright.completion.tune import tuned
from rulewright.errors import InputError, OptionError, nearest
from rulewright.kb.datasets import load_dataset
from rulewright.kb.splits import Dataset


def learn_graph(
    data: str,
    out: Path | None,
    preset: str,
    settings_file: Path | None,
    tries: int,
    threads: int | None,
    seed: int,
    as_json: bool,
    memory: str | None = None,
) -> None:
    """Learn the rules of every relation."""
    if tries < 0:
        raise OptionError(f"--tune must be at least 0, not {tries}")
    dataset = load_dataset(data)
    settings = read_settings(settings_file, preset_for(dataset, preset, seed))
    print_note(str(dataset) + (f" ({dataset.note})" if dataset.note else ""))
    settings, threads = fitted(dataset, settings, threads, memory)
    if tries:
        with progress("tuning", tries) as report:
            settings = tuned(dataset, settings, tries, threads, report)
    started = time.perf_counter()
    model = learn_model(dataset, settings, threads)
    seconds = time.perf_counter() - started
    figures: dict[str, Any] = {"seconds": round(seconds, 3), "peak_rss_mb": round(peak_rss_mb(), 1)}
    if len(dataset.valid):
        figures["valid"] = evaluate(model, dataset, "valid", threads).as_dict()
    if out is not None:
        save_model(model, out, data, figures, seconds)
        print_note(f"run written to {out}")
    if as_json:
        print_json({"name": model.name, "settings": asdict(settings), **figures})
        return
    paths = sum(int((mixture.weights > 0).sum()) for mixture in model.mixtures.values())
    constants = sum(len(mixture.constants) for mixture in model.mixtures.values())
    print_text(
        f"{len(model.mixtures)} directed relations, {paths:,} path rules and {constants:,} rules with constants "
        f"in {seconds:.1f} s"
    )
    if "valid" in figures:
        print_text(figures_line(figures["valid"]))


def learn_model(dataset: Dataset, settings: CompletionSettings, threads: int | None) -> CompletionModel:
    """Learn under a progress bar."""
    with progress("learning", len(set(dataset.train[:, 1].tolist()))) as report:
        done = 0

        def on_relation(name: str) -> None:
            nonlocal done
            done += 1
            report(done, name)

        return complete(dataset, settings, threads, on_relation)


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


def figures_line(figures: dict[str, Any]) -> str:
    """MRR and Hits with their protocol, for people."""
    shown = "  ".join(f"{name} {figures[name]:.4f}" for name in ("mrr", "hits@1", "hits@3", "hits@10"))
    return f"{shown}\n{figures['queries']:,} queries in {figures['seconds']:.1f} s; {figures['protocol']}"
