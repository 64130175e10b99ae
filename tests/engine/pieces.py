"""Small work to share out. It stands in a module of its own, so that worker processes find it."""

import os
import signal
import time
from pathlib import Path


def add(shared: int, item: int) -> int:
    return shared + item


def divide(shared: int, item: int) -> float:
    return shared / item


def wait(shared: str, item: int) -> int:
    """Leave a mark of having begun, and take a while."""
    (Path(shared) / f"{item}.{os.getpid()}.{time.monotonic_ns()}").touch()
    time.sleep(0.1)
    return os.getpid()


def die(shared: int, item: int) -> int:
    """Kill the process that works on item 3."""
    if item == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return shared + item


def gather(shared: int, item: int) -> int:
    """For item 3 take far more memory than a worker may have."""
    if item == 3:
        held = []
        while True:
            held.append(bytearray(b"x") * (1 << 25))
            time.sleep(0.02)
    return shared + item


class Counted:
    """A value that leaves a mark whenever it is unpacked somewhere."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple:
        return unpacked, (self.folder,)


def unpacked(folder: str) -> Counted:
    (Path(folder) / f"{os.getpid()}.{time.monotonic_ns()}").touch()
    return Counted(folder)


def read(shared: Counted, item: int) -> tuple[int, str]:
    time.sleep(0.02)
    return os.getpid(), shared.folder
