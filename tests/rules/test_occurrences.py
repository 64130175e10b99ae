import pytest
from tests.rules.networks import planned, random_facts

from rulewright.errors import OptionError
from rulewright.grounding.plan import Union
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.rules import occurrences
from rulewright.rules.occurrences import Occurrence, columns_of, unroll, unroll_step

KB = random_facts(0)


def leaves(at: Occurrence, names: dict[int, str]) -> list[str]:
    """The leaves below an occurrence as text, from left to right."""
    if at.place in names:
        return [f"{names[at.place]}({', '.join(map(str, at.terms))})"]
    return [leaf for below in at.inputs for leaf in leaves(below, names)]


def unrolled(text: str) -> list[str]:
    plan = planned(text, KB)
    names = {place: step.name for place, step in enumerate(plan.steps) if isinstance(step, Union)}
    return leaves(unroll(plan), names)


def test_terms_go_down_from_the_head_to_the_leaves():
    text = "S(X, Z) :- R(X, Z) ; O(Z, X). R(A, B) :- P(A, C), Q(C, B). P in {a}. Q in {b}. O in {c}."
    assert unrolled(text) == ["P(X, C)", "Q(C, Z)", "O(Z, X)"]


def test_a_node_used_twice_is_two_occurrences_with_variables_of_their_own():
    text = "S(X, Z) :- R(X, Y), R(Y, Z). R(A, B) :- P(A, C), P(C, B). P in {a}."
    assert unrolled(text) == ["P(X, C)", "P(C, Y)", "P(Y, C2)", "P(C2, Z)"]


def test_constants_and_repeated_variables_are_passed_down():
    text = "S(X) :- R(X, c1), R(X, X). R(A, B) :- P(B, A). P in {a}."
    assert unrolled(text) == ["P(c1, X)", "P(X, X)"]


def test_conditions_are_written_in_the_rules_own_variables():
    plan = planned("S(X) :- R(X, M). R(A, B) :- P(A, B), Q(A, N), N < B, A != c1. P in {a}. Q in {b}.", KB)
    found = unroll(plan)
    while not found.conditions:
        (found,) = found.inputs
    assert list(map(str, found.conditions)) == ["N < M", "X != c1"]


def test_a_step_by_itself_has_a_variable_for_each_column():
    plan = planned("S(X) :- P(X, Y, Z). P in {s}.", KB)
    leaf = next(place for place, step in enumerate(plan.steps) if isinstance(step, Union))
    assert list(map(str, columns_of(plan, leaf))) == ["X1", "X2", "X3"]
    assert unroll_step(plan, leaf).terms == columns_of(plan, leaf)


def doubling(times: int) -> str:
    clauses = [f"R{n}(X, Z) :- R{n - 1}(X, Y), R{n - 1}(Y, Z)." for n in range(1, times + 1)]
    return " ".join([*reversed(clauses), "R0 in {a}."])


def test_a_template_that_would_unroll_without_end_is_refused(monkeypatch):
    unroll(planned(doubling(5), KB))
    with pytest.raises(OptionError, match="more than 10,000 nodes"):
        unroll(planned(doubling(14), KB))


def test_a_template_that_is_too_deep_is_refused():
    clauses = [f"R{n}(X) :- R{n - 1}(X), P(X)." for n in range(1, occurrences.DEEPEST_TREE + 10)]
    text = " ".join([*reversed(clauses), "R0(X) :- P(X). P in {u}."])
    with pytest.raises(OptionError, match="steps deep"):
        unroll(planned(text, KnowledgeBase.of({"u": [("c",)]})))
