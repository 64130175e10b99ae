"""Ways to break a sound folder of JSON documents and safetensors, chosen by bytes."""

import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

STRANGE: tuple[Any, ...] = (
    None, True, -1, 0, 3, 1 << 70, 1e308, -0.0, "", "a", "S(X) :- p(X).", [], {}, [[]], {"a": None},
    "../../../etc/passwd",
    "\x1b[31m", "\ud800", ["x"] * 50, {"terms": []}, "not", "nan",
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 127, 255, 1 << 15, (1 << 31) - 1, -(1 << 31), 1 << 40, (1 << 63) - 1, -(1 << 63))
HEADERS = (
    {"x": {"dtype": "F32", "shape": [1 << 60], "data_offsets": [0, 4]}},
    {"x": {"dtype": "F32", "shape": [1 << 62, 4], "data_offsets": [0, 0]}},
    {"x": {"dtype": "I64", "shape": [0, 1 << 62], "data_offsets": [0, 0]}},
    {"x": {"dtype": "U8", "shape": [1 << 40], "data_offsets": [0, 1 << 40]}},
    {"x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}},
    {"triples": {"dtype": "I64", "shape": [], "data_offsets": [0, 8]}},
    {"__metadata__": {"a": "b"}},
    {"x": {"dtype": "no", "shape": [-1], "data_offsets": [4, 0]}},
)


class Choices:
    """Bytes as a sequence of choices; when they are used up, the first choice is taken."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self, below: int) -> int:
        """A number from 0."""
        part = self.data[self.at : self.at + 2]
        self.at += 2
        return int.from_bytes(part, "little") % max(below, 1)

    def rest(self, most: int) -> bytes:
        """Some bytes as they are."""
        part = self.data[self.at : self.at + most]
        self.at += most
        return part


def broken_folder(sound: Path, place: Path, data: bytes) -> Path:
    """A copy of a sound folder at a place, broken in one to three ways."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(sound, place)
    choices = Choices(data)
    for _ in range(1 + choices.number(3)):
        files = sorted(path for path in place.iterdir() if path.is_file())
        if files:
            BREAKS[choices.number(len(BREAKS))](files[choices.number(len(files))], choices)
    return place


def overwrite(path: Path, choices: Choices) -> None:
    """Other bytes somewhere in the file."""
    content = bytearray(path.read_bytes())
    at = choices.number(len(content))
    content[at : at + 1 + choices.number(4)] = choices.rest(1 + choices.number(6))
    path.write_bytes(content)


def cut(path: Path, choices: Choices) -> None:
    """Only the beginning of the file."""
    content = path.read_bytes()
    path.write_bytes(content[: choices.number(len(content))])


def replace(path: Path, choices: Choices) -> None:
    """Something else in place of the file."""
    path.write_bytes((b"", b"[" * 100_000, b'{"a":' * 5_000, b"\xff\xfe", b"null", b"9" * 100_000)[choices.number(6)])


def take_away(path: Path, choices: Choices) -> None:
    """The file is a folder, a link into nowhere or to itself, or not there."""
    path.unlink()
    kind = choices.number(5)
    if kind == 0:
        path.mkdir()
    elif kind == 1:
        path.symlink_to(path.name)
    elif kind == 2:
        path.symlink_to("/etc/passwd")
    elif kind == 3:
        os.mkfifo(path)


def exchange(path: Path, choices: Choices) -> None:
    """Another file of the folder stands in its place, and the other way round."""
    others = sorted(other for other in path.parent.iterdir() if other.is_file() and other != path)
    if others:
        other = others[choices.number(len(others))]
        content = path.read_bytes()
        path.write_bytes(other.read_bytes())
        other.write_bytes(content)


def add_file(path: Path, choices: Choices) -> None:
    """A file that nobody asked for."""
    name = ("weights.pkl", "__init__.py", "run.json.bak", ".hidden", "figures.safetensors")[choices.number(5)]
    path.with_name(name).write_bytes(choices.rest(20))


def change_document(path: Path, choices: Choices) -> None:
    """Another value somewhere in a JSON document."""
    if path.suffix != ".json":
        return change_arrays(path, choices)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # broken before, or nested without end
        return None
    place: Any = document
    for _ in range(choices.number(12)):
        inner = children(place)
        if not inner:
            break
        key = inner[choices.number(len(inner))]
        if not children(place[key]) or not choices.number(4):
            if choices.number(5):
                place[key] = STRANGE[choices.number(len(STRANGE))]
            else:
                del place[key]
            break
        place = place[key]
    path.write_bytes(json.dumps(document).encode("utf-8", "surrogatepass"))
    return None


def children(value: Any) -> list[Any]:
    """The keys of what is inside."""
    if isinstance(value, dict):
        return sorted(value)
    return list(range(len(value))) if isinstance(value, list) else []


def change_arrays(path: Path, choices: Choices) -> None:
    """Another number, type, shape or name of one of the arrays."""
    if path.suffix != ".safetensors":
        return
    try:
        arrays = dict(load_file(path))
    except Exception:
        return
    if not arrays:
        return
    name = sorted(arrays)[choices.number(len(arrays))]
    array, how = arrays[name].copy(), choices.number(9)
    if how < 3 and array.size:
        with np.errstate(all="ignore"):
            number = np.array(NUMBERS[choices.number(len(NUMBERS))])
            array.flat[choices.number(array.size)] = number.astype(array.dtype)
    elif how == 3 and array.size and array.dtype.kind == "f":
        array.flat[choices.number(array.size)] = (np.nan, np.inf, -np.inf, 3e38)[choices.number(4)]
    elif how == 4:
        array = array.astype(
            (np.int8, np.int32, np.int64, np.uint64, np.float16, np.float64, np.bool_)[choices.number(7)]
        )
    elif how == 5:
        array = array.ravel()[: choices.number(array.size)]
    elif how == 6:
        array = array[..., None]
    elif how == 7:
        array = np.concatenate([array, array]) if array.ndim else array
    else:
        arrays[("x", "-1.sampled", "999.sampled", "facts.0", "constants.ends")[choices.number(5)]] = array
    arrays[name] = np.ascontiguousarray(array)
    save_file(arrays, path)


def absurd_header(path: Path, choices: Choices) -> None:
    """Arrays that promise more than there is."""
    if path.suffix != ".safetensors":
        return
    header = json.dumps(HEADERS[choices.number(len(HEADERS))]).encode()
    size = (len(header), 0, 1 << 62, (1 << 64) - 1)[choices.number(4)]
    path.write_bytes(struct.pack("<Q", size) + header + choices.rest(16))


BREAKS: tuple[Callable[[Path, Choices], None], ...] = (
    change_document, change_arrays, change_document, change_arrays, overwrite, cut, replace, take_away, exchange,
    add_file, absurd_header,
)  # fmt: skip
