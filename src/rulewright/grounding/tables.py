"""Integer tables: keys, look-ups, joins and groups, vectorised.

A table is an array (rows, columns) of constant ids. Every operation works on one int64 key per row, so its cost is a
few sequential passes over the rows plus one sort.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Rows = NDArray[np.int64]

LARGEST_KEY = 2**62
DENSE_KEYS = 8  # a key range up to this many times the rows is indexed by counting instead of by sorting


def shared_keys(tables: Sequence[Ids]) -> tuple[list[Ids], int]:
    """One key per row, equal exactly when the rows are equal, comparable across the tables; and the number of keys.

    Keys keep the rows' lexicographic order. Columns are packed like digits; where the packed number could overflow, the
    keys so far are replaced by their ranks first. A row may hold -1, the id of a constant that nobody knows.
    """
    width = tables[0].shape[1]
    keys = [np.zeros(len(table), dtype=np.int64) for table in tables]
    size = 1
    for column in range(width):
        digits = [table[:, column] for table in tables]
        lowest = min((int(digit.min()) for digit in digits if len(digit)), default=0)
        radix = 1 + max((int(digit.max()) for digit in digits if len(digit)), default=0) - min(lowest, 0)
        if size > LARGEST_KEY // radix:
            keys, size = ranked(keys)
        keys = [key * radix + digit for key, digit in zip(keys, digits, strict=True)]
        if lowest < 0:
            keys = [key - lowest for key in keys]
        size *= radix
    return keys, size


def ranked(keys: Sequence[Ids]) -> tuple[list[Ids], int]:
    """The keys replaced by their ranks among all of them."""
    values = sorted_unique(np.concatenate(keys))
    return [np.searchsorted(values, key) for key in keys], len(values)


def sorted_unique(values: Ids) -> Ids:
    """The distinct values in order; numpy's own unique hashes, which is tens of times slower on many int64 values."""
    ordered = np.sort(values)
    return ordered[fresh(ordered)]


def fresh(ordered: Ids) -> NDArray[np.bool_]:
    """Where a sorted array starts a new value."""
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


@dataclass(frozen=True)
class Matches:
    """For each row of a left table, the run of a right table's rows (in `order`) that agree with it."""

    order: Rows
    starts: Rows  # (left rows,)
    counts: Rows  # (left rows,)

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def pairs(self) -> tuple[Rows, Rows]:
        """All agreeing pairs as row numbers (left, right); left rows come in order."""
        left = np.repeat(np.arange(len(self.counts)), self.counts)
        before = np.cumsum(self.counts) - self.counts
        right = np.arange(len(left)) + np.repeat(self.starts - before, self.counts)
        return left, self.order[right]


def match(left: Ids, right: Ids) -> Matches:
    """Which rows of two tables with the same columns agree; the size is known before any pair is made."""
    (left_keys, right_keys), size = shared_keys([left, right])
    order = np.argsort(right_keys, kind="stable")
    if size <= DENSE_KEYS * (len(left) + len(right)) + 1024:
        sizes = np.bincount(right_keys, minlength=size)
        counts = sizes[left_keys]
        return Matches(order, np.cumsum(sizes)[left_keys] - counts, counts)
    ordered = right_keys[order]
    starts = np.searchsorted(ordered, left_keys, side="left")
    return Matches(order, starts, np.searchsorted(ordered, left_keys, side="right") - starts)


class Index:
    """A table's rows by their values, sorted once for many look-ups."""

    def __init__(self, table: Ids) -> None:
        self.radices = [1 + int(column.max(initial=0)) for column in table.T]
        self.packed = prod(self.radices) <= LARGEST_KEY
        self.table = table
        self.order = np.argsort(self.keys(table), kind="stable") if self.packed else np.arange(0)
        self.ordered = self.keys(table)[self.order] if self.packed else np.arange(0)

    def keys(self, rows: Ids) -> Ids:
        """One key per row."""
        keys = np.zeros(len(rows), dtype=np.int64)
        for column, radix in zip(rows.T, self.radices, strict=True):
            keys = keys * radix + column
        return keys

    def match(self, left: Ids) -> Matches:
        """As `match(left, table)`."""
        if not self.packed:
            return match(left, self.table)
        inside = np.ones(len(left), dtype=bool)
        for column, radix in zip(left.T, self.radices, strict=True):
            inside &= (column >= 0) & (column < radix)
        keys = self.keys(left)
        starts = np.searchsorted(self.ordered, keys, side="left")
        counts = np.searchsorted(self.ordered, keys, side="right") - starts
        return Matches(self.order, starts, np.where(inside, counts, 0))


def find(needles: Ids, table: Ids) -> Rows:
    """For each needle the row of the table that equals it (rows of the table are distinct), -1 where none does."""
    matches = match(needles, table)
    found = np.full(len(needles), -1, dtype=np.int64)
    hit = matches.counts > 0
    found[hit] = matches.order[matches.starts[hit]]
    return found


def group(table: Ids) -> tuple[Ids, Rows, Rows]:
    """Distinct rows in lexicographic order, and for each its run of original row numbers: (distinct, offsets, rows)."""
    if table.shape[1] == 0:  # a head without variables: everything is one group
        some = len(table) > 0
        return table[:1], np.array([0, len(table)] if some else [0]), np.arange(len(table))
    (keys,), _ = shared_keys([table])
    rows = np.argsort(keys, kind="stable")  # makes use of the order in which a join's table nearly is
    starts = np.flatnonzero(fresh(keys[rows]))
    return picked(table, rows[starts]), np.append(starts, len(rows)), rows


def columnar(columns: Sequence[Ids], size: int) -> Ids:
    """A table (size, columns) stored column by column: every operation here reads whole columns."""
    table = np.empty((len(columns), size), dtype=np.int64)
    for place, column in enumerate(columns):
        table[place] = column
    return table.T


def picked(table: Ids, rows: Rows, columns: Sequence[int] | None = None) -> Ids:
    """Some rows of a table, and of them some columns; stored column by column."""
    wanted = range(table.shape[1]) if columns is None else columns
    found = np.empty((len(wanted), len(rows)), dtype=np.int64)
    for line, column in zip(found, wanted, strict=True):
        np.take(table[:, column], rows, out=line, mode="clip")  # the mode that writes without a copy between
    return found.T


def places(offsets: Rows, rows: Rows) -> Rows:
    """For each original row of a grouped table the number of its group."""
    groups = np.empty(len(rows), dtype=np.int64)
    groups[rows] = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return groups


def product(columns: Sequence[Ids]) -> Ids:
    """Every combination of the columns' values, the last column fastest."""
    grids = np.meshgrid(*columns, indexing="ij")
    return columnar([grid.ravel() for grid in grids], prod(map(len, columns)))
