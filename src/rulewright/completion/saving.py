"""A completion model in a run folder and back; see rules.folder for how a folder is written."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.constants import ConstantRules, ConstantSettings
from rulewright.completion.learner import CompletionSettings
from rulewright.completion.mixture import COLUMNS, Mixture
from rulewright.completion.model import CompletionModel
from rulewright.errors import RunFolderError
from rulewright.kb.coding import names_from_arrays, names_to_arrays
from rulewright.kb.vocabulary import Vocabulary
from rulewright.paths.mine import MiningLimits
from rulewright.rules.folder import FORMAT, read_arrays, read_document, write_folder

KIND = "completion"
CONSTANTS = ("answers", "prior", "facts", "starts", "answer", "weight")
TABLES = ("paths", "weights", "support", "confidence", "columns", "direct", "answer")

Arrays = dict[str, NDArray[Any]]


def save_model(
    model: CompletionModel,
    folder: str | Path,
    data: str,
    figures: Mapping[str, Any] | None = None,
    seconds: float = 0.0,
) -> Path:
    """Write a run folder. `data` is the name or path that finds the data set again.

    `figures` are kept beside the rules.
    """
    run = {
        "format": FORMAT,
        "version": version("rulewright"),
        "kind": KIND,
        "name": model.name,
        "data": data,
        "settings": asdict(model.settings),
        "seconds": round(seconds, 3),
        "loss": {str(relation): mixture.loss for relation, mixture in model.mixtures.items()},
    }
    facts = names_to_arrays("entities", model.entities) | names_to_arrays("relations", model.relations)
    facts["triples"] = model.triples
    arrays = {"facts": facts, "rules": mixtures_to_arrays(model.mixtures)}
    return write_folder(folder, {"run": run, "figures": dict(figures or {})}, arrays)


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
        within(triples[:, ::2], len(entities), "facts")
        within(triples[:, 1], len(relations), "facts")
        mixtures = mixtures_from_arrays(rules, run["loss"], len(entities), 2 * len(relations))
    except (LookupError, TypeError, ValueError, AttributeError) as cause:
        raise RunFolderError(f"the run in {folder} is broken: {cause}") from cause
    return CompletionModel(str(run["name"]), entities, relations, triples, mixtures, settings)


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
        tables = {name: arrays[f"{relation}.{name}"] for name in TABLES}
        constants = ConstantRules(*(arrays[f"{relation}.constants.{name}"] for name in CONSTANTS))
        within(np.array([relation]), directed, "a mixture")
        within(tables["paths"] + 1, directed + 1, "paths")
        within(constants.answers, entities, "rules with constants")
        within(constants.facts, entities * directed, "rules with constants")
        within(constants.answer, len(constants.answers), "rules with constants")
        consistent = (
            tables["paths"].ndim == 2
            and len({len(tables[name]) for name in ("paths", "weights", "support", "confidence")}) == 1
            and len(tables["columns"]) == len(COLUMNS)
            and len(tables["direct"]) in (0, directed)
            and len(tables["answer"]) in (0, directed + 1)
            and len(constants.starts) == len(constants.facts) + 1
            and len(constants.prior) == len(constants.answers)
            and len(constants.weight) == len(constants.answer) == int(constants.starts[-1])
            and int(constants.starts[0]) == 0
            and bool((np.diff(constants.starts) >= 0).all())
        )
        if not consistent:
            raise ValueError(f"the tables of relation {relation} do not fit together")
        sampled, loss = int(arrays[f"{relation}.sampled"][0]), float(losses[str(relation)])
        mixtures[relation] = Mixture(relation, **tables, constants=constants, sampled=sampled, loss=loss)
    return mixtures


def within(ids: NDArray[Any], size: int, what: str) -> None:
    """Ids must point into the table they are for: the kernels do not look."""
    if ids.size and not (int(ids.min()) >= 0 and int(ids.max()) < size):
        raise ValueError(f"{what} refer to something that is not there")
