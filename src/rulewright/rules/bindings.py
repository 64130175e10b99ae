"""bindings(program, rule, kb): every assignment of constants to a rule's variables for which its body holds."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.plan import plan
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rule import Rule
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.rules.derive import auxiliaries_of, clause, holds
from rulewright.template.binding import bind
from rulewright.template.syntax import Template

ROOT = "assignment"


@dataclass(frozen=True)
class Bindings:
    """One row of constants, in the order of `variables`, for every assignment."""

    rule: Rule
    variables: tuple[str, ...]
    rows: list[Fact]

    def atom(self, atom: Atom, row: Fact) -> Atom:
        """An atom under an assignment."""
        value = dict(zip(self.variables, row, strict=True))
        terms = (Constant(value[term.name]) if isinstance(term, Variable) else term for term in atom.terms)
        return Atom(atom.predicate, tuple(terms))

    @cached_property
    def by_head(self) -> dict[Fact, list[Fact]]:
        """The assignments by the fact of the head."""
        found: defaultdict[Fact, list[Fact]] = defaultdict(list)
        for row in self.rows:
            found[tuple(term.name for term in self.atom(self.rule.head, row).terms)].append(row)
        return dict(found)

    def heads(self) -> Iterable[Fact]:
        """The facts that the rule gives."""
        return self.by_head

    def rows_for(self, fact: Fact) -> list[Fact]:
        """The assignments that give a fact."""
        return self.by_head.get(fact, [])


def bindings(
    program: Program, learned: LearnedRule, kb: KnowledgeBase, limits: GroundingLimits | None = None
) -> Bindings:
    """The assignments of a program's rule on a knowledge base; read as ordinary Boolean logic, as `derive` does."""
    rule, variables = learned.rule, learned.rule.variables
    whole = clause(Rule(Atom(ROOT, variables), rule.body), f"{rule.head.predicate} {ROOT}")
    clauses = [
        whole,
        *(clause(other, other.head.predicate) for other in auxiliaries_of(replace(program, rules=(learned,)))),
    ]
    bound = bind(Template(tuple(clauses)), kb, root=whole.head.predicate)
    grounding = ground(plan(bound), kb, limits, allow_empty=True)
    rows = kb.decode(grounding.roots[holds(grounding)])
    return Bindings(rule, tuple(variable.name for variable in variables), rows)
