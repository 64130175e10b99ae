"""Pieces of HTML say what they are given and nothing else, and the style stays inside of its card."""

import re

import pytest
from IPython.lib.pretty import pretty
from tests.logic.well_formed import EVIL, read

from rulewright.logic.markup import STYLE, bar, card, code, folded, note, percent, shown, table, title
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Variable

X = Variable("X")
RULE = Rule(Atom("p", (X,)), (Literal(Atom("q", (X,))),))


@pytest.mark.parametrize("piece", [shown, code, note, lambda text: table([text], [[shown(text)]], 0)])
def test_names_are_shown_as_they_are_and_never_become_markup(piece) -> None:
    assert "<script>alert(1)</script>" in read(piece(EVIL)).text


def test_what_hides_or_breaks_a_line_is_written_out() -> None:
    assert shown("a\nb\u202e") == r"a\nb\u202e"


def test_a_card_leaves_out_what_is_empty() -> None:
    assert read(card(title("t"), note(""), folded("more", ""), "<p>x</p>")).text.split() == ["t", "x"]


def test_every_rule_of_the_style_begins_at_the_card() -> None:
    selectors = [one for rule in re.findall(r"([^{}]+)\{", STYLE) for one in rule.strip().split(",")]
    assert len(selectors) > 20
    assert all(one.startswith(".rulewright.rulewright.rulewright") for one in selectors)


def test_the_style_has_no_colours_but_those_around_it() -> None:
    assert re.findall(r"(?:color|background)[^;}]*", STYLE) == [*re.findall(r"color:inherit|background:none", STYLE)]


def test_a_bar_is_as_long_as_its_share_and_never_longer() -> None:
    assert 'width="25.0"' in bar(0.25)
    assert 'width="100.0"' in bar(7)
    assert 'width="0.0"' in bar(-1)


def test_a_share_that_is_not_known_is_left_empty() -> None:
    assert [percent(None), percent(0.123)] == ["", "12.3%"]


def test_ipython_prints_the_text_of_a_value_and_not_its_fields() -> None:
    assert pretty(RULE) == str(RULE) == "p(X) :- q(X)."
    assert pretty([RULE]) == "[p(X) :- q(X).]"


def test_ipython_prints_no_name_that_could_steer_a_terminal() -> None:
    printed = pretty(Rule(Atom(EVIL, (X,)), ()))
    assert all(c.isprintable() for c in printed)
    assert r"\x1b[31m" in printed


def test_a_rule_shows_itself() -> None:
    assert read(RULE._repr_html_()).text.strip() == "p(X) :- q(X)."
