"""save(learned, folder) and load(folder): a run on disk, complete in itself."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch

from rulewright.errors import RunFolderError
from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.plan import plan
from rulewright.kb.coding import kb_from_arrays, kb_to_arrays
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.learning import Learned
from rulewright.lnn.network import RuleNetwork
from rulewright.rules.folder import FORMAT, read_arrays, read_document, write_folder
from rulewright.rules.store import program_from_json, program_to_json
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.template.syntax import Template
from rulewright.training.fit import FitOptions
from rulewright.training.history import Epoch, History

KIND = "template"
LARGEST_NUMBER = 1e30  # parameters are multiplied and summed in float32


def save(learned: Learned, folder: str | Path) -> Path:
    """Write a run folder; it appears whole or not at all, and replaces an older run only when complete.

    >>> import tempfile
    >>> from rulewright import KnowledgeBase, learn
    >>> kb = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy")], "likes": [("ann", "cy")]})
    >>> learned = learn(kb, "child(Y, X) :- P(X, Y). P in *.", [("bob", "ann"), ("cy", "bob")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(load(save(learned, folder + "/run")).program.rules[0].rule)
    child(Y, X) :- parent(X, Y).
    """
    network = learned.network
    run = {
        "format": FORMAT,
        "version": version("rulewright"),
        "kind": KIND,
        "template": str(learned.template),
        "root": network.plan.head.predicate,
        "alpha": network.alpha,
        "options": asdict(learned.options),
    }
    best = learned.history.best
    documents = {
        "run": run,
        "program": program_to_json(learned.program),
        "history": {"epochs": learned.history.rows(), "best": None if best is None else asdict(best)},
    }
    weights = {name: value.detach().cpu().numpy() for name, value in network.state_dict().items()}
    return write_folder(folder, documents, {"facts": kb_to_arrays(learned.kb), "weights": weights})


def load(folder: str | Path, limits: GroundingLimits | None = None) -> Learned:
    """The run in a folder, which may come from anyone: nothing in it is executed, and everything is checked."""
    run = read_document(folder, "run")
    if run.get("kind") != KIND:
        raise RunFolderError(f"{folder} holds a run of kind {run.get('kind')!r}, not one of a template")
    kb = kb_from_arrays(read_arrays(folder, "facts"))
    try:
        template = parse_template(run["template"])
        network = network_of(run, template, kb)
        options = options_from(run["options"])
        history = history_from(read_document(folder, "history"))
    except RunFolderError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as cause:
        raise RunFolderError(f"the run in {folder} is broken: {cause}") from cause
    set_weights(network, folder)
    program = program_from_json(read_document(folder, "program"))
    if len(program.head.terms) != len(network.plan.head.terms):
        raise RunFolderError(f"the rules in {folder} are about {program.head}, its template about {network.plan.head}")
    grounding = ground(network.plan, kb, limits, allow_empty=True)
    return Learned(program, network, history, options, kb, template, grounding)


def network_of(run: Mapping[str, Any], template: Template, kb: KnowledgeBase) -> RuleNetwork:
    """An untrained network of a run's template."""
    return RuleNetwork(plan(bind(template, kb, str(run["root"]))), float(run["alpha"])).eval()


def set_weights(network: RuleNetwork, folder: str | Path) -> None:
    """Give the network the parameters of a run."""
    arrays = read_arrays(folder, "weights")
    strange = [
        name for name, value in arrays.items() if value.dtype.kind != "f" or not (np.abs(value) <= LARGEST_NUMBER).all()
    ]
    if strange:
        raise RunFolderError(
            f"the weights in {folder} are broken: {strange[0]} holds what is not a number, or far too large a one"
        )
    try:
        # Copied, since safetensors hands out memory that torch may not write to.
        network.load_state_dict({name: torch.tensor(value) for name, value in arrays.items()})
    except RuntimeError as cause:
        raise RunFolderError(f"the weights in {folder} do not fit its template") from cause


def options_from(data: Mapping[str, Any]) -> FitOptions:
    """Fit options from a run; unknown ones come from a newer version and are refused."""
    known = {field.name for field in fields(FitOptions)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise RunFolderError(f"unknown training option {', '.join(unknown)}: the run was written by a newer version")
    return FitOptions(**data)


def history_from(data: Mapping[str, Any]) -> History:
    """The history of a run."""
    epochs = [epoch_from(epoch) for epoch in data["epochs"]]
    return History(epochs, None if data["best"] is None else epoch_from(data["best"]))


def epoch_from(data: Mapping[str, Any]) -> Epoch:
    """One epoch; its numbers are made numbers."""
    numbers = {name: float(value) for name, value in data.items()}
    return Epoch(int(numbers.pop("restart")), int(numbers.pop("epoch")), **numbers)
