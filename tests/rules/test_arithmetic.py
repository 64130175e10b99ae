"""A printed formula, worked out by hand, gives the printed value."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.rules.arithmetic import formula, raw_value, worked_out
from rulewright.rules.explanation import Input, Step

SHARES = st.floats(0, 1)
KINDS = [("pred", "lnn"), ("attention", "lnn"), ("and", "lnn"), ("or", "lnn"), ("and", "product"), ("or", "product"),
         ("and", "lukasiewicz"), ("not", "lnn")]  # fmt: skip


def step(kind: str, norm: str, bias: float, terms: list[tuple[float, float]]) -> Step:
    terms = terms[:1] if kind == "not" else terms
    weighted = norm == "lnn" and kind != "not"
    inputs = tuple(
        Input(weight if weighted else None, Step("same", f"x{place}", value, value))
        for place, (weight, value) in enumerate(terms)
    )
    bare = Step(kind, "y", 0.0, 0.0, bias if weighted else None, inputs, norm)  # type: ignore[arg-type]
    raw = raw_value(bare)
    return Step(kind, "y", min(max(raw, 0.0), 1.0), raw, bare.bias, inputs, norm)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "norm"), KINDS)
@given(st.floats(0.5, 2), st.lists(st.tuples(st.floats(0, 3), SHARES), min_size=1, max_size=5))
def test_whoever_works_it_out_comes_to_the_value(
    kind: str, norm: str, bias: float, terms: list[tuple[float, float]]
) -> None:
    made = step(kind, norm, bias, terms)
    text = formula(made)
    assert re.fullmatch(r"[-+x()\d. ]+", text)
    result = eval(text.replace("x", "*"))  # an expression of digits alone, as the line before makes sure
    assert result == pytest.approx(made.raw, abs=1.01e-3)
    if len(re.findall(r"\.(\d+)", text)[0]) < 8:
        assert abs(result - round(made.raw, 3)) < 5e-4


def test_three_places_are_enough_where_they_are() -> None:
    assert formula(step("pred", "lnn", 0.9, [(0.5, 1.0)])) == "1 - 0.900 + 0.500 x 1.000"
    assert formula(step("pred", "lnn", 0.93144, [(0.79572, 1.0)])) == "1 - 0.9314 + 0.7957 x 1.0000"


def test_what_is_brought_back_into_the_unit_interval_shows_from_where() -> None:
    assert worked_out(step("and", "lnn", 1.5, [(1.0, 1.0)])) == "1.500 - 1.000 x (1 - 1.000) = 1.500"
    assert worked_out(step("and", "lnn", 1.0, [(1.0, 1.0)])) == "1.000 - 1.000 x (1 - 1.000)"
