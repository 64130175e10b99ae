"""Names of any length fit into three lines, and lines are measured as they come out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from rulewright.figures.lettering import LEADING, MOST_LINES, WIDEST_LINE, extent, shortened, wrapped
from rulewright.figures.style import TEXT, house


@given(st.text(max_size=200))
def test_every_name_fits_into_three_lines_that_can_be_printed(name: str) -> None:
    lines = wrapped(name).split("\n")
    assert len(lines) <= MOST_LINES
    assert all(1 <= len(line) <= WIDEST_LINE and line.isprintable() for line in lines)


def test_a_short_name_stays_as_it_is() -> None:
    assert wrapped("parent(X, Y)") == "parent(X, Y)"


def test_the_arguments_go_to_the_next_line_together() -> None:
    assert wrapped("'body of grandparent'(X, Z, Y)") == "'body of grandparent'\n(X, Z, Y)"


def test_a_very_long_name_keeps_its_beginning_and_its_end() -> None:
    text = wrapped("begin" + "x" * 300 + "end(X, Y)").replace("\n", "")
    assert text.startswith("beginx")
    assert "…" in text
    assert text.endswith("end(X, Y)")


def test_a_line_end_in_a_name_is_no_line_end_in_the_box() -> None:
    assert wrapped("a\nb\x1b") == r"a\nb\x1b"


@pytest.mark.parametrize("text", ["parent(X, Y)", "¬ WWW\niii", "LNN-∧ (1.119)", "$a_b$"])
def test_an_extent_is_that_of_the_drawn_text(text: str) -> None:
    figure = Figure()
    with house():
        drawn = figure.text(0, 0, text, size=TEXT, linespacing=LEADING)
    box = drawn.get_window_extent()
    width, height = extent(text)
    assert width == pytest.approx(box.width / figure.dpi, abs=0.04)
    assert height >= box.height / figure.dpi - 0.04


@given(st.text(st.characters(codec="latin-1"), max_size=60))
def test_a_shortened_name_stands_on_one_line_within_its_room(name: str) -> None:
    text = shortened(name, 1.2)
    assert text.isprintable()
    assert extent(text)[0] <= 1.2


def test_of_a_name_that_is_too_long_the_ends_remain() -> None:
    assert shortened("HasTargetSouth", 1.2) == "HasTargetSouth"
    text = shortened("/location/location/contains(X, Y)", 1.2)
    assert text.startswith("/location")
    assert "…" in text
    assert text.endswith("(X, Y)")
