"""What the shell offers while a word is being typed; files and folders it completes by itself."""

from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from rulewright.completion.presets import NAMES as PRESETS
from rulewright.completion.saving import KIND as GRAPH
from rulewright.completion.saving import load_model
from rulewright.errors import RulewrightError
from rulewright.kb.datasets import data_folders
from rulewright.kb.registry import REGISTRY
from rulewright.rules.folder import read_document

Offer = Callable[[str], list[str]]


def among(words: Sequence[str]) -> Offer:
    """Those of some words that begin as typed."""

    def offer(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return offer


def data_names(incomplete: str) -> list[str]:
    """Data sets by name."""
    try:
        known = dict.fromkeys([*(entry.name for entry in REGISTRY), *data_folders()])
    except RulewrightError:  # a place that cannot be read: nothing to offer, and nothing to say while one types
        return []
    return [name for name in known if name.lower().startswith(incomplete.lower())]


def relation_names(context: typer.Context, incomplete: str) -> list[str]:
    """The relations of the run that has been named."""
    run = context.params.get("run") or next(iter(context.args), None)  # click leaves what it has not parsed yet
    try:
        if run is None or read_document(Path(run), "run").get("kind") != GRAPH:
            return []
        names = load_model(Path(run)).relations.names
    except RulewrightError:
        return []
    return [name for name in names if name.startswith(incomplete)]


presets = among(PRESETS)
