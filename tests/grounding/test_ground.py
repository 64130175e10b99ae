from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.grounding.oracle import Fact, Oracle
from tests.grounding.problems import Problem, problems

from rulewright.errors import EmptyGroundingError
from rulewright.grounding.ground import ground
from rulewright.grounding.lineage import Grounding
from rulewright.grounding.plan import Join, plan
from rulewright.grounding.tables import Ids
from rulewright.kb.relation import Relation


def problem(text: str, **facts: str) -> Problem:
    """Facts written p="a b", e="ab bc": one word per fact, one letter per constant."""
    return Problem({name: {tuple(word): 1.0 for word in words.split()} for name, words in facts.items()}, text)


def grounded(problem: Problem, heads: Ids | None = None) -> Grounding:
    return ground(plan(problem.template), problem.kb, heads=heads, allow_empty=True)


def heads_of(problem: Problem) -> str:
    """The head facts, written as `problem` reads them."""
    return " ".join(sorted("".join(fact) for fact in problem.kb.decode(grounded(problem).roots)))


def rows_of(problem: Problem, *facts: Iterable[str]) -> Ids:
    return problem.kb.encode([tuple(fact) for fact in facts])


def joined(grounding: Grounding) -> int:
    """The rows of all joins."""
    tables = zip(grounding.plan.steps, grounding.facts, strict=True)
    return sum(len(facts) for step, facts in tables if isinstance(step, Join))


@given(problems())
@settings(max_examples=200, deadline=None)
def test_the_head_facts_that_can_arise_are_those_that_the_language_means(problem: Problem) -> None:
    found = problem.kb.decode(grounded(problem).roots)
    assert len(set(found)) == len(found), "no fact stands twice"
    assert set(found) == set(Oracle(problem.template, problem.facts).heads())


@st.composite
def problems_with_wishes(draw: st.DrawFn) -> tuple[Problem, list[Fact]]:
    """Head facts, among them some that cannot arise, some with unknown constants, and some asked for twice."""
    asked = draw(problems())
    names = [*asked.kb.constants, "nobody"]
    arity = len(asked.template.root.head)
    return asked, draw(st.lists(st.tuples(*[st.sampled_from(names)] * arity), max_size=6))


@given(problems_with_wishes())
@settings(max_examples=100, deadline=None)
def test_wanted_heads_are_grounded_as_they_are_in_the_whole(asked: tuple[Problem, list[Fact]]) -> None:
    problem, wanted = asked
    heads = problem.kb.encode(wanted).reshape(len(wanted), len(problem.template.root.head))
    whole, part = grounded(problem), grounded(problem, heads)
    found = problem.kb.decode(part.roots)
    assert sorted(found) == sorted(set(wanted).intersection(problem.kb.decode(whole.roots)))
    for few, all_of_them in zip(part.facts, whole.facts, strict=True):
        assert set(map(tuple, few.tolist())) <= set(map(tuple, all_of_them.tolist()))


EDGES = {"e": "ab bc cd ad bb", "f": "ba cb dc aa", "p": "a b", "q": "b c"}


@pytest.mark.parametrize(
    "text",
    [
        "S(X, Z) :- e(X, Y), f(Y, Z).",
        "S(X, Z) :- R(X, Z) ; f(X, Z). R(X, Z) :- e(X, Y), f(Y, Z).",
        "S(X, Z) :- R(X, Y), T(Y, Z). R(X, Y) :- e(X, W), f(W, Y). T(X, Y) :- f(X, W), e(W, Y), W != a.",
        "S(X, Z) :- e(X, W), (R(W, Z) ; f(W, Z)). R(Z, X) :- e(X, Y), f(Y, Z).",
        "S(Z, X) :- R(X, Z), not T(X, Z). R(X, Z) :- e(X, Y), f(Y, Z). T(X, Z) :- f(X, Y), f(Y, Z).",
        "S(X, Z) :- R(X, Y), R(X, Z), e(Z, Y). R(X, Z) :- e(X, Y), f(Y, Z).",
        "S(X) :- R(X, b). R(X, Z) :- e(X, Y), f(Y, Z).",
        "S(X) :- R(X, X). R(X, Z) :- e(X, Y), f(Y, Z).",
        "S(X, Y) :- not R(X, Y) over {e}. R(X, Z) :- e(X, Y), f(Y, Z).",
    ],
)
def test_wanted_heads_cost_less_than_everything_wherever_the_joins_are(text: str) -> None:
    asked = problem(text, **EDGES)
    whole = grounded(asked)
    wanted = whole.roots[:1]
    part = grounded(asked, wanted)
    assert part.roots.tolist() == wanted.tolist()
    below = whole.take(whole.rows_of(wanted))  # the wanted head's own lineage, cut out of everything
    assert joined(below) <= joined(part) < joined(whole)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("S(X, Z) :- e(X, Y), f(Y, Z).", "body of S"),
        ("S(X, Z) :- R(X, Z) ; f(X, Z). R(X, Z) :- e(X, Y), f(Y, Z).", "body of R"),
        ("S(X, Z) :- e(X, Z) ; f(X, Y), e(Y, Z).", "body of S.2"),
        ("S(X, Z) :- R(X, Z), not T(X, Z). R(X, Z) :- e(X, Y), f(Y, Z). T(X, Z) :- f(X, Y), f(Y, Z).", "body of T"),
        ("S(X, Z) :- not R(X, Z) over {e}. R(X, Z) :- e(X, Y), f(Y, Z).", "body of R"),
    ],
)
def test_no_row_of_a_join_over_the_head_lies_outside_the_wanted_heads(text: str, step: str) -> None:
    asked = problem(text, **EDGES)
    whole = grounded(asked)
    place = [s.name for s in whole.plan.steps].index(step)
    wanted = whole.facts[place][:2, :2]
    assert len(whole.facts[place]) > 2
    part = grounded(asked, wanted)
    assert set(map(tuple, part.facts[place][:, :2].tolist())) == set(map(tuple, wanted.tolist()))


def test_a_node_used_twice_is_grounded_for_the_wishes_of_both_uses() -> None:
    asked = problem("S(X, Y) :- R(X, W), R(Y, W). R(X, Z) :- e(X, Y), f(Y, Z).", e="aw bw cw dw", f="wu wv")
    part = grounded(asked, rows_of(asked, "ab"))
    body = next(f for step, f in zip(part.plan.steps, part.facts, strict=True) if step.name == "body of R")
    assert {fact[0] for fact in asked.kb.decode(body)} == {"a", "b"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S(X, Z) :- e(X, Y), e(Y, Z).", "ab ac bb bc bd"),
        ("S(X) :- e(X, X).", "b"),
        ("S(X) :- e(X, b).", "a b"),
        ("S(X) :- e(a, X).", "b d"),
        ("S(Y, X) :- e(X, Y).", "ba bb cb da dc"),
        ("S(X, Y) :- e^-1(X, Y).", "ba bb cb da dc"),
        ("S(X, Y) :- P(X, Y). P in {e, f^-1}.", "aa ab ad bb bc cd"),
        ("S(X, Y) :- p(X), q(Y).", "ab ac bb bc"),
        ("S(X) :- p(X) ; q(X).", "a b c"),
        ("S(X) :- p(X), (q(X) ; e(X, d)).", "a b"),
        ("S(X) :- e(X, Y), q(Y).", "a b"),
        ("S(X) :- p(X). S(Y) :- q(Y).", "a b c"),
    ],
)
def test_conjunction_disjunction_and_projection(text: str, expected: str) -> None:
    assert heads_of(problem(text, **EDGES)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S(X) :- p(X), q(b).", "a b"),
        ("S(X) :- p(X), q(a).", ""),
        ("S(X) :- p(X), not q(b).", "a b"),  # true or not, it can arise
        ("S(X) :- p(X), (q(b), p(a)).", "a b"),
        ("S(X) :- p(X), (q(a) ; not p(b)).", "a b"),
        ("S(X) :- p(X), (not q(a), not p(b)).", "a b"),
        ("S(X) :- p(X), not (q(a), not p(b)).", "a b"),
        ("S(X) :- p(X), (1 < 2, not q(c)).", "a b"),
        ("S(X) :- p(X), (2 < 1, not q(c)).", ""),
    ],
)
def test_parts_without_variables(text: str, expected: str) -> None:
    assert heads_of(problem(text, **EDGES)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S(X) :- p(X), not q(X).", "a b"),  # the join's own rows: whether q holds is a matter of truth
        ("S(X) :- not q(X).", "b c"),  # inferred: the constants that q has
        ("S(X) :- not q(X) over {p}.", "a b"),
        ("S(X) :- not q(X) over {p, q}.", "a b c"),
        ("S(X) :- p(X), not q(X) over {q}.", "b"),  # a universe that is named restricts
        ("S(X) :- not P(X). P in {p, q}.", "a b c"),
        ("S(X, Y) :- not f(X, Y).", " ".join(sorted(map("".join, product("abcd", "abc"))))),
        ("S(X) :- not e(X, X).", "a b c d"),  # whatever e has at either position
        ("S(X) :- not e(X, d).", "a b c"),  # whatever e has at the first position, beside d or anything else
        ("S(X) :- not e(X, Y).", "a b c"),
        ("S(X) :- not R(X). R(X) :- p(X), q(X).", "b"),  # of a rule: what its facts have
        ("S(X) :- not R(X, c). R(X, Y) :- e(X, Y), p(X).", "a b"),
        ("S(X) :- not (p(X), q(X)).", "b"),
        ("S(X) :- not (p(X) ; q(X)).", "a b c"),
        ("S(X) :- not (not p(X)).", "a b"),
        ("S(X) :- q(X), (p(X) ; not p(X)).", "b"),  # a disjunct brings its own values
    ],
)
def test_negation_and_its_universe(text: str, expected: str) -> None:
    assert heads_of(problem(text, **EDGES)) == expected


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("P in {not p}.", "a b"),
        ("P in {not p} over {q}.", "b c"),
        ("P in {q, not p}.", "a b c"),
        ("P in {q, not p} over {p}.", "a b c"),
    ],
)
def test_a_leaf_with_negated_members_has_the_facts_of_its_universe(domain: str, expected: str) -> None:
    assert heads_of(problem(f"S(X) :- P(X). {domain}", **EDGES)) == expected


NUMBERS = {
    "n": {("1",): 1.0, ("02",): 1.0, ("2",): 1.0, ("2.0",): 1.0, ("10",): 1.0, ("-3",): 1.0, ("x",): 1.0, ("k",): 1.0}
}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("X < 2", "-3 1"),
        ("X <= 2", "-3 02 1 2 2.0"),
        ("X > 2", "10 k x"),  # words come after numbers
        ("X >= k", "k x"),
        ("X = 2", "2"),  # individuals, not values
        ("X != 2", "-3 02 1 10 2.0 k x"),
        ("X < 1.5", "-3 1"),  # a number that no fact mentions has its value all the same
        ("X = unheard_of", ""),
        ("1.5 < X, X < 9", "02 2 2.0"),
        ("X < X", ""),
        ("3 < 4, X = k", "k"),
        ("4 < 3, X = k", ""),
    ],
)
def test_comparisons_order_values_and_equate_individuals(condition: str, expected: str) -> None:
    asked = Problem(NUMBERS, f"S(X) :- n(X), {condition}.")
    assert " ".join(sorted(fact[0] for fact in asked.kb.decode(grounded(asked).roots))) == expected


def test_a_comparison_between_variables_filters_the_join() -> None:
    asked = problem("S(X, Y) :- p(X), q(Y), X < Y.", p="a b c", q="a b c")
    assert heads_of(asked) == "ab ac bc"


def test_heads_with_unknown_constants_are_in_no_row() -> None:
    found = grounded(problem("S(X, Y) :- e(X, Y).", e="aa ab ba bb"))
    assert found.rows_of(np.array([[0, -1], [1, -1], [-1, 0], [-1, 1], [-1, -1]])).tolist() == [-1] * 5


def test_an_inferred_universe_does_not_shrink_with_the_heads() -> None:
    asked = problem("S(X, Y) :- not R(X, Y). R(X, Z) :- e(X, Y), f(Y, Z).", e="aw bv", f="wc vd")
    assert heads_of(asked) == "ac ad bc bd"
    assert asked.kb.decode(grounded(asked, rows_of(asked, "ad")).roots) == [("a", "d")]  # though R has no (a, d)


def test_a_constant_that_another_knowledge_base_lacks_stands_for_nothing() -> None:
    asked = problem("S(X) :- p(X), (e(X, b) ; q(X)), not e(X, b).", p="a c", e="ab", q="c")
    other = problem("", p="a c", e="aa ac", q="c")
    assert heads_of(asked) == "a c"
    assert other.kb.decode(ground(plan(asked.template), other.kb).roots) == [("c",)]


def test_no_wanted_head_is_no_fact_and_no_error() -> None:
    asked = problem("S(X, Z) :- e(X, Y), e(Y, Z).", e="ab bc")
    found = ground(plan(asked.template), asked.kb, heads=np.empty((0, 2), dtype=np.int64))
    assert len(found) == 0


def test_an_empty_relation_has_no_facts() -> None:
    asked = problem("S(X) :- P(X), not q(X). P in {p, not q}.", p="a b", q="a")
    empty = asked.kb.with_relation("q", Relation(np.empty((0, 1), dtype=np.int64)))
    steps = plan(asked.template)
    assert asked.kb.decode(ground(steps, empty).roots) == [("a",), ("b",)]
    nothing = empty.with_relation("p", Relation(np.empty((0, 1), dtype=np.int64)))
    assert len(ground(steps, nothing, allow_empty=True)) == 0


@pytest.mark.parametrize(
    ("text", "blamed"),
    [
        ("S(X) :- R(X), p(X). R(X) :- p(X), q(X).", "the parts of R have facts, but none that fit together"),
        ("S(X, Y) :- T(X, Y), p(X). T(X, Z) :- R(X, Y), e(Y, Z). R(X, Y) :- e(X, Y), q(Y).", "the parts of R"),
        ("S(X) :- p(X), q(X).", "the parts of S have facts, but none that fit together"),
        (
            "S(X) :- p(X), (R(X) ; q(X)). R(X) :- p(X), q(X).",
            "the parts of S",
        ),  # R has none either, but is not to blame
        ("S(X) :- p(X), q(X), not R(X). R(X) :- p(X), q(X).", "the parts of S"),  # not R: it is negated
        ("S(X) :- e(X, X).", "S has no facts"),
    ],
)
def test_an_empty_grounding_names_the_step_that_is_to_blame(text: str, blamed: str) -> None:
    asked = problem(text, p="a", q="c", e="ab")
    with pytest.raises(EmptyGroundingError, match=blamed) as error:
        ground(plan(asked.template), asked.kb)
    assert error.value.node == text.partition(" :-")[0]
