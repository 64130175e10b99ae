"""write_whole(path, content): a file that is there as a whole or not at all, even after a power cut."""

import os
from pathlib import Path

HALF = ".tmp"  # ends the name of a file that is being written


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name, see it safely on the disk, and move it to its place in one step."""
    half = path.with_name(path.name + HALF)
    try:
        with half.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(half, path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """See the names in a folder safely on the disk, where the system can do that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
