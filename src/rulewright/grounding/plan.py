"""A bound template as relational steps, children first (paper, section Learning First-Order LNNs).

    Union       a leaf: the facts of every predicate in its domain                  F(V) = union of F(P)
    Join        a conjunction: agreeing facts of its inputs, filtered by conditions  I(X)
    Project     the head of a conjunction: variables dropped, facts grouped          V(Y), maxout
    Disjoin     a disjunction: the facts of every input, aligned
    Complement  a negation that generates its own assignments over a universe

The running example S(X, Z) :- R(X, Z) ; O(X, Z).  R(X, Z) :- P(X, Y), Q(Y, Z). becomes

    P = Union    Q = Union    O = Union    PQ = Join(P, Q)    R = Project(PQ)    S = Disjoin(R, O)
"""

from collections import Counter
from dataclasses import dataclass, replace

from rulewright.logic.terms import Atom, Term, Variable
from rulewright.template.bound import BoundLeaf, BoundRule, BoundTemplate, OperatorChoice
from rulewright.template.syntax import And, Compare, Formula, Not, Or, Use, variables_of


@dataclass(frozen=True)
class View:
    """An earlier step as one formula sees it: its columns named by variables or fixed to constants."""

    step: int
    terms: tuple[Term, ...]

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(t for t in self.terms if isinstance(t, Variable)))


@dataclass(frozen=True)
class Union:
    """A leaf's facts: those of its members, and its universe where a member is negated."""

    leaf: BoundLeaf

    @property
    def name(self) -> str:
        return self.leaf.name


@dataclass(frozen=True)
class Join:
    """Inputs that agree on shared variables and meet the conditions.

    Every variable of a negated input is bound by a positive one, so negation needs no universe here: a negated fact
    that is absent counts as false, and its negation as true.
    """

    name: str
    positives: tuple[View, ...]
    negatives: tuple[View, ...]
    conditions: tuple[Compare, ...]
    variables: tuple[Variable, ...]
    operator: OperatorChoice

    @property
    def inputs(self) -> tuple[View, ...]:
        return self.positives + self.negatives


@dataclass(frozen=True)
class Project:
    """An input reduced to some of its variables; facts that become equal are grouped."""

    name: str
    input: View
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Disjoin:
    """The facts of all inputs, each of which has exactly these variables."""

    name: str
    inputs: tuple[View, ...]
    variables: tuple[Variable, ...]
    operator: OperatorChoice


@dataclass(frozen=True)
class Complement:
    """The negation of an input at every assignment of a universe (predicate names; empty: inferred)."""

    name: str
    input: View
    universe: tuple[str, ...]
    variables: tuple[Variable, ...]


Step = Union | Join | Project | Disjoin | Complement


@dataclass(frozen=True)
class Plan:
    """The steps, children first; the last one holds the facts of the template's root."""

    steps: tuple[Step, ...]
    head: Atom

    def __str__(self) -> str:
        return "\n".join(f"{place}: {described(step)}" for place, step in enumerate(self.steps))


def plan(template: BoundTemplate) -> Plan:
    """The relational plan of a bound template."""
    planner = Planner()
    for node in template.nodes:
        planner.add_node(node)
    root = template.root
    return Plan(tuple(planner.steps), Atom(root.name, root.head))


def inputs_of(step: Step) -> tuple[View, ...]:
    """The views a step reads."""
    match step:
        case Union():
            return ()
        case Join() | Disjoin():
            return step.inputs
        case Project() | Complement():
            return (step.input,)


class Planner:
    """Collects steps while walking the nodes; `places` tells where each node's facts are."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.places: dict[str, int] = {}

    def add_node(self, node: BoundLeaf | BoundRule) -> None:
        if isinstance(node, BoundLeaf):
            self.places[node.name] = self.add(Union(node))
        else:
            view = self.view(node.body, node.name, node.operator, node.head)
            self.places[node.name] = self.shaped(view, node.name, node.head).step

    def add(self, step: Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1

    def view(self, formula: Formula, name: str, operator: OperatorChoice, head: tuple[Variable, ...]) -> View:
        """The facts of a formula. `head` lists the variables that the outside needs; others may still be there."""
        match formula:
            case Use(atom):
                return View(self.places[atom.predicate], atom.terms)
            case And(children):
                return self.conjunction(children, name, operator, head)
            case Or(children):
                return self.disjunction(children, name, operator, head)
            case Not(child, universe):
                inner = self.view(child, name, operator, variables_of(child))
                names = tuple(pattern.name for pattern in universe)
                return self.whole(Complement(f"not {name}", inner, names, inner.variables))
            case Compare():
                return self.conjunction((formula,), name, operator, head)

    def conjunction(
        self, children: tuple[Formula, ...], name: str, operator: OperatorChoice, head: tuple[Variable, ...]
    ) -> View:
        conditions = tuple(child for child in children if isinstance(child, Compare))
        others = [child for child in children if not isinstance(child, Compare)]
        bound = {v for child in others if not isinstance(child, Not) for v in variables_of(child)}
        uses = Counter(v for child in children for v in variables_of(child))
        positives, negatives = [], []
        for place, child in enumerate(others):
            label, own = f"{name}.{place + 1}", variables_of(child)
            if isinstance(child, Not) and not child.universe and bound.issuperset(own):
                negatives.append(self.view(child.child, label, operator, own))
            else:
                needed = tuple(v for v in own if uses[v] > 1 or v in head)
                positives.append(self.view(child, label, operator, needed))
        inside = tuple(dict.fromkeys(v for view in positives for v in view.variables))
        if len(positives) == 1 and not negatives and not conditions:
            return positives[0]
        variables = (*(v for v in head if v in inside), *(v for v in inside if v not in head))
        join = Join(f"body of {name}", tuple(positives), tuple(negatives), conditions, variables, operator)
        return self.whole(join)

    def disjunction(
        self, children: tuple[Formula, ...], name: str, operator: OperatorChoice, head: tuple[Variable, ...]
    ) -> View:
        views = []
        for place, child in enumerate(children):
            view = self.view(child, f"{name}.{place + 1}", operator, head)
            exact = set(view.variables) == set(head)
            views.append(view if exact else self.whole(Project(f"{name}.{place + 1}", view, head)))
        return self.whole(Disjoin(name, tuple(views), head, operator))

    def shaped(self, view: View, name: str, head: tuple[Variable, ...]) -> View:
        """The view itself when its step was made for this head alone, else a projection to the head's variables."""
        step = self.steps[view.step]
        if view.terms == head and not isinstance(step, Union) and view.step not in self.places.values():
            self.steps[view.step] = replace(step, name=name)  # it turned out to be the whole of the node
            return view
        return self.whole(Project(name, view, head))

    def whole(self, step: Join | Project | Disjoin | Complement) -> View:
        return View(self.add(step), step.variables)


def described(step: Step) -> str:
    """One line about a step, for people."""
    match step:
        case Union(leaf):
            return f"{leaf.name} = union of {', '.join(map(str, leaf.members))}"
        case Join():
            parts = [seen(v) for v in step.positives] + ["not " + seen(v) for v in step.negatives]
            return f"{step.name} = join of {', '.join([*parts, *map(str, step.conditions)])}"
        case Project():
            return f"{step.name} = {seen(step.input)} projected to {', '.join(map(str, step.variables))}"
        case Disjoin():
            return f"{step.name} = any of {', '.join(map(seen, step.inputs))}"
        case Complement():
            over = f" over {', '.join(step.universe)}" if step.universe else ""
            return f"{step.name} = complement of {seen(step.input)}{over}"


def seen(view: View) -> str:
    """A view as text: its step's place and its terms."""
    return f"#{view.step}({', '.join(map(str, view.terms))})"
