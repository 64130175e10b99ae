"""A conjunction's facts: its inputs joined one after the other, smallest growth first.

Every join is counted before it is made, so a limit is met with an error and not with a full memory. Rows that a later
input or condition may drop need not be there all at once: where they would pass the limit they are made, and joined to
the end, in slices.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rulewright.grounding.demand import Demand
from rulewright.grounding.plan import Join
from rulewright.grounding.tables import Ids, Matches, Rows
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.terms import Constant, Term, Variable
from rulewright.template.syntax import Compare

SLICES = 8  # of the limit; a slice and what has been kept are in memory together
PASSES = 20  # times the limit: so many rows may pass in slices, for more would take hours


class Limits(Protocol):
    """How many rows there may be."""

    @property
    def rows(self) -> int: ...

    def check(self, where: str, rows: int) -> None: ...


class Source(Protocol):
    """What a join reads of an input."""

    @property
    def name(self) -> str: ...

    @property
    def variables(self) -> tuple[Variable, ...]: ...

    @property
    def facts(self) -> Ids: ...

    def matches(self, left: Ids, columns: Sequence[int]) -> Matches: ...


def join(
    step: Join,
    inputs: Sequence[Source],
    constants: Vocabulary,
    limits: Limits,
    demand: Demand | None = None,
) -> tuple[Ids, list[Rows]]:
    """The join's facts over `step.variables`, and for each input the row behind each fact.

    Where only some values of some variables are asked for, the join starts from them, so its cost is theirs.
    """
    partial = Partial(step.variables, len(inputs), comparisons(step.conditions, constants))
    left = list(range(len(inputs)))
    if demand is not None:
        partial.start_from(demand)
    elif inputs:
        first = min(left, key=lambda at: len(inputs[at].facts))
        partial.start_with(inputs[first], first)
        left.remove(first)
    partial.filter()
    return Joining(step.name, inputs, limits).finish(partial, left)


class Joining:
    """The rest of a join, as a whole or in slices."""

    def __init__(self, name: str, inputs: Sequence[Source], limits: Limits) -> None:
        self.name, self.inputs, self.limits = name, inputs, limits
        self.passed = 0  # rows that were made in slices

    def finish(self, partial: "Partial", left: list[int]) -> tuple[Ids, list[Rows]]:
        """Join what is left of the inputs, and the row of every input behind each fact."""
        while left:
            options = [(partial.matches(self.inputs[at]), at) for at in partial.connected(self.inputs, left)]
            matches, at = min(options, key=lambda option: option[0].total)
            left = [other for other in left if other != at]
            where = f"joining {self.inputs[at].name} into {self.name}"
            may_drop = left or partial.conditions
            if may_drop and self.limits.rows < matches.total <= PASSES * self.limits.rows - self.passed:
                return self.in_slices(partial, left, at, matches, where)
            self.limits.check(where, matches.total)
            partial.extend(self.inputs[at], at, matches)
        return partial.table.T, partial.rows

    def in_slices(
        self, partial: "Partial", left: list[int], at: int, matches: Matches, where: str
    ) -> tuple[Ids, list[Rows]]:
        """Some rows at a time, each to the end; what remains of all of them may not pass the limit."""
        self.passed += matches.total
        tables, rows, kept = [], [], 0
        for first, end in slices(matches.counts, max(self.limits.rows // SLICES, 1)):
            some = Matches(matches.order, matches.starts[first:end], matches.counts[first:end])
            self.limits.check(where, some.total)
            part = partial.part(first, end)
            part.extend(self.inputs[at], at, some)
            table, behind = self.finish(part, left)
            kept += len(table)
            self.limits.check(self.name, kept)
            tables.append(table.T)
            rows.append(behind)
        return np.concatenate(tables, axis=1).T, [np.concatenate(parts) for parts in zip(*rows, strict=True)]


def slices(counts: Rows, most: int) -> Iterator[tuple[int, int]]:
    """Runs of rows whose counts add up to `most` at most, but at least one row."""
    ends = np.cumsum(counts)
    first = 0
    while first < len(counts):
        before = ends[first] - counts[first]
        end = max(int(np.searchsorted(ends, before + most, side="right")), first + 1)
        yield first, end
        first = end


class Partial:
    """The join so far: a table of columns, one for each variable met, and one array of rows per input.

    Columns stand in the order of the step's variables, so that the last table is the result without another copy.
    """

    def __init__(self, order: tuple[Variable, ...], inputs: int, conditions: list["Condition"]) -> None:
        self.order, self.conditions = order, conditions
        self.variables: tuple[Variable, ...] = ()
        self.table = np.empty((0, 1), dtype=np.int64)  # (variables, facts); the empty conjunction holds once
        self.rows: list[Rows] = [np.empty(0, dtype=np.int64)] * inputs
        self.joined: list[int] = []

    def start_from(self, demand: Demand) -> None:
        """Begin with the values asked for."""
        self.variables, self.table = tuple(self.order[column] for column in demand.columns), demand.rows.T

    def start_with(self, source: Source, at: int) -> None:
        """Begin with all facts of one input."""
        self.variables = tuple(v for v in self.order if v in source.variables)
        self.table = source.facts[:, [source.variables.index(v) for v in self.variables]].T
        self.rows[at] = np.arange(len(source.facts))
        self.joined.append(at)

    def connected(self, inputs: Sequence[Source], left: list[int]) -> list[int]:
        """The inputs that share a variable with the join so far; all of them when none does."""
        return [at for at in left if any(v in self.variables for v in inputs[at].variables)] or left

    def matches(self, source: Source) -> Matches:
        shared = [v for v in source.variables if v in self.variables]
        mine = self.table[[self.variables.index(v) for v in shared]].T
        return source.matches(mine, [source.variables.index(v) for v in shared])

    def extend(self, source: Source, at: int, matches: Matches) -> None:
        """Join one more input, of which the matching rows are known."""
        mine, theirs = matches.pairs()
        met = tuple(v for v in self.order if v in self.variables or v in source.variables)
        table = np.empty((len(met), len(mine)), dtype=np.int64)
        for column, variable in zip(table, met, strict=True):
            if variable in self.variables:
                np.take(self.table[self.variables.index(variable)], mine, out=column, mode="clip")
            else:
                np.take(source.facts[:, source.variables.index(variable)], theirs, out=column, mode="clip")
        for earlier in self.joined:
            self.rows[earlier] = self.rows[earlier][mine]
        self.rows[at] = theirs
        self.joined.append(at)
        self.variables, self.table = met, table
        self.filter()

    def part(self, first: int, end: int) -> "Partial":
        """Some of the rows, as a join of their own."""
        some = copy(self)
        some.table, some.joined = self.table[:, first:end], list(self.joined)
        some.rows = [rows[first:end] if at in self.joined else rows for at, rows in enumerate(self.rows)]
        return some

    def filter(self) -> None:
        """Drop the facts that fail a condition whose variables have all been met."""
        ready = [c for c in self.conditions if c.variables <= set(self.variables)]
        self.conditions = [c for c in self.conditions if c not in ready]
        columns = dict(zip(self.variables, self.table, strict=True))
        for condition in ready:
            keep = np.broadcast_to(condition.holds(columns), self.table.shape[1:])
            self.table = self.table[:, keep]
            self.rows = [rows[keep] if at in self.joined else rows for at, rows in enumerate(self.rows)]
            columns = dict(zip(self.variables, self.table, strict=True))


class Condition:
    """A comparison over columns of ids. `=` and `!=` compare individuals, the others compare values."""

    def __init__(self, compare: Compare, constants: Vocabulary, order: NDArray[np.int64] | None) -> None:
        self.compare, self.constants, self.order = compare, constants, order
        self.variables = {t for t in (compare.left, compare.right) if isinstance(t, Variable)}

    def holds(self, columns: Mapping[Variable, Ids]) -> NDArray[np.bool_]:
        left, right = self.value(self.compare.left, columns), self.value(self.compare.right, columns)
        match self.compare.operator:
            case "=":
                return np.asarray(left == right)
            case "!=":
                return np.asarray(left != right)
            case "<":
                return np.asarray(left < right)
            case "<=":
                return np.asarray(left <= right)
            case ">":
                return np.asarray(left > right)
            case _:
                return np.asarray(left >= right)

    def value(self, term: Term, columns: Mapping[Variable, Ids]) -> NDArray[np.int64]:
        ids = columns[term] if isinstance(term, Variable) else np.asarray(self.constants.id(term.name))
        return ids if self.order is None else self.order[ids]


def comparisons(conditions: Sequence[Compare], constants: Vocabulary) -> list[Condition]:
    """The conditions ready to be evaluated; constants that no fact mentions take part with their value."""
    mentioned = [t.name for c in conditions for t in (c.left, c.right) if isinstance(t, Constant)]
    if any(name not in constants for name in mentioned):
        constants = Vocabulary([*constants, *mentioned])
    ordered = any(c.operator not in ("=", "!=") for c in conditions)
    order = constants.order() if ordered else None
    return [Condition(c, constants, order if c.operator not in ("=", "!=") else None) for c in conditions]
