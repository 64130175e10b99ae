"""Printed figures add up to the last place, and none is further than that from its own value."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.explanations import fact, mixture

from rulewright.rules.explanation import Difference, Part, Rival
from rulewright.rules.explanation_html import explanation_html
from rulewright.rules.explanation_text import explanation_text
from rulewright.rules.rounding import adding_up, shown_difference

FIGURES = st.lists(st.floats(-50, 50), max_size=40)


@given(FIGURES, st.floats(-2e-4, 2e-4))
def test_rounded_figures_sum_to_the_rounded_total_and_stay_next_to_their_own(values, noise):
    total = sum(values) + noise
    shown = adding_up(values, total)
    assert all(abs(a - b) < 0.001 + 1e-9 for a, b in zip(values, shown, strict=True))
    if (
        values and abs(sum(shown) - total) > 5.1e-4
    ):  # the noise of 32-bit numbers lies at the edge of what rounding can take
        assert shown == [round(value, 3) for value in values]


@given(FIGURES)
def test_a_sum_without_noise_always_adds_up(values):
    assert sum(adding_up(values, sum(values))) == pytest.approx(round(sum(values), 3), abs=1e-9)


def test_what_is_no_sum_is_rounded_one_by_one():
    assert adding_up([0.1234, 0.5], 3.0) == [0.123, 0.5]
    assert adding_up([], 0.0) == []


@given(st.lists(st.tuples(st.floats(0.001, 3), st.floats(0.01, 1)), min_size=1, max_size=30), st.integers(0, 30))
def test_the_printed_parts_sum_to_the_printed_score(pairs, top):
    parts = tuple(Part(f"r(X, Y) :- s{n}(X, Y).", truth, weight, "path") for n, (weight, truth) in enumerate(pairs))
    score = sum(part.share for part in parts)
    shown = replace(mixture(), parts=parts, score=score, rivals=(), counterfactual=None)
    lines = explanation_text(shown, top).splitlines()
    figures = [round(1000 * float(line.split()[0])) for line in lines[1:]]
    assert sum(figures) == round(1000 * float(re.findall(r"score (\S+),", lines[0])[0]))
    cells = re.findall(r'<td class="number">([+-]\d+\.\d+)</td>', explanation_html(shown, top))
    assert [round(1000 * float(cell)) for cell in cells] == figures


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=4), st.floats(0, 5))
def test_the_printed_differences_to_a_rival_sum_to_that_of_the_printed_scores(apart, score):
    *listed, rest = apart
    entries = tuple(Difference(f"r(X, Y) :- s{n}(X, Y).", 0.0, value) for n, value in enumerate(listed))
    other = score + sum(apart)
    rival = Rival(fact("r", "ann", "cy"), other, other - score, entries, rest)
    shown = replace(mixture(), score=score, parts=(), rivals=(rival,), counterfactual=None)
    headline, beside, *lines = explanation_text(shown).splitlines()
    own = round(1000 * float(re.findall(r"score (\S+),", headline)[0]))
    there, difference = (round(1000 * float(text)) for text in re.findall(r": (\S+) \((\S+)\)", beside)[0])
    assert difference == there - own == round(1000 * shown_difference(rival))
    assert sum(round(1000 * float(line.split()[0])) for line in lines) == difference
