"""save(learned, folder) and load(folder): a run on disk, complete in itself."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from rulewright.errors import InputError, RunFolderError
from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.plan import plan
from rulewright.kb.coding import kb_from_arrays, kb_to_arrays
from rulewright.learning import Learned
from rulewright.lnn.network import RuleNetwork
from rulewright.rules.folder import FORMAT, read_arrays, read_document, write_folder
from rulewright.rules.store import program_from_json, program_to_json
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.training.fit import Epoch, FitOptions, History

KIND = "template"


def save(learned: Learned, folder: str | Path) -> Path:
    """Write a run folder; it appears whole or not at all, and replaces an older run only when complete."""
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
    documents = {
        "run": run,
        "program": program_to_json(learned.program),
        "history": {"epochs": learned.history.rows()},
    }
    weights = {name: value.detach().cpu().numpy() for name, value in network.state_dict().items()}
    return write_folder(folder, documents, {"facts": kb_to_arrays(learned.kb), "weights": weights})


def load(folder: str | Path, limits: GroundingLimits | None = None) -> Learned:
    """The run in a folder. Nothing in it is executed."""
    run = read_document(folder, "run")
    if run.get("kind") != KIND:
        raise RunFolderError(f"{folder} holds a run of kind {run.get('kind')!r}, not one of a template")
    kb = kb_from_arrays(read_arrays(folder, "facts"))
    try:
        template = parse_template(run["template"])
        steps = plan(bind(template, kb, run["root"]))
        network = RuleNetwork(steps, float(run["alpha"]))
        options = options_from(run["options"])
        epochs = [Epoch(**epoch) for epoch in read_document(folder, "history")["epochs"]]
    except (LookupError, TypeError, AttributeError, InputError) as cause:
        raise RunFolderError(f"the run in {folder} is broken: {cause}") from cause
    weights = {name: torch.from_numpy(value) for name, value in read_arrays(folder, "weights").items()}
    try:
        network.load_state_dict(weights)
    except RuntimeError as cause:
        raise RunFolderError(f"the weights in {folder} do not fit its template") from cause
    program = program_from_json(read_document(folder, "program"))
    history = History(epochs, min(epochs, key=lambda epoch: epoch.judged, default=None))
    return Learned(program, network.eval(), history, options, kb, template, ground(steps, kb, limits, allow_empty=True))


def options_from(data: Mapping[str, Any]) -> FitOptions:
    """Fit options from a run; unknown ones come from a newer version and are refused."""
    known = {field.name for field in fields(FitOptions)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise RunFolderError(f"unknown training option {', '.join(unknown)}: the run was written by a newer version")
    return FitOptions(**data)
