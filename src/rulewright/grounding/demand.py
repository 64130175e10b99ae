"""What each step is asked for when only some head facts are wanted.

A wish goes down from the root: a step is asked for the facts that have certain values in certain columns, and asks its
inputs for the same values of the same variables. So the cost of a batch of heads is that of the joins around them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rulewright.grounding.plan import Complement, Plan, Step, Union, View, inputs_of
from rulewright.grounding.tables import Ids, Rows, find, group


@dataclass(frozen=True, eq=False)
class Demand:
    """The facts that have one of the rows in the columns; the rows are distinct."""

    columns: tuple[int, ...]
    rows: Ids

    def met_by(self, facts: Ids) -> Rows:
        """The rows of a step's facts that are asked for."""
        return np.flatnonzero(find(facts[:, list(self.columns)], self.rows) >= 0)


def demands(plan: Plan, heads: Ids | None) -> dict[int, Demand]:
    """The demand on every step that need not be grounded as a whole; none without `heads`."""
    if heads is None:
        return {}
    asked: list[list[Demand | None]] = [[] for _ in plan.steps]
    asked[-1] = [Demand(tuple(range(heads.shape[1])), group(heads)[0])]
    found = {}
    for place in reversed(range(len(plan.steps))):
        demand, step = together(asked[place]), plan.steps[place]
        if demand is not None:
            found[place] = demand
        for view in inputs_of(step):
            asked[view.step].append(None if demand is None else passed_on(demand, step, view))
    return found


def together(asked: Sequence[Demand | None]) -> Demand | None:
    """What satisfies everyone who uses a step; None (all of it) where they ask for different columns."""
    wishes = [demand for demand in asked if demand is not None]
    if len(wishes) < len(asked) or len({demand.columns for demand in wishes}) != 1:
        return None
    return Demand(wishes[0].columns, group(np.concatenate([demand.rows for demand in wishes]))[0])


def passed_on(demand: Demand, step: Step, view: View) -> Demand | None:
    """What a step that has to meet a demand asks of an input; None where nothing the input has is restricted."""
    if isinstance(step, Union) or (isinstance(step, Complement) and not step.universe):
        return None  # an inferred universe is read off all of the input's facts
    wanted = {step.variables[column]: place for place, column in enumerate(demand.columns)}
    places = {view.terms.index(variable): wanted[variable] for variable in view.variables if variable in wanted}
    if not places:
        return None
    return Demand(tuple(places), group(demand.rows[:, list(places.values())])[0])
