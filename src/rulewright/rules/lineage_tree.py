"""From a head fact down its lineage to the knowledge base: every value that the network computes on the way, as a tree.

Where variables are dropped the best assignment counts: some of those that reach the value are followed, all counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.grounding.lineage import Aligned, Grounding, Groups, Memberships
from rulewright.grounding.plan import Complement, Disjoin, Join, Project, Union, View
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.terms import Atom, Constant, Term
from rulewright.rules.arithmetic import raw_value
from rulewright.rules.changed_facts import looked_up
from rulewright.rules.explanation import Input, Step, StepKind
from rulewright.rules.weighing import Values, Weighing

MOST_STEPS = 2_000  # past that only one of several best assignments is followed


@dataclass
class LineageTree:
    """The values of one grounding, and the trees below its facts.

    `weighings` are the trained figures by step, see `rules.weighing`; `values` are those of all facts by step.
    `leaves` collects the leaf facts met on the way, by label: the step of the plan, and the fact's constants.
    """

    weighings: Mapping[int, Weighing]
    values: Values
    kb: KnowledgeBase
    grounding: Grounding
    witnesses: int = 1
    size: int = 0
    leaves: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    def step(self, place: int, row: int) -> Step:
        """The tree below one fact of one step."""
        self.size += 1
        planned, lineage = self.grounding.plan.steps[place], self.grounding.lineage[place]
        names = self.kb.decode(self.grounding.facts[place][row : row + 1])[0]
        label, value = str(Atom(planned.name, tuple(map(Constant, names)))), self.values[place][row]
        match planned, lineage:
            case Union(), Memberships():
                return self.leaf(planned, lineage, place, row, label, names, value)
            case Project(_, view), Groups():
                ways = lineage.rows[lineage.offsets[row] : lineage.offsets[row + 1]].tolist()
                return self.best(view, ways, label, value)
            case ((Join() | Disjoin()), Aligned(rows)):
                assignment: dict[Term, Term] = dict(zip(planned.variables, map(Constant, names), strict=True))
                below = [
                    self.input(view, at, assignment)
                    for view, at in zip(planned.inputs, rows[:, row].tolist(), strict=True)
                ]
                if isinstance(planned, Disjoin):
                    return self.connective("or", place, below, label, value, planned.operator.norm)
                count = len(planned.positives)
                below = [*below[:count], *map(negation, below[count:])]
                return self.connective("and", place, below, label, value, planned.operator.norm)
            case Complement(_, view), Aligned(rows):
                assignment = dict(zip(planned.variables, map(Constant, names), strict=True))
                return negation(self.input(view, int(rows[0, row]), assignment))
        raise AssertionError(f"{type(planned).__name__} with {type(lineage).__name__}")

    def input(self, view: View, row: int, assignment: dict[Term, Term]) -> Step:
        """What a view reads: a fact of its step, or 0 where there is none."""
        if row >= 0:
            return self.step(view.step, row)
        terms = tuple(assignment.get(term, term) for term in view.terms)
        planned = self.grounding.plan.steps[view.step]
        label = str(Atom(planned.name, terms))
        if isinstance(planned, Union):
            self.leaves[label] = (view.step, tuple(term.name for term in terms))
        return Step("absent", label, 0.0, 0.0)

    def leaf(
        self,
        planned: Union,
        lineage: Memberships,
        place: int,
        row: int,
        label: str,
        names: tuple[str, ...],
        value: float,
    ) -> Step:
        """A mixture of predicates: those that hold of these constants."""
        self.leaves[label] = (place, names)
        weighing = self.weighings[place]
        run = slice(int(lineage.offsets[row]), int(lineage.offsets[row + 1]))
        inputs = []
        for member, truth in zip(lineage.members[run].tolist(), lineage.truth[run].tolist(), strict=True):
            chosen = planned.leaf.members[member]
            fact = looked_up(self.kb, chosen.predicate, names)
            written = f"not {fact.atom}" if chosen.negated else str(fact.atom)
            inputs.append(
                Input(weighing.weights[member], Step("fact", written, truth, truth, fact=fact, negated=chosen.negated))
            )
        kind: StepKind = "attention" if weighing.bias is None else "pred"
        return finished(Step(kind, label, value, 0.0, weighing.bias, tuple(inputs)))

    def best(self, view: View, rows: Sequence[int], label: str, value: float) -> Step:
        """The assignments that reach the value."""
        values = self.values[view.step]
        tied = [row for row in rows if values[row] == value]
        follow = self.witnesses if self.size < MOST_STEPS else 1
        inputs = tuple(Input(None, self.step(view.step, row)) for row in tied[:follow])
        return finished(Step("exists", label, value, 0.0, None, inputs, ways=len(rows), tied=len(tied)))

    def connective(
        self, kind: StepKind, place: int, below: Sequence[Step], label: str, value: float, norm: str
    ) -> Step:
        """A conjunction or disjunction with its weights, where it has some."""
        weighing = self.weighings.get(place, Weighing())
        if kind == "and" and len(below) == 1 and not weighing.weights:
            return finished(Step("same", label, value, 0.0, None, tuple(Input(None, step) for step in below)))
        weights = weighing.weights or [None] * len(below)
        inputs = tuple(Input(weight, step) for weight, step in zip(weights, below, strict=True))
        return finished(Step(kind, label, value, 0.0, weighing.bias, inputs, norm))


def negation(step: Step) -> Step:
    """1 less the step."""
    value = 1 - step.value
    return Step("not", f"not {step.label}", value, value, None, (Input(None, step),))


def finished(step: Step) -> Step:
    """The step with its value before the clamp, worked out from its inputs."""
    return replace(step, raw=raw_value(step))
