"""A run folder: JSON documents and safetensors, written as a whole or not at all.

    run.json              what was run: format, version, kind, settings, figures
    program.json          the learned rules and the network as a tree
    history.json          the epochs of training
    facts.safetensors     the facts and their names, so that the folder stands on its own
    weights.safetensors   the parameters

The folder is written beside its place under another name and moved there when complete. Where a run is there already,
the two change places in one step, so whatever happens, at every moment the place holds a whole run; a file system that
cannot exchange two folders leaves it empty for an instant. What an interrupted save leaves behind is a hidden folder
beside the run, whose name starts with a dot and the run's name.
"""

import json
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from rulewright.errors import RunFolderError, nearest
from rulewright.rules.atomic import sync_folder, write_whole
from rulewright.rules.swap import swap

FORMAT = 1
RUN = "run.json"
SUFFIXES = (".json", ".safetensors")
LARGEST_DOCUMENT = 64 << 20  # bytes; read, a document takes some ten times as much memory
LARGEST_ARRAYS = 16 << 30

Arrays = Mapping[str, NDArray[Any]]


def write_folder(
    folder: str | Path, documents: Mapping[str, Any], arrays: Mapping[str, Arrays], workshop: Path | None = None
) -> Path:
    """Write a run: documents by file stem as JSON, arrays by file stem as safetensors.

    `workshop` is a folder on the same file system to prepare the run in, instead of one beside its place.
    """
    target = Path(os.path.realpath(folder))  # a link to a run goes on leading to the run
    try:
        check_place(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=workshop or target.parent) as beside:
            complete = Path(beside) / "run"
            complete.mkdir()
            for name, document in documents.items():
                write_document(complete / f"{name}.json", document)
            for name, tensors in arrays.items():
                write_arrays(complete / f"{name}.safetensors", tensors)
            put_in_place(complete, target)
            sync_folder(target.parent)
    except (OSError, SafetensorError) as cause:
        raise RunFolderError(
            f"cannot write the run folder {target}: {reason_of(cause)}; nothing was changed"
        ) from cause
    return Path(folder)


def check_place(target: Path) -> None:
    """An error when there is something at the place that is no run, or holds more than a run, and would be lost."""
    if not target.exists():
        return
    if not target.is_dir():
        raise RunFolderError(f"{target} exists and is not a folder; choose another place for the run")
    if target.is_mount():  # it cannot change places with a folder beside it
        raise RunFolderError(f"{target} is where a disk is mounted; choose a folder on it, such as {target / 'run'}")
    names = sorted(entry.name for entry in target.iterdir())
    strange = [name for name in names if not name.endswith(SUFFIXES)] if is_run(target) else names
    if strange:
        shown = ", ".join(strange[:3]) + (", ..." if len(strange) > 3 else "")
        raise RunFolderError(
            f"{target} exists and holds what is no run's ({shown}) and would be lost; choose another place for the run"
        )


def check_writable(folder: str | Path) -> None:
    """An error before the work where `write_folder` would refuse after it."""
    target = Path(os.path.realpath(folder))
    try:
        check_place(target)
        parent = next(path for path in target.parents if path.exists())
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=parent):
            pass
    except OSError as cause:
        raise RunFolderError(
            f"cannot write the run folder {target}: {reason_of(cause)}; nothing was changed"
        ) from cause


def write_document(path: Path, document: Any) -> None:
    """One JSON document; what JSON cannot hold is an error."""
    try:
        text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
        content = (text + "\n").encode()
    except ValueError as cause:
        raise RunFolderError(f"{path.stem} cannot be written as JSON: {cause}") from cause
    write_whole(path, content)


def write_arrays(path: Path, arrays: Arrays) -> None:
    """One file of arrays."""
    write_whole(path, save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))


def reason_of(cause: Exception) -> object:
    """What the system says was in the way."""
    return getattr(cause, "strerror", None) or cause


def put_in_place(complete: Path, target: Path) -> None:
    """Move a complete folder to its place; an older run is left where the new one was."""
    if not target.exists():
        os.rename(complete, target)
    elif not swap(complete, target):
        aside = complete.with_name("old")
        os.rename(target, aside)
        try:
            os.rename(complete, target)
        except OSError:
            os.rename(aside, target)
            raise


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run."""
    try:
        return (folder / RUN).is_file()
    except OSError as cause:
        raise RunFolderError(f"cannot read {folder}: {cause.strerror}") from cause


def nearest_run(folder: Path) -> str:
    """The runs beside a place that is none, where its name is close to theirs."""
    try:
        beside = sorted(other.name for other in folder.parent.iterdir() if is_run(other))
    except (OSError, RunFolderError):
        beside = []
    return nearest(folder.name, beside)


def read_document(folder: str | Path, name: str) -> Any:
    """One JSON document of a run."""
    path = Path(folder) / f"{name}.json"
    if not is_run(Path(folder)):
        raise RunFolderError(
            f"{folder} is not a run folder{nearest_run(Path(folder))}: it has no {RUN}. "
            "A run is what `rulewright learn --out` writes."
        )
    check_file(path, LARGEST_DOCUMENT)
    try:
        document = json.loads(path.read_text(encoding="utf-8"), parse_constant=no_number)
    except OSError as cause:
        raise RunFolderError(f"cannot read {path}: {cause.strerror}") from cause
    except (ValueError, RecursionError) as cause:
        raise RunFolderError(f"{path} is not a JSON document: {cause}") from cause
    if name == "run":
        check_format(path, document)
    return document


def check_file(path: Path, largest: int) -> None:
    """A file of a run is a plain file of a bearable size: a pipe would never end, a link might lead anywhere."""
    try:
        found = path.lstat()
    except OSError as cause:
        raise RunFolderError(f"cannot read {path}: {cause.strerror}") from cause
    if not stat.S_ISREG(found.st_mode):
        raise RunFolderError(f"{path} is no plain file (a run folder holds no links, pipes or folders)")
    if found.st_size > largest:
        raise RunFolderError(f"{path} is larger than {largest:,} bytes")


def no_number(name: str) -> NoReturn:
    """NaN and infinity, which Python's JSON would let pass."""
    raise ValueError(f"{name} is not a number")


def check_format(path: Path, document: Any) -> None:
    """A run of a later format is refused in plain words."""
    found = document.get("format") if isinstance(document, dict) else None
    if type(found) is not int:
        raise RunFolderError(f"{path} was not written by Rulewright: it states no format")
    if found > FORMAT:
        raise RunFolderError(f"{path} has format {found}; this version reads up to {FORMAT}: upgrade Rulewright")


def read_arrays(folder: str | Path, name: str) -> dict[str, NDArray[Any]]:
    """One set of arrays of a run."""
    path = Path(folder) / f"{name}.safetensors"
    check_file(path, LARGEST_ARRAYS)
    try:
        return dict(load_file(path))
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, AttributeError) as cause:
        raise RunFolderError(f"cannot read {path}: {cause}") from cause
