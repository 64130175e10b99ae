"""A plan unrolled into a tree of occurrences, each with the terms it has in the final rule.

A node that a template uses twice is one step with one operator, but two occurrences: p(X, Y), p(Y, Z).
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from rulewright.errors import OptionError
from rulewright.grounding.plan import Complement, Disjoin, Join, Plan, Project, Union, View
from rulewright.logic.rule import Comparison
from rulewright.logic.terms import Term, Variable

LARGEST_TREE = 10_000
DEEPEST_TREE = 200  # so that everything that walks down the tree may recurse


@dataclass(frozen=True)
class Occurrence:
    """A step at one place of the tree: `terms` fills its columns, `inputs` are its inputs in the step's order."""

    place: int
    terms: tuple[Term, ...]
    inputs: tuple["Occurrence", ...] = ()
    conditions: tuple[Comparison, ...] = ()


def unroll(plan: Plan) -> Occurrence:
    """The occurrence tree of the plan's root; existential variables get names of their own."""
    return Unroller(plan, plan.head.terms).occurrence(len(plan.steps) - 1, plan.head.terms)


def unroll_step(plan: Plan, place: int) -> Occurrence:
    """The occurrence tree of one step by itself, with a variable for each of its columns."""
    terms = columns_of(plan, place)
    return Unroller(plan, terms).occurrence(place, terms)


def columns_of(plan: Plan, place: int) -> tuple[Variable, ...]:
    """A variable for each column of a step."""
    step = plan.steps[place]
    if isinstance(step, Union):
        return tuple(Variable(f"X{column}") for column in range(1, step.leaf.arity + 1))
    return step.variables


class Unroller:
    """Walks down the plan and keeps count of the variables in use."""

    def __init__(self, plan: Plan, terms: tuple[Term, ...]) -> None:
        self.plan = plan
        self.taken = {term for term in terms if isinstance(term, Variable)}
        self.numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))
        self.size = self.depth = 0

    def occurrence(self, place: int, terms: tuple[Term, ...]) -> Occurrence:
        """The tree below one step whose columns are filled with these terms."""
        self.size += 1
        if self.size > LARGEST_TREE:
            raise OptionError(f"the template unrolls into more than {LARGEST_TREE:,} nodes; share fewer nodes")
        if self.depth > DEEPEST_TREE:
            raise OptionError(f"the template is more than {DEEPEST_TREE} steps deep; put clauses together")
        self.depth += 1
        found = self.tree(place, terms)
        self.depth -= 1
        return found

    def tree(self, place: int, terms: tuple[Term, ...]) -> Occurrence:
        step = self.plan.steps[place]
        match step:
            case Union():
                return Occurrence(place, terms)
            case Join():
                names = self.names(step.variables, terms)
                inputs = tuple(self.below(view, names) for view in step.inputs)
                conditions = tuple(
                    Comparison(names.get(c.left, c.left), c.operator, names.get(c.right, c.right))
                    for c in step.conditions
                )
                return Occurrence(place, terms, inputs, conditions)
            case Project():
                return Occurrence(place, terms, (self.below(step.input, self.names(step.variables, terms)),))
            case Disjoin():
                names = self.names(step.variables, terms)
                return Occurrence(place, terms, tuple(self.below(view, dict(names)) for view in step.inputs))
            case Complement():
                return Occurrence(place, terms, (self.below(step.input, self.names(step.variables, terms)),))

    def names(self, variables: tuple[Variable, ...], terms: tuple[Term, ...]) -> dict[Term, Term]:
        return dict(zip(variables, terms, strict=True))

    def below(self, view: View, names: dict[Term, Term]) -> Occurrence:
        """The input that a view reads; variables that the outside does not know are new here."""
        for variable in view.variables:
            if variable not in names:
                names[variable] = self.unused(variable)
        terms = tuple(names.get(term, term) for term in view.terms)
        return self.occurrence(view.step, terms)

    def unused(self, wish: Variable) -> Variable:
        """The variable under its own name if that is free, else with a number."""
        name = wish
        while name in self.taken:
            name = Variable(f"{wish.name}{next(self.numbers[wish.name])}")
        self.taken.add(name)
        return name
