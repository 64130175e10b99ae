"""A notebook shows a program's rules with their figures, and how far they can be trusted."""

from dataclasses import replace

from IPython.lib.pretty import pretty
from tests.logic.well_formed import EVIL, card

from rulewright.logic.node import Edge, Node
from rulewright.logic.program import SHOWN_RULES, Fidelity, LearnedRule, Program
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Constant, Variable

X = Variable("X")


def program(name: str = "q", rules: int = 1) -> Program:
    head = Atom("p", (X,))
    body = (Literal(Atom(name, (X, Constant(name)))),)
    learned = tuple(LearnedRule(Rule(head, body), 0.9 - n / 1000, 12 + n, 0.75) for n in range(rules))
    tree = Node("pred", "P(X)", 1.25, (Edge(0.5, Node("predicate", name)), Edge(0.001, Node("predicate", "other"))))
    return Program(head, learned, tree, 0.5, (Rule(Atom("holds", (X,)), body),), True, Fidelity(1000, 990))


def test_it_shows_rules_with_truth_support_and_confidence() -> None:
    text = card(program()).text
    for words in ("p(X) :- q(X, q).", "0.900", "12", "75.0%", "holds(X) :- q(X, q)."):
        assert words in text


def test_it_says_how_far_the_text_agrees_with_the_network() -> None:
    assert "The text agrees with the network on 99.00% of 1,000 facts (threshold 0.5)." in card(program()).text


def test_the_network_is_there_to_be_opened_with_weights_and_biases() -> None:
    shown = card(program())
    assert {"details", "summary", "pre"} <= shown.tags
    assert "P(X) = LNN-pred (1.250)\n├─ 0.500 q\n└─ 1 more with weight below 0.005" in shown.text


def test_names_that_mean_harm_are_shown_as_they_are() -> None:
    assert card(program(EVIL)).text.count("<script>alert(1)</script>") >= 3


def test_of_many_rules_the_strongest_are_shown_and_the_others_counted() -> None:
    text = card(program(rules=SHOWN_RULES + 1200)).text
    assert text.count("p(X) :-") == SHOWN_RULES
    assert "1,200 weaker rules not shown." in text


def test_it_says_where_rules_were_left_out_or_there_is_none() -> None:
    assert "Weaker rules were left out." in card(replace(program(), complete=False)).text
    assert "No rule reaches truth 0.5." in card(replace(program(), rules=())).text


def test_figures_that_were_not_counted_have_no_columns() -> None:
    bare = replace(program(), rules=tuple(replace(one, support=None, confidence=None) for one in program().rules))
    assert "support" not in card(bare).text


def test_in_a_terminal_it_is_its_text() -> None:
    assert pretty(program()) == str(program())
