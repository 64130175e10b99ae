"""swap(one, other): two folders change places in one step, where the system can do that."""

import ctypes
import os
from pathlib import Path

AT_FDCWD = -100  # Linux: paths count from the working directory
RENAME_EXCHANGE = 2  # Linux, renameat2
RENAME_SWAP = 2  # macOS, renamex_np


def swap(one: Path, other: Path) -> bool:
    """Exchange what two paths name. False, and nothing changed, where system or file system has no such step."""
    if os.name == "nt":
        return False
    library = ctypes.CDLL(None)
    first, second = os.fsencode(one), os.fsencode(other)
    if hasattr(library, "renameat2"):
        return bool(library.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0)
    if hasattr(library, "renamex_np"):
        return bool(library.renamex_np(first, second, RENAME_SWAP) == 0)
    return False
