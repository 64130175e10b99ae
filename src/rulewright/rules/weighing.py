"""What every step of a plan weighs its inputs with, and the values that follow: a network without torch.

A stored program holds the trained weights in its tree, which is all that it takes to compute again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.grounding.lineage import Aligned, Grounding, Groups, Lineage, Memberships
from rulewright.grounding.plan import Complement, Disjoin, Join, Plan, Project, Union, inputs_of
from rulewright.grounding.plan import Step as Planned
from rulewright.logic.node import Node
from rulewright.rules.arithmetic import raw_value
from rulewright.rules.explanation import Input, Step, StepKind

Values = list[list[float]]  # by step, then by fact


@dataclass(frozen=True)
class Weighing:
    """The trained figures of one step: no weights where it has none, no bias where its operator has none."""

    weights: tuple[float, ...] = ()
    bias: float | None = None


def weighings(plan: Plan, tree: Node) -> dict[int, Weighing]:
    """The figures of every step out of the tree that its network was stored as."""
    found: dict[int, Weighing] = {}

    def visit(place: int, node: Node) -> None:
        step = plan.steps[place]
        found[place] = Weighing(tuple(edge.weight for edge in node.inputs if edge.weight is not None), node.bias)
        for number, (view, edge) in enumerate(zip(inputs_of(step), node.inputs, strict=not isinstance(step, Union))):
            negated = isinstance(step, Join) and number >= len(step.positives)
            visit(view.step, edge.node.inputs[0].node if negated else edge.node)

    visit(len(plan.steps) - 1, tree)
    return found


def values_of(found: Mapping[int, Weighing], grounding: Grounding) -> Values:
    """The values of all facts of a grounding, a small one: the loops are Python's."""
    values: Values = []
    for place, (planned, lineage) in enumerate(zip(grounding.plan.steps, grounding.lineage, strict=True)):
        weighing = found.get(place, Weighing())
        values.append([value_of(planned, lineage, row, weighing, values) for row in range(len(lineage))])
    return values


def value_of(planned: Planned, lineage: Lineage, row: int, weighing: Weighing, values: Values) -> float:
    """The value of one fact from those of the steps before."""
    match planned, lineage:
        case Union(), Memberships():
            run = slice(int(lineage.offsets[row]), int(lineage.offsets[row + 1]))
            weights = [weighing.weights[member] for member in lineage.members[run].tolist()]
            return combined("pred", lineage.truth[run].tolist(), weights, weighing.bias)
        case Project(_, view), Groups():
            rows: list[int] = lineage.rows[lineage.offsets[row] : lineage.offsets[row + 1]].tolist()
            return max(values[view.step][at] for at in rows)
        case ((Join() | Disjoin() | Complement()), Aligned(aligned)):
            views = inputs_of(planned)
            below = [
                values[view.step][at] if at >= 0 else 0.0
                for view, at in zip(views, aligned[:, row].tolist(), strict=True)
            ]
            if isinstance(planned, Complement):
                return 1 - below[0]
            if isinstance(planned, Disjoin):
                return combined("or", below, weighing.weights, weighing.bias, planned.operator.norm)
            count = len(planned.positives)
            below = [*below[:count], *(1 - value for value in below[count:])]
            return combined("and", below, weighing.weights, weighing.bias, planned.operator.norm)
    raise AssertionError(f"{type(planned).__name__} with {type(lineage).__name__}")


def combined(
    kind: StepKind, values: Sequence[float], weights: Sequence[float], bias: float | None, norm: str = "lnn"
) -> float:
    """An operator's value, by the formula that explanations state."""
    if kind == "and" and len(values) == 1 and not weights:
        return values[0]  # a join of one input has no operator
    given: Sequence[float | None] = weights or [None] * len(values)
    inputs = tuple(Input(w, Step("same", "", v, v)) for w, v in zip(given, values, strict=True))
    return min(1.0, max(0.0, raw_value(Step(kind, "", 0.0, 0.0, bias, inputs, norm))))
