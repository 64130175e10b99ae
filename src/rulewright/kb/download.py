"""Fetching a data set into the user's cache: all of its files or none, and only with the content its name promises."""

import os
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from types import ModuleType

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from rulewright.errors import DownloadError, InputError, MissingExtraError
from rulewright.kb.registry import Entry, Source, mismatch
from rulewright.kb.splits import FACTS, TEST, TRAIN, VALID, read_splits

CACHE_VARIABLE = "RULEWRIGHT_CACHE"
CHUNK = 1 << 16  # bytes between two looks at the progress bar
TIMEOUT = 30  # seconds without an answer


class DownloadBar:
    """A progress bar with the verbs that pooch calls; it is drawn only where somebody looks."""

    def __init__(self, what: str) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        self.bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.task = self.bar.add_task(what, total=None)
        self.bar.start()

    @property
    def total(self) -> float | None:
        return self.bar.tasks[self.task].total

    @total.setter
    def total(self, size: int) -> None:
        self.bar.update(self.task, total=size or None)  # 0: the server does not say

    def update(self, size: int) -> None:
        """So many more bytes are here."""
        self.bar.update(self.task, advance=size)

    def reset(self) -> None:
        """Start again from nothing."""
        self.bar.reset(self.task, total=self.total)

    def close(self) -> None:
        """Take the bar away."""
        self.bar.stop()


def cache_folder() -> Path:
    """Where downloads are kept: the folder that RULEWRIGHT_CACHE names, or the platform's folder for caches."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "rulewright"


def fetch(entry: Entry) -> Path:
    """The folder in the cache with the files of a data set, downloaded from the first place that has the right ones."""
    http = pooch()
    folder = cache_folder() / entry.name
    failures = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source in entry.sources:
            # Beside the folder, so that moving a file there is one step.
            with tempfile.TemporaryDirectory(prefix=f".{entry.name}.", dir=folder.parent) as unfinished:
                failure = download(http, source, Path(unfinished)) or defect(entry, Path(unfinished))
                if not failure:
                    keep(Path(unfinished), folder)
                    return folder
                failures.append(f"{source.address}: {failure}")
    except OSError as trouble:
        reason = trouble.strerror or trouble
        raise DownloadError(f"cannot write to {folder}: {reason}; name another folder in {CACHE_VARIABLE}") from trouble
    raise DownloadError(f"cannot fetch {entry.name}:\n  " + "\n  ".join([*failures, by_hand(entry, folder)]))


def pooch() -> ModuleType:
    """The library that downloads, or an error that names the extra."""
    try:
        import pooch
    except ImportError as missing:
        raise MissingExtraError("downloading a data set", "data") from missing
    return pooch  # type: ignore[no-any-return]


def download(http: ModuleType, source: Source, folder: Path) -> str:
    """Fetch all files of a source into a folder; says what went wrong, or nothing."""
    for name, address in source.addresses().items():
        bar = DownloadBar(address.rsplit("/", 1)[-1])
        try:
            http.HTTPDownloader(progressbar=bar, chunk_size=CHUNK, timeout=TIMEOUT)(address, str(folder / name), None)
            if source.is_archive:
                unpack(source, folder / name, folder)
        except (OSError, EOFError, tarfile.TarError, LookupError) as failure:  # what requests raises is an OSError
            return f"{type(failure).__name__}: {innermost(failure)}"
        finally:
            bar.close()
    return ""


def innermost(failure: BaseException) -> BaseException:
    """The error that the others were raised over: it is short and says why, they repeat the address."""
    return failure if failure.__context__ is None else innermost(failure.__context__)


def unpack(source: Source, archive: Path, folder: Path) -> None:
    """Take the files of a source out of its archive, and nothing else, to places of our choice."""
    with tarfile.open(archive) as tar:
        members = {str(PurePosixPath(member.name)): member for member in tar if member.isfile()}
        for part, path in source.files.items():
            if path not in members:
                raise LookupError(f"the archive holds no {path}")
            content = tar.extractfile(members[path])
            assert content is not None, "a regular file has content"
            with content, (folder / f"{part}.txt").open("wb") as file:
                shutil.copyfileobj(content, file)
    archive.unlink()


def defect(entry: Entry, folder: Path) -> str:
    """What is wrong with a folder that should hold a data set, or nothing."""
    try:
        return mismatch(entry, read_splits(folder, entry.name))
    except InputError as mistake:
        return str(mistake)


def keep(unfinished: Path, folder: Path) -> None:
    """Move the files of a data set to their folder; the training triples last, since they say that the set is there."""
    for part in (FACTS, VALID, TEST, TRAIN):
        file = unfinished / f"{part}.txt"
        if file.exists():
            os.replace(file, folder / file.name)


def by_hand(entry: Entry, folder: Path) -> str:
    """What to do without a network."""
    if not entry.sources:
        return "its files belong to the package: install rulewright again"
    source = entry.sources[0]
    if source.is_archive:
        return f"to do it by hand, unpack {', '.join(source.files.values())} out of {source.address} into {folder}"
    files = "".join(f"\n    {address} as {name}" for name, address in source.addresses().items())
    return f"to do it by hand, put these files into {folder}:{files}"
