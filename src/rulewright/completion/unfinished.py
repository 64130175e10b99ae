"""The finished relations of a run that is still being learned, kept beside its place so that a kill costs little.

    .RUN.partial/
      manifest.json              what is being learned: the format, a fingerprint of all that decides the result, and
                                 the settings, which may have been cut to fit the memory that was free at the start
      tuned.json                 the settings that a search found, where one was asked for
      relation-17.safetensors    the two mixtures of relation 17, and the seconds of learning so far
      lock                       held by the process that learns

Every file is written as a whole or not at all. The folder goes away when its run is complete.
"""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from rulewright.completion.saving import mixtures_from_arrays, mixtures_to_arrays, settings_from
from rulewright.completion.settings import CompletionSettings
from rulewright.completion.work import Pair
from rulewright.errors import RulewrightError, RunFolderError
from rulewright.kb.coding import names_to_arrays
from rulewright.kb.splits import Dataset
from rulewright.rules.atomic import HALF
from rulewright.rules.folder import check_place, read_arrays, reason_of, write_arrays, write_document
from rulewright.rules.lock import locked

FORMAT = 2
MANIFEST, TUNED, LOCK, RELATION = "manifest", "tuned", "lock", "relation-"


class UnfinishedRun:
    """What is finished of a run, and a place to keep more of it."""

    def __init__(self, folder: Path, entities: int, relations: int, settings: CompletionSettings) -> None:
        self.folder, self.entities, self.relations = folder, entities, relations
        self.settings = settings  # those with which it was begun
        self.before = 0.0  # seconds of learning before this process
        self.finished: dict[int, Pair] = dict(self.read())
        self.started = time.perf_counter()

    def read(self) -> Iterator[tuple[int, Pair]]:
        """The finished relations. A file that something else has damaged is as good as none."""
        for relation in range(self.relations):
            path = self.path(relation)
            if not path.exists():
                continue
            try:
                arrays = read_arrays(self.folder, path.stem)
                losses = {str(r): float(arrays[f"{r}.loss"][0]) for r in (2 * relation, 2 * relation + 1)}
                mixtures = mixtures_from_arrays(arrays, losses, self.entities, 2 * self.relations)
                self.before = max(self.before, float(arrays["seconds"][0]))
                yield relation, (mixtures[2 * relation], mixtures[2 * relation + 1])
            except (RunFolderError, LookupError, TypeError, ValueError, OverflowError):
                path.unlink()

    def keep(self, relation: int, pair: Pair) -> None:
        """Keep a finished relation."""
        arrays = mixtures_to_arrays({mixture.relation: mixture for mixture in pair})
        arrays |= {f"{mixture.relation}.loss": np.array([mixture.loss], np.float64) for mixture in pair}
        arrays["seconds"] = np.array([self.seconds])
        with clear_errors(self.folder):
            write_arrays(self.path(relation), arrays)

    def keep_tuned(self, settings: CompletionSettings) -> None:
        """Keep the settings that a search found."""
        with clear_errors(self.folder):
            write_document(self.folder / f"{TUNED}.json", asdict(settings))

    @property
    def tuned(self) -> CompletionSettings | None:
        """The settings that a search found before, if one did."""
        path = self.folder / f"{TUNED}.json"
        if not path.exists():
            return None
        try:
            return settings_from(json.loads(path.read_text(encoding="utf-8")))
        except (LookupError, TypeError, ValueError):  # damaged by something else: as good as none
            return None

    @property
    def kept(self) -> int:
        """How many relations are kept by now."""
        return sum(1 for _ in self.folder.glob(f"{RELATION}*.safetensors"))

    @property
    def seconds(self) -> float:
        """How long the run has been learned, all sittings together; what a kill lost does not count."""
        return self.before + time.perf_counter() - self.started

    def path(self, relation: int) -> Path:
        return self.folder / f"{RELATION}{relation}.safetensors"

    def remove(self) -> None:
        """The run is complete: nothing of this is needed any more."""
        with clear_errors(self.folder):
            # The manifest first: without it, a folder that is left half removed is empty to whoever finds it.
            (self.folder / f"{MANIFEST}.json").unlink()
            shutil.rmtree(self.folder)


@contextmanager
def unfinished_run(
    run: str | Path,
    dataset: Dataset,
    settings: CompletionSettings,
    *more: Any,
    fitted: CompletionSettings | None = None,
) -> Iterator[UnfinishedRun]:
    """What is finished of the run that is to stand at a place, for this process alone; nothing of it at first.

    `more` is whatever else decides what is learned, as JSON can hold it. What was begun with other data, settings,
    seed or another version of Rulewright is refused: it is neither mixed in nor thrown away. `fitted` are the settings
    as cut to fit the memory; how much is free differs from start to start, so what was begun goes on with its own.
    """
    target = Path(run).resolve()
    folder = target.with_name(f".{target.name}.partial")
    wanted = {
        "format": FORMAT,
        "fingerprint": fingerprint(dataset, settings, *more),
        "settings": asdict(fitted or settings),
    }
    with ExitStack() as held:
        with clear_errors(folder):
            check_place(target)
            check_own(folder, target)
            held.enter_context(locked(folder / LOCK, f"is learning {target}"))
        try:
            with clear_errors(folder):
                tidy(folder, target)
                begun = claim(folder, wanted)
                unfinished = UnfinishedRun(folder, len(dataset.entities), len(dataset.relations), begun)
            yield unfinished
        finally:
            if not worth_keeping(folder):
                shutil.rmtree(folder, ignore_errors=True)


def worth_keeping(folder: Path) -> bool:
    """Whether anything that is finished is kept here."""
    return any(folder.glob(f"{RELATION}*.safetensors")) or (folder / f"{TUNED}.json").exists()


def claim(folder: Path, wanted: dict[str, Any]) -> CompletionSettings:
    """State what is being learned in a folder where nothing is finished; see that it is the same in any other.

    Returns the settings with which it was begun.
    """
    manifest = folder / f"{MANIFEST}.json"
    if not (manifest.exists() and worth_keeping(folder)):
        for path in [*folder.glob(f"{RELATION}*.safetensors"), *folder.glob(f"{TUNED}.json")]:
            path.unlink()  # left by a removal that was interrupted
        write_document(manifest, wanted)
        return settings_from(wanted["settings"])
    begun = manifest_in(manifest)
    if any(begun.get(name) != wanted[name] for name in ("format", "fingerprint")):
        raise RunFolderError(
            f"{folder} holds the unfinished run of another command: the data, the settings, the memory, the seed or "
            f"the version of Rulewright were others. Repeat that command to finish it, remove the folder to give it "
            f"up, or choose another place for this run"
        )
    try:
        return settings_from(begun["settings"])
    except (LookupError, TypeError, ValueError) as cause:
        raise damaged(manifest) from cause


def manifest_in(path: Path) -> dict[str, Any]:
    """What a manifest says."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as cause:
        raise damaged(path) from cause
    if not isinstance(found, dict):
        raise damaged(path)
    return found


def damaged(path: Path) -> RunFolderError:
    """The error of a manifest that says nothing of use."""
    return RunFolderError(
        f"{path} is damaged, so nobody knows whose relations lie there: remove the folder to begin anew"
    )


def fingerprint(dataset: Dataset, settings: CompletionSettings, *more: Any) -> str:
    """A hash of everything that decides what is learned."""
    digest = sha256()
    plain = {"version": version("rulewright"), "settings": asdict(settings), "more": more}
    digest.update(json.dumps(plain, sort_keys=True).encode())
    tables = names_to_arrays("entities", dataset.entities) | names_to_arrays("relations", dataset.relations)
    for name, table in (tables | dataset.parts()).items():
        digest.update(f"{name} {table.dtype} {table.shape}".encode())
        digest.update(np.ascontiguousarray(table).data)
    return digest.hexdigest()


def check_own(folder: Path, target: Path) -> None:
    """An error where a folder of that name holds what is not ours, or leads elsewhere: it is emptied in the end."""
    if folder.is_symlink():
        raise RunFolderError(f"{folder} is a link: what is finished of a run is kept in a folder; remove the link")
    if not folder.exists():
        return
    strange = sorted(path.name for path in folder.iterdir() if not is_own(path, target))
    if strange:
        raise RunFolderError(
            f"{folder} holds what is no unfinished run's ({', '.join(strange[:3])}) and would be lost; move it "
            f"elsewhere, or choose another place for the run"
        )


def is_own(path: Path, target: Path) -> bool:
    """Whether something in the folder of an unfinished run has a name that we give: a file, or a run in the making."""
    if path.name.startswith(".nfs"):  # what a network file system keeps of a file that is removed while open
        return True
    if path.is_dir() and not path.is_symlink():
        return path.name.startswith(f".{target.name}.")
    name = path.name.removesuffix(HALF)
    relation = name.startswith(RELATION) and name.endswith(".safetensors")
    return relation or name in (LOCK, f"{MANIFEST}.json", f"{TUNED}.json")


def tidy(folder: Path, target: Path) -> None:
    """Remove what a kill left half-written. An older run that was just being replaced goes back to its place."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            if (path / "old").exists() and not target.exists():
                (path / "old").rename(target)
            shutil.rmtree(path)
        elif path.suffix == HALF:
            path.unlink()


@contextmanager
def clear_errors(folder: Path) -> Iterator[None]:
    """Tell in plain words what the system refuses to do with a folder."""
    try:
        yield
    except (OSError, ValueError) as cause:
        if isinstance(cause, RulewrightError):
            raise
        raise RunFolderError(
            f"cannot keep what is finished in {folder}: {reason_of(cause)}. What was finished before stays there, and "
            f"a run that was complete is as it was"
        ) from cause
