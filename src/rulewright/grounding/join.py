"""A conjunction's facts: its inputs joined one after the other, smallest growth first.

Every join is counted before it is made, so a limit is met with an error and not with a full memory.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rulewright.grounding.demand import Demand
from rulewright.grounding.plan import Join
from rulewright.grounding.tables import Ids, Matches, Rows
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.terms import Constant, Term, Variable
from rulewright.template.syntax import Compare


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
    check: Callable[[str, int], None],
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
    while left:
        options = [(partial.matches(inputs[at]), at) for at in partial.connected(inputs, left)]
        matches, at = min(options, key=lambda option: option[0].total)
        check(f"joining {inputs[at].name} into {step.name}", matches.total)
        partial.extend(inputs[at], at, matches)
        left.remove(at)
    return partial.table.T, partial.rows


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
