"""A run folder: JSON documents and safetensors, written as a whole or not at all.

    run.json              what was run: format, version, kind, settings, figures
    program.json          the learned rules and the network as a tree
    history.json          the epochs of training
    facts.safetensors     the facts and their names, so that the folder stands on its own
    weights.safetensors   the parameters

The folder is written beside its place under another name and moved there when complete. An older run at the place is
moved aside first and removed last, so at every moment one whole run exists.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from rulewright.errors import RunFolderError

FORMAT = 1
RUN = "run.json"
LARGEST_DOCUMENT = 1 << 30  # bytes

Arrays = Mapping[str, NDArray[Any]]


def write_folder(folder: str | Path, documents: Mapping[str, Any], arrays: Mapping[str, Arrays]) -> Path:
    """Write a run: documents by file stem as JSON, arrays by file stem as safetensors."""
    target = Path(folder)
    if target.exists() and not is_run(target) and (not target.is_dir() or any(target.iterdir())):
        raise RunFolderError(f"{target} exists and is not a run folder; choose another place for the run")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as cause:
        raise RunFolderError(f"cannot write the run folder {target}: {cause.strerror}") from cause
    try:
        for name, document in documents.items():
            text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
            (partial / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        for name, tensors in arrays.items():
            save_file({key: np.ascontiguousarray(value) for key, value in tensors.items()}, partial / f"{name}.safetensors")
        partial.chmod(0o755)
        put_in_place(partial, target)
    except OSError as cause:
        raise RunFolderError(f"cannot write the run folder {target}: {cause.strerror}; nothing was changed") from cause
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def put_in_place(partial: Path, target: Path) -> None:
    """Move a complete folder to its place; what was there goes only after the new one stands."""
    if not target.exists():
        os.rename(partial, target)
        return
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.old.", dir=target.parent))
    os.rename(target, aside / "run")
    try:
        os.rename(partial, target)
    except OSError:
        os.rename(aside / "run", target)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run."""
    return (folder / RUN).is_file()


def read_document(folder: str | Path, name: str) -> Any:
    """One JSON document of a run."""
    path = Path(folder) / f"{name}.json"
    if not is_run(Path(folder)):
        raise RunFolderError(f"{folder} is not a run folder: it has no {RUN}. A run is what `rulewright learn --out` writes.")
    try:
        if path.stat().st_size > LARGEST_DOCUMENT:
            raise RunFolderError(f"{path} is larger than {LARGEST_DOCUMENT:,} bytes")
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as cause:
        raise RunFolderError(f"cannot read {path}: {cause.strerror}") from cause
    except (ValueError, RecursionError) as cause:
        raise RunFolderError(f"{path} is not a JSON document: {cause}") from cause
    if name == "run":
        check_format(path, document)
    return document


def check_format(path: Path, document: Any) -> None:
    """A run of a later format is refused in plain words."""
    found = document.get("format") if isinstance(document, dict) else None
    if not isinstance(found, int):
        raise RunFolderError(f"{path} was not written by Rulewright: it states no format")
    if found > FORMAT:
        raise RunFolderError(f"{path} has format {found}; this version reads up to {FORMAT}: upgrade Rulewright")


def read_arrays(folder: str | Path, name: str) -> dict[str, NDArray[Any]]:
    """One set of arrays of a run."""
    path = Path(folder) / f"{name}.safetensors"
    try:
        return dict(load_file(path))
    except (OSError, SafetensorError, ValueError, KeyError) as cause:
        raise RunFolderError(f"cannot read {path}: {cause}") from cause
