"""What a piece of code does to the world outside: every file it writes, every process and every connection it opens.

Python reports such things to audit hooks, which cannot be taken out again; so there is one, which listens only while
something is watched.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = {
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.truncate", "os.system",
    "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.kill", "os.putenv", "subprocess.Popen",
    "socket.connect", "socket.bind", "ctypes.dlopen", "shutil.rmtree",
}  # fmt: skip
COMPILED = ("__pycache__", ".nbi", ".nbc")  # what Python and numba keep of our own code, and read back

listening = threading.local()
everywhere: list[list[str]] = []  # what is listening to every thread


def hook(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what changes something, or runs something."""
    found: list[str] | None = everywhere[-1] if everywhere else getattr(listening, "found", None)
    if found is None:
        return
    if event == "open":
        path, mode, flags = arguments
        writes = any(letter in (mode or "") for letter in "wxa+") or bool((flags or 0) & WRITING)
        if writes and not any(part in str(path) for part in COMPILED):
            found.append(f"open {path!r} for writing")
    elif event in CHANGES and not any(part in str(arguments) for part in (*COMPILED, "numba")):
        found.append(f"{event} {arguments!r}")


sys.addaudithook(hook)


@contextmanager
def watched() -> Iterator[list[str]]:
    """Yields a list that fills with what is done by this thread meanwhile; empty where nothing was."""
    found: list[str] = []
    listening.found = found
    try:
        yield found
    finally:
        listening.found = None


@contextmanager
def watched_everywhere() -> Iterator[list[str]]:
    """As `watched`, but of all threads: an explorer makes its pages on threads of its own."""
    found: list[str] = []
    everywhere.append(found)
    try:
        yield found
    finally:
        everywhere.remove(found)


def contents(folder: Path) -> dict[str, bytes | str]:
    """Everything below a folder."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path)] = f"-> {os.readlink(path)}"
        else:
            found[str(path)] = path.read_bytes() if path.is_file() else "folder"
    return found
