"""Random small problems: a knowledge base, and a template over it that may say anything the language can say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeVar

from hypothesis import assume
from hypothesis import strategies as st
from tests.grounding.oracle import Fact, Table, uses, variables

from rulewright.errors import TemplateBindingError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.template.binding import bind
from rulewright.template.bound import BoundRule, BoundTemplate
from rulewright.template.parser import parse_template
from rulewright.template.syntax import And, Clause, Compare, Domain, Formula, Not, Option, Or, Pattern, Template, Use

T = TypeVar("T")

POOL = [Variable(name) for name in "XYZW"]
CONSTANTS = ["ann", "bob", "2", "10", "2.0"]  # 10 < 2 by spelling; 2 and 2.0 are two individuals of one value
TRUTHS = [1.0, 0.0, 0.125, 0.5, 0.75]
RULE_OPTIONS = [(), (), (Option("alpha", 0.99),), (Option("product"),), (Option("lukasiewicz"),)]
LEAF_OPTIONS = [(), (), (Option("attention"),)]
MOST_ASSIGNMENTS = 1300  # for the oracle's sake


@dataclass(frozen=True)
class Problem:
    """Facts with truths by predicate, and the text of a template with the root S."""

    facts: Mapping[str, Table]
    text: str

    @cached_property
    def kb(self) -> KnowledgeBase:
        return KnowledgeBase.of(self.facts, {name: list(table.values()) for name, table in self.facts.items()})

    @cached_property
    def template(self) -> BoundTemplate:
        return bind(parse_template(self.text), self.kb, root="S")


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Facts and a template that fits them."""
    choose = Choices(draw)
    facts = fact_tables(choose)
    names = sorted({constant for table in facts.values() for fact in table for constant in fact})
    predicates = {name: len(next(iter(table))) for name, table in facts.items()}
    predicates |= {f"{name}^-1": 2 for name, arity in predicates.items() if arity == 2}
    domains = [domain_of(choose, name, predicates) for name in ["P", "Q", "V"][: choose.upto(3)]]
    arities = predicates | {domain.name: arity for arity, domain in domains}
    clauses: list[Clause] = []
    for name in [*choose.one([[], ["R"], ["R", "T"]]), "S"]:
        arity = 1 + choose.upto(1)
        options = choose.one(RULE_OPTIONS)
        for _ in range(choose.one([1, 1, 2])):
            head = choose.shuffled(POOL)[:arity]
            body = Writer(choose, arities, predicates, names).formula(head, depth=2)
            clauses.append(Clause(Atom(name, tuple(head)), body, options))
        arities = arities | {name: arity}
    problem = Problem(facts, str(reached(clauses, [domain for _, domain in domains])))
    try:
        rules = [node for node in problem.template.nodes if isinstance(node, BoundRule)]
    except TemplateBindingError:
        assume(False)
    assume(all(len(names) ** len(variables(rule.body)) <= MOST_ASSIGNMENTS for rule in rules))
    return problem


class Choices:
    """Few kinds of draws, of integers alone, which hypothesis makes fastest and shrinks best: towards the first."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def upto(self, most: int) -> int:
        return self.draw(numbers(most))

    def one(self, options: Sequence[T]) -> T:
        return options[self.upto(len(options) - 1)]

    def chance(self, one_in: int) -> bool:
        return self.upto(one_in - 1) == one_in - 1

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Some of the options, each at most once."""
        most = min(most, len(options))
        return self.shuffled(options)[: least + self.upto(most - least)] if most else []

    def shuffled(self, items: Sequence[T]) -> list[T]:
        left = list(items)
        return [left.pop(self.upto(len(left) - 1)) for _ in items]


@cache
def numbers(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)


def fact_tables(choose: Choices) -> dict[str, dict[Fact, float]]:
    names = choose.some(CONSTANTS, 2, 4)
    truths = choose.one([TRUTHS[:1], TRUTHS])
    tables: dict[str, dict[Fact, float]] = {}
    for number in range(1 + choose.upto(3)):
        arity = choose.one([2, 1, 2, 3, 1])
        rows = [tuple(choose.one(names) for _ in range(arity)) for _ in range(1 + choose.upto(5))]
        tables[f"r{number}"] = {row: choose.one(truths) for row in rows}
    return tables


def domain_of(choose: Choices, name: str, predicates: Mapping[str, int]) -> tuple[int, Domain]:
    """A domain and its arity."""
    arity = choose.one(sorted(set(predicates.values())))
    fitting = [predicate for predicate, number in predicates.items() if number == arity]
    members = tuple(Pattern(predicate, negated=choose.chance(4)) for predicate in choose.some(fitting, 1, 3))
    universe: tuple[Pattern, ...] = ()
    if any(member.negated for member in members):
        universe = tuple(map(Pattern, choose.some(fitting, 0, 2)))
    return arity, Domain(name, members, (), universe, choose.one(LEAF_OPTIONS))


class Writer:
    """Writes formulas over names with arities; `predicates` are those of them that a universe can be made of."""

    def __init__(
        self, choose: Choices, arities: Mapping[str, int], predicates: Mapping[str, int], constants: Sequence[str]
    ) -> None:
        self.choose, self.arities, self.predicates, self.constants = choose, arities, predicates, constants

    def formula(self, needed: list[Variable], depth: int) -> Formula:
        """A formula that brings values for all needed variables, and perhaps for more."""
        kind = self.choose.one(["and", "and", "and", "or", "not"]) if depth else "and"
        if kind == "or":
            return Or(tuple(self.formula(needed, depth - 1) for _ in range(2 + self.choose.upto(1))))
        if kind == "not" and needed:
            return self.negation(needed, depth)
        return self.conjunction(needed, depth)

    def conjunction(self, needed: list[Variable], depth: int) -> Formula:
        others = [variable for variable in POOL if variable not in needed]
        local = self.choose.shuffled(others)[: self.choose.one([1, 0, 1, 2])]
        found: list[Formula] = []
        missing = needed
        while missing or not found:
            if depth and missing and self.choose.chance(6):
                found.append(self.formula([self.choose.one(missing)], depth - 1))
            elif missing and self.choose.chance(8):
                found.append(self.negation([self.choose.one(missing)], depth))
            else:
                found.append(self.atom(missing[:1], [*local, *local, *needed]))
            missing = [variable for variable in missing if variable not in variables(found[-1])]
        seen = list(dict.fromkeys(variable for part in found for variable in variables(part)))
        found += [self.extra(seen, depth) for _ in range(self.choose.upto(2))]
        return And(tuple(self.choose.shuffled(found))) if len(found) > 1 else found[0]

    def extra(self, seen: list[Variable], depth: int) -> Formula:
        """One more part for a conjunction that binds the variables seen."""
        kind = self.choose.one(["atom", "compare", "not", "group"])
        few = self.choose.some(seen, 1, 2)
        if kind == "compare":
            return Compare(self.term(seen), self.choose.one(Compare.OPERATORS), self.term(seen))
        if kind == "not" and few:
            return self.negation(few, depth)
        if kind == "group" and depth:
            return self.formula(few, depth - 1)
        return self.atom([], seen)

    def negation(self, needed: list[Variable], depth: int) -> Formula:
        """The negation of a formula with exactly the needed variables, perhaps over a declared universe."""
        child = self.exactly(needed, depth)
        fitting = [name for name, arity in self.predicates.items() if arity == len(variables(child))]
        return Not(child, tuple(map(Pattern, self.choose.some(fitting, 0, 2))))

    def exactly(self, needed: list[Variable], depth: int) -> Formula:
        kind = self.choose.one(["atom", "atom", "atom", "and", "or", "not"]) if depth else "atom"
        if kind == "and":
            extra = self.atom(needed[:1], needed)
            return And((self.exactly(needed, depth - 1), Not(extra) if self.choose.chance(2) else extra))
        if kind == "or":
            return Or((self.exactly(needed, depth - 1), self.exactly(needed, depth - 1)))
        return self.negation(needed, depth - 1) if kind == "not" else self.atom(needed, needed)

    def atom(self, needed: list[Variable], optional: list[Variable]) -> Use:
        """An atom with all needed variables and perhaps with optional ones and constants."""
        fitting = [name for name, arity in self.arities.items() if arity >= len(needed)]
        assume(fitting)
        name = self.choose.one(fitting)
        rest = [self.term(optional) for _ in range(self.arities[name] - len(needed))]
        return Use(Atom(name, tuple(self.choose.shuffled([*needed, *rest]))))

    def term(self, candidates: Sequence[Variable]) -> Variable | Constant:
        if not candidates or self.choose.chance(6):
            return Constant(self.choose.one(self.constants))
        return self.choose.one(candidates)


def reached(clauses: Sequence[Clause], domains: Sequence[Domain]) -> Template:
    """The template without what its root does not use."""
    used = {"S"}
    for clause in reversed(clauses):
        if clause.head.predicate in used:
            used |= uses(clause.body)
    return Template(
        tuple(clause for clause in clauses if clause.head.predicate in used),
        tuple(domain for domain in domains if domain.name in used),
    )
