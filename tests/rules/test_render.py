import pytest

from rulewright.logic.node import Edge, Node
from rulewright.logic.program import Fidelity, LearnedRule, Program
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Variable
from rulewright.rules.render import render_text, render_tree

X, Y = Variable("X"), Variable("Y")
HEAD = Atom("t", (X,))
MANY = [Edge(0.8, Node("predicate", "p(X)")), Edge(1.0, Node("predicate", "q(X)", negated=True))]
CHOICE = Node("pred", "P(X)", 1.0, (*MANY, Edge(0.001, Node("predicate", "r(X)"))))


def learned(predicate: str, truth: float, support: int | None = None, confidence: float | None = None) -> LearnedRule:
    return LearnedRule(Rule(HEAD, (Literal(Atom(predicate, (X,))),)), truth, support, confidence)


def program(*rules: LearnedRule, **fields) -> Program:
    return Program(HEAD, rules, fields.pop("tree", CHOICE), **fields)


def test_a_rule_has_its_figures_in_front():
    text = render_text(program(learned("p", 0.95, 1200, 0.875), learned("q", 0.5)))
    assert text.splitlines() == [" 0.950   87.5% of 1,200  t(X) :- p(X).", " 0.500  t(X) :- q(X)."]


def test_the_fidelity_is_the_last_line():
    text = render_text(program(learned("p", 1.0), fidelity=Fidelity(2000, 1999), threshold=0.6))
    assert text.splitlines()[-1] == "the text agrees with the network on 99.95% of 2,000 facts (threshold 0.6)"


def test_what_is_left_out_is_counted():
    many = program(*(learned(f"p{number}", 0.9) for number in range(5)))
    assert render_text(many, top=2).splitlines()[2:] == ["(3 weaker rules not shown)"]
    assert len(render_text(many, top=9).splitlines()) == 5
    assert render_text(program(learned("p", 1.0), complete=False)).splitlines()[-1] == "(weaker rules were left out)"


def test_auxiliaries_follow_the_rules():
    helper = Rule(Atom("Q holds", (X,)), (Literal(Atom("q", (X, Y))),))
    text = render_text(program(learned("p", 1.0), auxiliaries=(helper,)))
    assert text.splitlines()[1].strip() == "'Q holds'(X) :- q(X, Y)."


def test_no_rule_is_said_in_words():
    assert render_text(program(threshold=0.7)) == "no rule for t(X) reaches truth 0.7"


def test_the_tree_shows_weights_before_inputs_and_the_bias_behind_the_operator():
    both = Node("and", "t(X)", 1.056, (Edge(1.059, CHOICE), Edge(1.06, Node("not", "not Q(X)", None, ()))))
    root = Node("exists", "t(X)", None, (Edge(None, both),))
    assert render_tree(program(tree=root)).splitlines() == [
        "t(X) = best of",
        "└─ t(X) = and (1.056)",
        "   ├─ 1.059 P(X) = LNN-pred (1.000)",
        "   │  ├─ 1.000 not q(X)",
        "   │  ├─ 0.800 p(X)",
        "   │  └─ 1 more with weight below 0.005",
        "   └─ 1.060 not Q(X) = not",
    ]


@pytest.mark.parametrize("norm", ["product", "lukasiewicz"])
def test_another_norm_is_named(norm):
    root = Node("or", "t(X)", None, (Edge(None, CHOICE),), norm)
    assert render_tree(program(tree=root)).splitlines()[0] == f"t(X) = or [{norm}]"
