"""Names to integer ids and back."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import KnowledgeBaseError

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
LARGEST_EXACT_FLOAT = 2**53


class Vocabulary:
    """The constants of a knowledge base: each name has one id, counted from 0 in order of first sight.

    It only grows, so ids stay valid for as long as the vocabulary lives.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._ids: defaultdict[str, int] = defaultdict()
        self._names: list[str] = []  # the keys of _ids, brought up to date when asked for
        self.add_all(names)

    def add(self, name: str) -> int:
        """The id of the name, new or known."""
        return self._ids.setdefault(name, len(self._ids))

    def add_all(self, names: Iterable[str]) -> NDArray[np.int64]:
        """The ids of many names, new or known."""
        ids = self._ids
        # All the work per name happens inside C; the factory is on only here, so that no cycle keeps the names alive.
        ids.default_factory = ids.__len__
        try:
            return np.fromiter(map(ids.__getitem__, names), dtype=np.int64)
        finally:
            ids.default_factory = None

    def id(self, name: str) -> int | None:
        """The id of a known name, or None."""
        return self._ids.get(name)

    def name(self, id: int) -> str:
        """The name behind an id."""
        return self.names[id]

    @property
    def names(self) -> list[str]:
        """All names, in the order of their ids."""
        if len(self._names) != len(self._ids):
            self._names = list(self._ids)
        return self._names

    def order(self) -> NDArray[np.int64]:
        """For each id its rank under `<`: numbers by value come first, then words by spelling.

        Two spellings of one number (1 and 1.0) share a rank, so neither is less than the other.
        """
        keys = [(0, value, "") if (value := number(name)) is not None else (1, 0.0, name) for name in self.names]
        places = {key: place for place, key in enumerate(sorted(set(keys)))}
        return np.fromiter((places[key] for key in keys), dtype=np.int64, count=len(keys))

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, name: object) -> bool:
        return name in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)


def number(name: str) -> float | None:
    """The finite number that a name spells, or None; whole numbers stay exact however long they are.

    Python's own float() would also take 1_2, which is more likely a cell of a grid, and the digits of other scripts.
    """
    if not NUMBER.match(name):
        return None
    try:
        return int(name)
    except ValueError:  # a fraction, an exponent, or more digits than int() is willing to read
        return value if np.isfinite(value := float(name)) else None


def constant_name(value: object) -> str:
    """The name of the constant that a Python value stands for; a missing value is an error.

    A whole float is named without its fraction (1.0 is 1): tables turn integer ids into floats on the way, and one
    individual must not get two names.
    """
    if type(value) is str:
        return value
    if is_missing(value):
        raise KnowledgeBaseError(f"{value} is a missing value, not a constant")
    if isinstance(value, float | np.floating) and value.is_integer() and abs(float(value)) <= LARGEST_EXACT_FLOAT:
        return str(int(value))
    return str(value)


def is_missing(value: object) -> bool:
    """Whether a value says that there is none: None, and what differs from itself (NaN, NaT) or will not say (NA)."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return True
