"""A conjunction's facts: its inputs joined one after the other, smallest growth first.

Every join is counted before it is made, so a limit is met with an error and not with a full memory.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rulewright.grounding.plan import Join
from rulewright.grounding.tables import Ids, Matches, Rows, match
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.terms import Constant, Term, Variable
from rulewright.template.syntax import Compare


class Source(Protocol):
    """What a join reads of an input."""

    @property
    def variables(self) -> tuple[Variable, ...]: ...

    @property
    def facts(self) -> Ids: ...


def join(
    step: Join,
    inputs: Sequence[Source],
    constants: Vocabulary,
    check: Callable[[str, int], None],
    heads: Ids | None = None,
) -> tuple[Ids, list[Rows]]:
    """The join's facts over `step.variables`, and for each input the row behind each fact.

    `heads` are wanted values of the leading variables: the join starts from them, so its cost is theirs.
    """
    partial = Partial(len(inputs), comparisons(step.conditions, constants))
    if heads is not None:
        partial.start(step.variables[: heads.shape[1]], heads)
    left = list(range(len(inputs)))
    while left:
        options = [(partial.matches(inputs[at]), at) for at in partial.connected(inputs, left)]
        matches, at = min(options, key=lambda option: option[0].total)
        check(f"{step.name} with input {at + 1} of {len(inputs)}", matches.total)
        partial.extend(inputs[at], at, matches)
        left.remove(at)
    facts = np.stack([partial.columns[v] for v in step.variables], axis=1)
    return facts, partial.rows


class Partial:
    """The join so far: one column per variable, one array of rows per input."""

    def __init__(self, inputs: int, conditions: list["Condition"]) -> None:
        self.columns: dict[Variable, Ids] = {}
        self.rows: list[Rows] = [np.empty(0, dtype=np.int64)] * inputs
        self.joined: list[int] = []
        self.conditions = conditions
        self.size = 1  # the empty conjunction holds once

    def start(self, variables: tuple[Variable, ...], heads: Ids) -> None:
        self.columns = {variable: heads[:, place] for place, variable in enumerate(variables)}
        self.size = len(heads)

    def connected(self, inputs: Sequence[Source], left: list[int]) -> list[int]:
        """The inputs that share a variable with the join so far; all of them when none does."""
        sharing = [at for at in left if any(v in self.columns for v in inputs[at].variables)]
        if sharing or self.columns:
            return sharing or left
        return [min(left, key=lambda at: len(inputs[at].facts))]

    def matches(self, source: Source) -> Matches:
        shared = [v for v in source.variables if v in self.columns]
        mine = np.empty((self.size, len(shared)), dtype=np.int64)
        for place, variable in enumerate(shared):
            mine[:, place] = self.columns[variable]
        return match(mine, source.facts[:, [source.variables.index(v) for v in shared]])

    def extend(self, source: Source, at: int, matches: Matches) -> None:
        mine, theirs = matches.pairs()
        new = {v: source.facts[theirs, c] for c, v in enumerate(source.variables) if v not in self.columns}
        columns = {v: column[mine] for v, column in self.columns.items()} | new
        ready = [c for c in self.conditions if c.variables <= columns.keys()]
        self.conditions = [c for c in self.conditions if c not in ready]
        keep = np.ones(len(mine), dtype=bool)
        for condition in ready:
            keep &= condition.holds(columns)
        if not keep.all():
            mine, theirs = mine[keep], theirs[keep]
            columns = {v: column[keep] for v, column in columns.items()}
        for earlier in self.joined:
            self.rows[earlier] = self.rows[earlier][mine]
        self.rows[at] = theirs
        self.joined.append(at)
        self.columns, self.size = columns, len(mine)


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
