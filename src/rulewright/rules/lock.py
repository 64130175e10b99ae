"""locked(path): only one process at a time; the system opens the lock when its holder dies, however it dies."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from rulewright.errors import RunFolderError

fcntl: Any
try:
    fcntl = import_module("fcntl")
except ImportError:  # Windows: nothing is locked there
    fcntl = None

LONGEST_PID = 20
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # a link of that name might lead to any file, which would be emptied


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at `path`, or say which process does `what`. Its folder may be removed while it is held."""
    descriptor = None
    while descriptor is None:
        descriptor = acquired(path, what)
    try:
        yield
    finally:
        os.close(descriptor)


def acquired(path: Path, what: str) -> int | None:
    """The lock, or None where somebody removed the file between our opening and locking it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, 0o644)
    except FileNotFoundError:
        return None
    except OSError:
        with suppress(OSError):  # on a full disk: an empty folder is no use to anyone
            path.parent.rmdir()
        raise
    try:
        lock(descriptor)
        if not names(path, descriptor):
            os.close(descriptor)
            return None
        os.ftruncate(descriptor, 0)
        with suppress(OSError):  # on a full disk the lock holds, only its holder stays unnamed
            os.write(descriptor, str(os.getpid()).encode())
    except BlockingIOError as cause:
        holder = os.read(descriptor, LONGEST_PID).decode("ascii", errors="replace")
        os.close(descriptor)
        raise RunFolderError(f"process {holder} {what} at this moment: wait for it, or choose another place") from cause
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def lock(descriptor: int) -> None:
    """Lock an open file for this process; a file system that knows no locks goes without."""
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as cause:
        if cause.errno not in NO_LOCKS:
            raise


def names(path: Path, descriptor: int) -> bool:
    """Whether the path still leads to the open file."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
