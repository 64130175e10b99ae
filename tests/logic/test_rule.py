import pytest

from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.template.parser import parse_template

X, Y, N, M = map(Variable, "XYNM")


def test_a_rule_is_written_as_prolog_writes_it():
    body = (
        Literal(Atom("friend", (X, Y))),
        Literal(Atom("ill", (Y,)), negated=True),
        Comparison(N, "<", Constant("5")),
    )
    assert str(Rule(Atom("visits", (X, Y)), body)) == "visits(X, Y) :- friend(X, Y), not ill(Y), N < 5."


@pytest.mark.parametrize(
    "text",
    [
        "visits(X, Y) :- friend(X, Y), not ill(Y).",
        "older(X, Y) :- age(X, N), age(Y, M), N > M.",
        "t(X) :- 'Big One'(X, 'A b'), X != c.",
    ],
)
def test_the_text_of_a_rule_is_a_clause_of_the_template_language(text):
    assert str(parse_template(text)) == text


def test_a_rules_variables_start_with_the_heads():
    body = (Literal(Atom("p", (Y, N))), Comparison(M, "<", N))
    assert Rule(Atom("t", (X, Y)), body).variables == (X, Y, N, M)


def test_literals_and_comparisons_know_their_variables():
    assert Literal(Atom("p", (X, Constant("a"), X)), negated=True).variables == (X,)
    assert Comparison(X, "=", Constant("a")).variables == (X,)
    assert Comparison(X, "=", Y).variables == (X, Y)


def test_rules_are_values():
    rule = Rule(Atom("t", (X,)), (Literal(Atom("p", (X,))),))
    assert rule == Rule(Atom("t", (X,)), (Literal(Atom("p", (X,))),))
    assert len({rule, Rule(Atom("t", (X,)), (Literal(Atom("p", (X,)), True),))}) == 2
