"""Predicates of a program's own: what a negation denies, and the universe over which it is asked.

Rules have no place for "the value of R is below 0.8" or "X is one of the constants that Q considers". Each becomes a
predicate with rules of its own, here called an auxiliary; where the rules are plain enough, its negation is written out
in place: not 'Q reaches 1'(Y), with the one rule 'Q reaches 1'(Y) :- busy(Y), is just not busy(Y).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from rulewright.grounding.plan import Complement, Plan, Union
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Term, Variable
from rulewright.rules.alternatives import Alternative, Body, distinct_values, smallest, substituted, written
from rulewright.rules.occurrences import Occurrence, columns_of

MOST_LEVELS = 12  # of one negated node
WRITTEN_OUT = 4  # a negated auxiliary is written out where that makes at most so many bodies


@dataclass(frozen=True)
class Auxiliary:
    """A predicate defined by bodies over its head; `place` and `level` are set for "step reaches level"."""

    head: Atom
    bodies: tuple[Body, ...]
    place: int = -1
    level: float = 0.0

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(Rule(self.head, written(body, self.head)) for body in self.bodies)


class Auxiliaries:
    """The auxiliaries of one program, made when they are first asked for."""

    def __init__(self, plan: Plan, read: Callable[[int], Sequence[Alternative]]) -> None:
        self.plan, self.read = plan, read  # read(place): all alternatives of a step by itself
        self.known: dict[str, Auxiliary] = {}
        self.of_step: dict[int, tuple[list[float], list[Auxiliary]]] = {}
        self.cut = False

    def denials(self, at: Occurrence) -> list[Alternative]:
        """What can be said against an occurrence: that it stays below a level, for each level that it can reach.

        A body denies its level and all higher ones, so that a weaker denial is a subset of a stronger one.
        """
        values, reached = self.reaching(at.place)
        denied = [Literal(Atom(auxiliary.head.predicate, at.terms), negated=True) for auxiliary in reached]
        return [Alternative(1 - value, frozenset(denied[number:])) for number, value in enumerate(values)]

    def reaching(self, place: int) -> tuple[list[float], list[Auxiliary]]:
        """The values that a step can have, lowest (0: it is absent) first, and an auxiliary for each but the first."""
        if place not in self.of_step:
            found = [a for a in self.read(place) if a.value > 0]
            values = [0.0, *distinct_values(found)]
            if len(values) > MOST_LEVELS + 1:
                self.cut = True
                values = values[-MOST_LEVELS - 1 :]  # the first, which is denied by nothing, stands for all below it
            name = self.plan.steps[place].name
            names = [f"{name} holds"] if len(values) == 2 else [f"{name} reaches {value:.6g}" for value in values[1:]]
            levels = zip(names, pairwise(values), strict=True)
            self.of_step[place] = values, [self.level(place, name, found, *pair) for name, pair in levels]
        return self.of_step[place]

    def level(self, place: int, name: str, found: Sequence[Alternative], below: float, value: float) -> Auxiliary:
        """The auxiliary that says: this step reaches this value, the next one after `below`."""
        head = Atom(name, columns_of(self.plan, place))
        enough = smallest([a for a in found if a.value > below], by_value=False)
        bodies = smallest((Alternative(1.0, body) for a in enough for body in self.spelt(a.body)), by_value=False)
        return self.added(Auxiliary(head, tuple(a.body for a in bodies), place, value))

    def universe(self, at: Occurrence) -> list[Literal]:
        """What says that an occurrence's terms are among the assignments over which its negation is asked.

        Empty where that cannot be said: the inferred universe of a sub-formula is what its own grounding holds.
        """
        step = self.plan.steps[at.place]
        assert isinstance(step, Union | Complement)
        declared = step.leaf.universe if isinstance(step, Union) else step.universe
        if len(declared) == 1:
            return [Literal(Atom(declared[0], at.terms))]
        if declared:
            head = Atom(f"{step.name} considers", columns_of(self.plan, at.place))
            bodies = tuple(frozenset([Literal(Atom(name, head.terms))]) for name in declared)
            return [Literal(Atom(self.added(Auxiliary(head, bodies)).head.predicate, at.terms))]
        leaf = step if isinstance(step, Union) else self.plan.steps[step.input.step]
        if not isinstance(leaf, Union) or (isinstance(step, Complement) and step.input.terms != step.variables):
            return []
        return [self.argument(leaf, column, term) for column, term in enumerate(at.terms)]

    def argument(self, leaf: Union, column: int, term: Term) -> Literal:
        """What says that a term is among the constants that a leaf's predicates have in one column."""
        terms = tuple(Variable(f"X{number}") for number in range(1, leaf.leaf.arity + 1))
        place = f" as argument {column + 1}" if leaf.leaf.arity > 1 else ""
        names = dict.fromkeys(member.predicate for member in leaf.leaf.members)
        bodies = tuple(frozenset([Literal(Atom(name, terms))]) for name in names)
        auxiliary = self.added(Auxiliary(Atom(f"{leaf.name} considers{place}", (terms[column],)), bodies))
        return Literal(Atom(auxiliary.head.predicate, (term,)))

    def added(self, auxiliary: Auxiliary) -> Auxiliary:
        """The auxiliary, from now on known by its name, or by that and a number if another one has the name."""
        name, number = auxiliary.head.predicate, 2
        while self.known.setdefault(auxiliary.head.predicate, auxiliary) != auxiliary:
            auxiliary = replace(auxiliary, head=Atom(f"{name}, {number}", auxiliary.head.terms))
            number += 1
        return auxiliary

    def spelt(self, body: Body) -> list[Body]:
        """The bodies that say the same with as few auxiliaries as possible."""
        kept: list[Literal] = []
        choices: list[list[Body]] = []
        for part in body:
            auxiliary = self.known.get(part.atom.predicate) if isinstance(part, Literal) else None
            if auxiliary is None or not isinstance(part, Literal):
                choices.append([frozenset([part])])
            elif part.negated:
                if not self.follows(part, auxiliary, body):
                    choices.append(denied(part, auxiliary, self.known) or [frozenset([part])])
            else:
                kept.append(part)
        spelt = [Body().union(*choice) for choice in product(*choices)]
        return [
            one.union(part for part in kept if not implied(part, self.known[part.atom.predicate], one)) for one in spelt
        ]

    def follows(self, part: Literal, auxiliary: Auxiliary, body: Body) -> bool:
        """Whether the body also denies a lower level of the same step at the same terms, which says more."""
        for other in body:
            if isinstance(other, Literal) and other.negated and other.atom.terms == part.atom.terms:
                lower = self.known.get(other.atom.predicate)
                if lower is not None and lower.place == auxiliary.place and lower.level < auxiliary.level:
                    return True
        return False

    def used_by(self, bodies: Sequence[Body]) -> tuple[Rule, ...]:
        """The rules of every auxiliary that these bodies use, be it through another one."""
        found: dict[str, Auxiliary] = {}
        waiting = list(bodies)
        while waiting:
            for name in auxiliary_names(waiting.pop(0), self.known):
                if name not in found:
                    found[name] = self.known[name]
                    waiting += self.known[name].bodies
        return tuple(rule for auxiliary in found.values() for rule in auxiliary.rules)


def denied(part: Literal, auxiliary: Auxiliary, known: dict[str, Auxiliary]) -> list[Body]:
    """The bodies that deny each of an auxiliary's bodies by some atom; none where that cannot be written out."""
    names = dict(zip(auxiliary.head.variables, part.atom.terms, strict=True))
    choices: list[list[Literal]] = []
    count = 1
    for body in auxiliary.bodies:
        atoms = [p for p in body if isinstance(p, Literal) and not p.negated and p.atom.predicate not in known]
        inside = all(variable in names for p in body for variable in p.variables)
        count *= len(body)
        if len(atoms) < len(body) or not inside or count > WRITTEN_OUT:
            return []
        choices.append([Literal(p.atom, negated=True) for p in atoms])
    return [substituted(choice, names) for choice in product(*choices)]


def implied(part: Literal, auxiliary: Auxiliary, body: Body) -> bool:
    """Whether an atom of the body alone makes one of the auxiliary's bodies hold."""
    given = dict(zip(auxiliary.head.variables, part.atom.terms, strict=True))
    for condition in auxiliary.bodies:
        (needed,) = condition  # universes are defined atom by atom
        assert isinstance(needed, Literal)
        for other in body:
            if isinstance(other, Literal) and not other.negated and other.atom.predicate == needed.atom.predicate:
                pairs = zip(needed.atom.terms, other.atom.terms, strict=True)
                if all(isinstance(term, Variable) and given.get(term, found) == found for term, found in pairs):
                    return True
    return False


def auxiliary_names(body: Body, known: dict[str, Auxiliary]) -> Iterator[str]:
    """The auxiliaries that a body uses, in reading order."""
    for part in written(body):
        if isinstance(part, Literal) and part.atom.predicate in known:
            yield part.atom.predicate
