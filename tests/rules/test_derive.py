import pytest

from rulewright.errors import GroundingTooLargeError, InputError
from rulewright.grounding.ground import GroundingLimits
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.node import Node
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.rules.derive import derive

X, Y, Z, N, M = map(Variable, "XYZNM")
KB = KnowledgeBase.of(
    {
        "parent": [("ann", "bob"), ("bob", "cy"), ("bob", "di"), ("di", "eve")],
        "tall": [("cy",), ("eve",)],
        "age": [("ann", 71), ("bob", 44), ("cy", 9), ("di", 10)],
        "likes": [("ann", "cy"), ("bob", "ann")],
    },
    truth={"likes": [0.4, 0.5]},
)


def has(predicate: str, *terms: Variable | Constant, negated: bool = False) -> Literal:
    return Literal(Atom(predicate, terms), negated)


def program(head: Atom, *bodies: tuple, auxiliaries: tuple[Rule, ...] = ()) -> Program:
    rules = tuple(LearnedRule(Rule(head, body), 1.0) for body in bodies)
    return Program(head, rules, Node("pred", "P"), auxiliaries=auxiliaries)


def derived(given: Program) -> list[tuple[str, ...]]:
    return sorted(KB.decode(derive(given, KB)))


def test_a_rule_holds_for_some_values_of_what_its_head_does_not_name():
    given = program(Atom("g", (X, Z)), (has("parent", X, Y), has("parent", Y, Z)))
    assert derived(given) == [("ann", "cy"), ("ann", "di"), ("bob", "eve")]


def test_any_rule_is_enough():
    given = program(Atom("t", (X,)), (has("tall", X),), (has("parent", X, Y), has("tall", Y)))
    assert derived(given) == [("bob",), ("cy",), ("di",), ("eve",)]


def test_negation_comparison_and_constants_are_understood():
    young = (has("parent", X, Y), has("age", Y, N), Comparison(N, "<", Constant("10")))
    assert derived(program(Atom("t", (X,)), young)) == [("bob",)]
    short = (has("parent", X, Y), has("tall", Y, negated=True))
    assert derived(program(Atom("t", (X, Y)), short)) == [("ann", "bob"), ("bob", "di")]
    assert derived(program(Atom("t", (X,)), (has("parent", Constant("bob"), X),))) == [("cy",), ("di",)]


def test_facts_count_from_truth_one_half_on():
    assert derived(program(Atom("t", (X, Y)), (has("likes", X, Y),))) == [("bob", "ann")]


def test_a_head_may_have_the_name_of_a_known_relation_and_use_its_facts():
    given = program(Atom("parent", (X, Z)), (has("parent", X, Y), has("parent", Y, Z)))
    assert derived(given) == [("ann", "cy"), ("ann", "di"), ("bob", "eve")]


def test_auxiliaries_are_followed_and_those_that_nothing_uses_are_no_mistake():
    helper = Rule(Atom("has tall child", (X,)), (has("parent", X, Y), has("tall", Y)))
    deeper = Rule(Atom("has child", (X,)), (has("parent", X, Y), has("has tall child", X, negated=True)))
    unused = Rule(Atom("unused", (X,)), (has("tall", X),))
    given = program(Atom("t", (X,)), (has("has child", X),), auxiliaries=(helper, deeper, unused))
    assert derived(given) == [("ann",)]


def test_no_rules_derive_nothing():
    assert derived(program(Atom("t", (X, Y)))) == []


def test_inverses_are_understood():
    assert ("bob", "ann") in derived(program(Atom("t", (X, Y)), (has("parent^-1", X, Y),)))


def test_a_predicate_that_the_facts_do_not_have_is_told():
    with pytest.raises(InputError, match=r"tal is no clause, no domain and no predicate.*did you mean tall"):
        derived(program(Atom("t", (X,)), (has("tal", X),)))


def test_the_limit_on_rows_holds():
    given = program(Atom("t", (X, Y)), (has("parent", X, Z), has("parent", Y, N)))
    with pytest.raises(GroundingTooLargeError):
        derive(given, KB, GroundingLimits(rows=10))
