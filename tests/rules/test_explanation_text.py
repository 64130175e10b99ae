"""The text says what an explanation holds, in few lines."""

from dataclasses import replace

from tests.rules.explanations import fact, mixture, template

from rulewright.rules.explanation import Part, SourcedFact, Witness
from rulewright.rules.explanation_html import explanation_html
from rulewright.rules.explanation_text import explanation_text


def test_the_parts_of_a_score_are_a_sum_one_reads() -> None:
    assert explanation_text(mixture()).splitlines() == [
        "r(ann, bob) (a known fact, set aside here): score 1.250, 1 candidate above it, level with 1 other",
        "   +1.000 = 2.000 x 0.500  r(X, Y) :- likes(X, Y).",
        "            likes(ann, bob)",
        "            not busy(bob)",
        "            and 6 other ways",
        "   +0.250 = 0.250 x 1.000  r(X, bob) :- often",
        "above: r(ann, cy): 1.500 (+0.250)",
        "   +0.500  r(X, Y) :- likes(X, Y).",
        "   -0.250  all other differences",
        "it falls (0.250, 3 candidates above it, level with 1 other) if",
        "            likes(ann, bob) were not a fact",
        "            busy(bob) were a fact",
    ]


def test_a_fact_that_a_rule_of_the_program_derives_says_so() -> None:
    way = Witness((SourcedFact(fact("kin", "ann"), "derived"), SourcedFact(fact("p", "ann"))))
    shown = replace(mixture(), parts=(Part("r(X, Y) :- kin(X), p(X).", 1.0, 1.25, "path", (way,), 1),))
    assert explanation_text(shown).splitlines()[2:4] == [f"{'':12}kin(ann)  (derived)", f"{'':12}p(ann)"]
    assert "kin(ann)  (derived)" in explanation_html(shown)


def test_what_is_not_shown_is_summed_up() -> None:
    assert "   +0.250 = 1 smaller part" in explanation_text(mixture(), top=1).splitlines()


def test_a_template_shows_its_arithmetic_as_a_tree() -> None:
    assert explanation_text(template()).splitlines() == [
        "S(ann): truth 0.750, predicted, no candidate above it",
        "    0.900  S(X) :- p(X).",
        "            p(ann)",
        "the arithmetic, from the facts up:",
        "0.750  S(ann)  = 1.000 - 1.000 x (1 - 0.750) - 1.250 x (1 - 1.000)",
        "├─ 0.750  P(ann)  = 1.000 x 0.750",
        "│  └─ 0.750  p(ann)  (a fact)",
        "└─ 1.000  not Q(ann)  = 1 - 0.000",
        "   └─ 0.000  Q(ann)  = 0",
        "a greedy search over small sets of facts found none after which it falls; "
        "it came to 0.750, no candidate above it",
    ]
