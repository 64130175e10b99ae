from hypothesis import given
from hypothesis import strategies as st

from rulewright.logic.rule import Comparison, Literal
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.rules.alternatives import Alternative, distinct_values, smallest, strongest, substituted, written

X, Y = Variable("X"), Variable("Y")
PARTS = [Literal(Atom(name, (X,))) for name in "abcde"]
BODIES = st.frozensets(st.sampled_from(PARTS))
FOUND = st.lists(st.builds(Alternative, st.sampled_from([0.1, 0.5, 0.9, 1.0]), BODIES), max_size=12)


@given(FOUND, st.booleans())
def test_what_is_left_out_asks_for_more_than_something_kept_and_gives_no_more(found, by_value):
    kept = smallest(found, by_value)
    for a in found:
        assert any(b.body <= a.body and (b.value >= a.value or not by_value) for b in kept)
    for a in kept:
        assert a in found
        assert not any(b.body < a.body and (b.value >= a.value or not by_value) for b in kept)


@given(FOUND)
def test_the_strongest_come_first(found):
    values = [a.value for a in smallest(found)]
    assert values == sorted(values, reverse=True)
    assert [a.value for a in strongest(found, 3)] == sorted((a.value for a in found), reverse=True)[:3]


def test_many_parts_are_told_apart():
    parts = [Literal(Atom(f"p{number}", (X,))) for number in range(200)]
    found = [Alternative(1.0, frozenset([part])) for part in parts] + [Alternative(1.0, frozenset(parts[:2]))]
    assert len(smallest(found)) == 200


def test_values_that_differ_by_rounding_are_one():
    found = [Alternative(value, frozenset()) for value in (0.5, 0.3, 0.5000001, 0.3, 1.0)]
    assert distinct_values(found) == [0.3, 0.5000001, 1.0]


def test_substitution_reaches_literals_and_comparisons():
    body = [Literal(Atom("p", (X, Y)), negated=True), Comparison(X, "<", Constant("3"))]
    assert substituted(body, {X: Constant("a"), Y: X}) == frozenset(
        [Literal(Atom("p", (Constant("a"), X)), negated=True), Comparison(Constant("a"), "<", Constant("3"))]
    )


def test_a_body_is_written_atoms_first_then_negations_then_comparisons():
    parts = [
        Comparison(X, "<", Y),
        Literal(Atom("a", (Y,)), negated=True),
        Literal(Atom("z", (X, Y))),
        Literal(Atom("b", (Y,))),
        Literal(Atom("c", (X, Y))),
    ]
    assert ", ".join(map(str, written(frozenset(parts)))) == "c(X, Y), z(X, Y), b(Y), not a(Y), X < Y"


def test_a_chain_is_written_as_one_from_the_heads_first_variable_on() -> None:
    w, x, y, z = map(Variable, "WXYZ")
    steps = [Literal(Atom("p", (x, w))), Literal(Atom("q", (w, y))), Literal(Atom("r", (y, z)))]
    rest = [Literal(Atom("s", (w,)), negated=True), Comparison(x, "!=", y)]
    head = Atom("head", (x, z))
    assert written(frozenset([*rest, *reversed(steps)]), head) == (*steps, *rest)


def test_atoms_that_nothing_joins_are_written_all_the_same() -> None:
    x, y, z = map(Variable, "XYZ")
    alone, own = Literal(Atom("p", (y, z))), Literal(Atom("q", (x,)))
    assert written(frozenset([alone, own]), Atom("head", (x,))) == (own, alone)
    assert written(frozenset([alone, own])) == (own, alone)
