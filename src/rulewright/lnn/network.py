"""RuleNetwork: one operator per template node, shared by all its facts (paper, figure of the network for s_1).

The network knows the plan and no data: it evaluates any grounding of its plan, whole or a batch, of this knowledge base
or of another one with the same predicates.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rulewright.errors import OptionError
from rulewright.grounding.lineage import Grounding
from rulewright.grounding.plan import Complement, Disjoin, Join, Plan, Project, Step, Union, inputs_of
from rulewright.lnn.norms import LukasiewiczAnd, LukasiewiczOr, ProductAnd, ProductOr
from rulewright.lnn.operators import And, Attention, Mixture, Or, PredicateMixture
from rulewright.lnn.segments import picked, segment_max, segment_sum
from rulewright.lnn.tensors import LineageTensors, lineage_tensors
from rulewright.lnn.truth import Clamp, Operator
from rulewright.template.bound import OperatorChoice

DEFAULT_ALPHA = 0.95  # what the paper's Countries rules were learned with: their weights are its vertex


class RuleNetwork(nn.Module):
    """The truth of head facts as a function of the facts below them, with trainable operators.

    alpha   threshold of every LNN operator whose node names none (`@alpha`)
    clamp   how gradients pass where a truth value would leave [0, 1]; see `lnn.truth`
    seed    of the initial parameters
    """

    def __init__(self, plan: Plan, alpha: float = DEFAULT_ALPHA, clamp: Clamp = "leaky", seed: int = 0) -> None:
        super().__init__()
        self.plan = plan
        self.alpha = alpha
        generator = torch.Generator().manual_seed(seed)
        self.operators = nn.ModuleDict()
        for place, step in enumerate(plan.steps):
            operator = operator_of(step, alpha, clamp, generator)
            if operator is not None:
                self.operators[str(place)] = operator
        self.score_steps = score_steps(plan)

    def forward(self, grounding: Grounding | Sequence[LineageTensors]) -> Tensor:
        """The truth of every head fact, (n_facts,), in [0, 1] once the module is in eval mode."""
        return self.values(grounding)[-1]

    def score(self, grounding: Grounding | Sequence[LineageTensors]) -> Tensor:
        """The root's value before its clamp, (n_facts,): what ranking uses, so that values above 1 stay ordered."""
        return self.values(grounding, open_steps=self.score_steps)[-1]

    def values(
        self, grounding: Grounding | Sequence[LineageTensors], open_steps: frozenset[int] = frozenset()
    ) -> list[Tensor]:
        """The truth of every fact of every step; steps in `open_steps` are left unclamped."""
        lineage = lineage_tensors(grounding.lineage, self.device) if isinstance(grounding, Grounding) else grounding
        values: list[Tensor] = []
        for place, (step, below) in enumerate(zip(self.plan.steps, lineage, strict=True)):
            values.append(step_value(step, below, values, self.operator(place), place in open_steps))
        return values

    @torch.no_grad()
    def truths(self, grounding: Grounding) -> NDArray[np.float32]:
        """The truth of every head fact with the exact clamp, as numbers, even in the middle of training."""
        training = self.training
        self.eval()
        truths: NDArray[np.float32] = self(grounding).cpu().numpy()
        self.train(training)
        return truths

    @property
    def device(self) -> torch.device:
        return next((parameter.device for parameter in self.parameters()), torch.device("cpu"))

    def operator(self, place: int) -> Operator | None:
        """The operator of a step, None where the step has no choice to make."""
        key = str(place)
        if key not in self.operators:
            return None
        operator = self.operators[key]
        assert isinstance(operator, Operator)
        return operator

    def mixtures(self) -> dict[str, Mixture]:
        """The leaves' operators by the leaves' names."""
        found = {}
        for place, step in enumerate(self.plan.steps):
            operator = self.operator(place)
            if isinstance(step, Union) and isinstance(operator, Mixture):
                found[step.name] = operator
        return found


def operator_of(step: Step, alpha: float, clamp: Clamp, generator: torch.Generator) -> Operator | None:
    """The operator that a step's node asks for; a join of one input and a projection need none."""
    arity = len(inputs_of(step))
    match step:
        case Union(leaf):
            if leaf.operator.norm == "attention":
                return Attention(len(leaf.members), fixed=leaf.operator.fixed, generator=generator)
            return PredicateMixture(len(leaf.members), clamp=clamp, fixed=leaf.operator.fixed, generator=generator)
        case Join() if arity > 1:
            return connective(step.operator, arity, (And, ProductAnd, LukasiewiczAnd), alpha, clamp, generator)
        case Disjoin():
            return connective(step.operator, arity, (Or, ProductOr, LukasiewiczOr), alpha, clamp, generator)
        case _:
            return None


def connective(
    choice: OperatorChoice,
    arity: int,
    kinds: tuple[type[And | Or], Callable[[], Operator], Callable[[], Operator]],
    alpha: float,
    clamp: Clamp,
    generator: torch.Generator,
) -> Operator:
    """A conjunction or disjunction of the chosen norm."""
    lnn, product, lukasiewicz = kinds
    match choice.norm:
        case "lnn":
            own = alpha if choice.alpha is None else choice.alpha
            return lnn(arity, alpha=own, clamp=clamp, fixed=choice.fixed, generator=generator)
        case "product":
            return product()
        case "lukasiewicz":
            return lukasiewicz()
        case _:
            raise OptionError(f"@{choice.norm} is an operator for leaves, not for a rule")


def step_value(
    step: Step, below: LineageTensors, values: list[Tensor], operator: Operator | None, unclamped: bool
) -> Tensor:
    """The truth of a step's facts from the truth of its inputs' facts."""
    match step:
        case Union():
            assert isinstance(operator, Mixture) and below.members is not None
            assert below.truth is not None and below.offsets is not None
            weighted = picked(operator.weights, below.members, *below.readers) * below.truth
            total = segment_sum(weighted, below.offsets)
            return operator.raw_total(total) if unclamped else operator.settle(total)
        case Join():
            assert below.rows is not None
            known = zip(step.positives, below.rows, below.readers, strict=False)
            inputs = [picked(values[view.step], rows, readers) for view, rows, readers in known]
            for view, rows in zip(step.negatives, below.rows[len(step.positives) :], strict=True):
                inputs.append(1 - padded(values[view.step])[rows])
            return inputs[0] if operator is None else applied(operator, inputs, unclamped)
        case Project():
            assert below.rows is not None and below.offsets is not None
            chosen = values[step.input.step].index_select(0, below.rows)
            return chosen if below.single else segment_max(chosen, below.offsets, below.runs)
        case Disjoin():
            assert below.rows is not None and operator is not None
            inputs = [padded(values[view.step])[rows] for view, rows in zip(step.inputs, below.rows, strict=True)]
            return applied(operator, inputs, unclamped)
        case Complement():
            assert below.rows is not None
            return 1 - padded(values[step.input.step])[below.rows[0]]


def applied(operator: Operator, inputs: list[Tensor], unclamped: bool) -> Tensor:
    """The operator on its inputs, side by side in the last dimension."""
    stacked = torch.stack(inputs, dim=-1)
    result: Tensor = operator.raw(stacked) if unclamped else operator(stacked)
    return result


def padded(values: Tensor) -> Tensor:
    """Values with a spare 0 at the end, which row -1 (an absent fact) reads."""
    return torch.cat([values, values.new_zeros(1)])


def score_steps(plan: Plan) -> frozenset[int]:
    """The root and, as long as a step only drops variables or filters, the step whose values it picks."""
    place = len(plan.steps) - 1
    found = {place}
    while True:
        match plan.steps[place]:
            case Project(input=view) | Join(positives=(view,), negatives=()):
                place = view.step
                found.add(place)
            case _:
                return frozenset(found)
