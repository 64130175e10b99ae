"""A completion model in a run folder and back; see rules.folder for how a folder is written."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.constants import ConstantRules, ConstantSettings
from rulewright.completion.mixture import COLUMNS, Mixture
from rulewright.completion.model import CompletionModel, FailedRelation, Pin
from rulewright.completion.settings import LONGEST, CompletionSettings
from rulewright.errors import RunFolderError
from rulewright.kb.coding import names_from_arrays, names_to_arrays
from rulewright.kb.vocabulary import Vocabulary
from rulewright.paths.mine import MiningLimits
from rulewright.rules.folder import FORMAT, read_arrays, read_document, write_folder

KIND = "completion"
# What a mixture is made of: type and dimensions of every table.
TABLES = {
    "paths": (np.int32, 2),
    "weights": (np.float32, 1),
    "support": (np.int64, 1),
    "confidence": (np.float32, 1),
    "columns": (np.float32, 1),
    "direct": (np.float32, 1),
    "answer": (np.float32, 1),
}
CONSTANTS = {
    "answers": (np.int32, 1),
    "prior": (np.float64, 1),
    "facts": (np.int64, 1),
    "starts": (np.int64, 1),
    "answer": (np.int32, 1),
    "weight": (np.float32, 1),
}

LARGEST_NUMBER = 1e30  # weights are summed in float32: so many more of them that no sum overflows

Arrays = dict[str, NDArray[Any]]


def save_model(
    model: CompletionModel,
    folder: str | Path,
    data: str,
    figures: Mapping[str, Any] | None = None,
    seconds: float = 0.0,
    workshop: Path | None = None,
) -> Path:
    """Write a run folder. `data` is the name or path that finds the data set again.

    `figures` are kept beside the rules; `workshop` is described at `write_folder`.
    """
    run = {
        "format": FORMAT,
        "version": version("rulewright"),
        "kind": KIND,
        "name": model.name,
        "data": data,
        "settings": asdict(model.settings),
        "seconds": round(seconds, 3),
        "pinned": {str(relation): sorted(map(list, pins), key=str) for relation, pins in model.pinned.items() if pins},
        "loss": {str(relation): mixture.loss for relation, mixture in model.mixtures.items()},
        "failed": {failure.relation: failure.reason for failure in model.failed},
    }
    facts = names_to_arrays("entities", model.entities) | names_to_arrays("relations", model.relations)
    facts["triples"] = model.triples
    arrays = {"facts": facts, "rules": mixtures_to_arrays(model.mixtures)}
    return write_folder(folder, {"run": run, "figures": dict(figures or {})}, arrays, workshop)


def load_model(folder: str | Path) -> CompletionModel:
    """The model in a run folder; every id in it is checked, since the folder may come from anyone."""
    run = read_document(folder, "run")
    if run.get("kind") != KIND:
        raise RunFolderError(f"{folder} holds a run of kind {run.get('kind')!r}, not one of a knowledge graph")
    facts, rules = read_arrays(folder, "facts"), read_arrays(folder, "rules")
    try:
        settings = settings_from(run["settings"])
        entities = Vocabulary(names_from_arrays("entities", facts))
        relations = Vocabulary(names_from_arrays("relations", facts))
        triples = facts["triples"]
        if triples.dtype != np.int64 or triples.ndim != 2 or triples.shape[1] != 3:
            raise ValueError("the facts are no table of triples")
        within(triples[:, ::2], len(entities), "facts")
        within(triples[:, 1], len(relations), "facts")
        name = str(run["name"])
        pinned = pinned_from(run.get("pinned", {}), 2 * len(relations))
        mixtures = mixtures_from_arrays(rules, run["loss"], len(entities), 2 * len(relations))
        failed = tuple(FailedRelation(str(name), str(why)) for name, why in run.get("failed", {}).items())
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as cause:
        raise RunFolderError(f"the run in {folder} is broken: {cause}") from cause
    return CompletionModel(name, entities, relations, triples, mixtures, settings, pinned, failed)


def pinned_from(data: Mapping[str, Any], directed: int) -> dict[int, frozenset[Pin]]:
    """The pinned rules of a run; their relations are checked."""
    pinned: dict[int, frozenset[Pin]] = {}
    for relation, pins in data.items():
        ids = np.array([int(relation), *(step for _, *steps in pins for step in steps)], np.int64)
        within(ids, directed, "pinned rules")
        if any(kind not in ("path", "direct", "answer") or not steps for kind, *steps in pins):
            raise ValueError("a pinned rule is neither a path nor a literal")
        pinned[int(relation)] = frozenset((str(kind), *map(int, steps)) for kind, *steps in pins)
    return pinned


def settings_from(data: Mapping[str, Any]) -> CompletionSettings:
    """Settings from plain data; unknown ones are refused."""
    known = {field.name for field in fields(CompletionSettings)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise RunFolderError(f"unknown setting {', '.join(unknown)}: it was written by a newer version")
    plain = dict(data)
    plain["limits"] = MiningLimits(**plain["limits"])
    plain["constants"] = None if plain["constants"] is None else ConstantSettings(**plain["constants"])
    return CompletionSettings(**plain)


def mixtures_to_arrays(mixtures: Mapping[int, Mixture]) -> Arrays:
    """Every mixture's tables under its relation's number."""
    arrays: Arrays = {}
    for relation, mixture in mixtures.items():
        arrays |= {f"{relation}.{name}": getattr(mixture, name) for name in TABLES}
        arrays[f"{relation}.sampled"] = np.array([mixture.sampled])
        arrays |= {f"{relation}.constants.{name}": getattr(mixture.constants, name) for name in CONSTANTS}
    return arrays


def mixtures_from_arrays(
    arrays: Arrays, losses: Mapping[str, float], entities: int, directed: int
) -> dict[int, Mixture]:
    """The mixtures behind `mixtures_to_arrays`."""
    mixtures = {}
    for relation in sorted(int(name.split(".")[0]) for name in arrays if name.endswith(".sampled")):
        within(np.array([relation]), directed, "a mixture")
        tables = {name: arrays[f"{relation}.{name}"] for name in TABLES}
        parts = {name: arrays[f"{relation}.constants.{name}"] for name in CONSTANTS}
        formed(tables, TABLES)
        formed(parts, CONSTANTS)
        constants = ConstantRules(**parts)
        check_constants(constants, entities, directed)
        within(tables["paths"] + 1, directed + 1, "paths")
        consistent = (
            0 < tables["paths"].shape[1] <= LONGEST
            and len({len(tables[name]) for name in ("paths", "weights", "support", "confidence")}) == 1
            and len(tables["columns"]) == len(COLUMNS)
            and len(tables["direct"]) in (0, directed)
            and len(tables["answer"]) in (0, directed + 1)
        )
        if not consistent:
            raise ValueError(f"the tables of relation {relation} do not fit together")
        sampled, loss = int(arrays[f"{relation}.sampled"][0]), float(losses[str(relation)])
        mixtures[relation] = Mixture(relation, **tables, constants=constants, sampled=sampled, loss=loss)
    return mixtures


def check_constants(rules: ConstantRules, entities: int, directed: int) -> None:
    """Rules with constants must refer to each other and to the facts; answers and facts are searched by halving."""
    within(rules.answers, entities, "rules with constants")
    within(rules.facts, entities * directed, "rules with constants")
    within(rules.answer, len(rules.answers), "rules with constants")
    consistent = (
        len(rules.starts) == len(rules.facts) + 1
        and len(rules.prior) == len(rules.answers)
        and len(rules.weight) == len(rules.answer) == int(rules.starts[-1])
        and int(rules.starts[0]) == 0
        and bool((np.diff(rules.starts) >= 0).all())
        and bool((np.diff(rules.answers) > 0).all())
        and bool((np.diff(rules.facts) > 0).all())
    )
    if not consistent:
        raise ValueError("rules with constants do not fit together")


def formed(tables: Arrays, forms: Mapping[str, tuple[type, int]]) -> None:
    """Every table must have the type and the dimensions that the kernels take, and finite numbers."""
    for name, (kind, dimensions) in forms.items():
        table = tables[name]
        if table.dtype != kind or table.ndim != dimensions:
            raise ValueError(f"{name} is a table of {table.dtype} with {table.ndim} dimensions")
        if table.dtype.kind == "f" and not (np.abs(table) <= LARGEST_NUMBER).all():  # also catches NaN
            raise ValueError(f"{name} holds what is not a number, or far too large a one")


def within(ids: NDArray[Any], size: int, what: str) -> None:
    """Ids must point into the table they are for: the kernels do not look."""
    if ids.size and not (int(ids.min()) >= 0 and int(ids.max()) < size):
        raise ValueError(f"{what} refer to something that is not there")
