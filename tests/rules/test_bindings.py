"""The assignments of a rule are those for which its body holds, with the facts of the knowledge base."""

import pytest

from rulewright.errors import GroundingTooLargeError
from rulewright.grounding.ground import GroundingLimits
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.node import Node
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.rules.bindings import bindings

X, Y, Z = Variable("X"), Variable("Y"), Variable("Z")
KB = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy"), ("bob", "di")], "likes": [("ann", "cy")]})
HEAD = Atom("grandparent", (X, Z))
CHAIN = (Literal(Atom("parent", (X, Y))), Literal(Atom("parent", (Y, Z))))


def found(*body: Literal | Comparison, auxiliaries: tuple[Rule, ...] = (), limit: int = 1000) -> list[tuple[str, ...]]:
    learned = LearnedRule(Rule(HEAD, tuple(body)), 1.0)
    program = Program(HEAD, (learned,), Node("predicate", "parent"), auxiliaries=auxiliaries)
    return sorted(bindings(program, learned, KB, GroundingLimits(limit)).rows)


def test_every_assignment_is_a_row_of_all_variables_the_heads_first() -> None:
    assert found(*CHAIN) == [("ann", "cy", "bob"), ("ann", "di", "bob")]


def test_negation_and_comparisons_rule_assignments_out() -> None:
    assert found(*CHAIN, Literal(Atom("likes", (X, Z)), negated=True)) == [("ann", "di", "bob")]
    assert found(*CHAIN, Comparison(Z, "!=", Constant("di"))) == [("ann", "cy", "bob")]


def test_auxiliary_rules_are_followed() -> None:
    fond = Rule(Atom("fond", (X, Z)), (Literal(Atom("likes", (X, Z))),))
    assert found(*CHAIN, Literal(Atom("fond", (X, Z))), auxiliaries=(fond,)) == [("ann", "cy", "bob")]


def test_assignments_are_found_by_the_fact_they_give() -> None:
    learned = LearnedRule(Rule(HEAD, CHAIN), 1.0)
    ways = bindings(Program(HEAD, (learned,), Node("predicate", "parent")), learned, KB)
    assert set(ways.heads()) == {("ann", "cy"), ("ann", "di")}
    (row,) = ways.rows_for(("ann", "di"))
    assert [str(ways.atom(part.atom, row)) for part in CHAIN] == ["parent(ann, bob)", "parent(bob, di)"]
    assert ways.rows_for(("bob", "ann")) == []


def test_too_many_assignments_are_an_error_before_they_are_made() -> None:
    with pytest.raises(GroundingTooLargeError):
        found(*CHAIN, limit=1)
