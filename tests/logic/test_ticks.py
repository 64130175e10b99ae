"""Marks on an axis are round numbers and reach as far as what is drawn."""

import pytest

from rulewright.logic.ticks import ticks, tidy


@pytest.mark.parametrize(("value", "step"), [(0.11, 0.2), (1.0, 1.0), (3.0, 5.0), (70.0, 100.0), (0.02, 0.02)])
def test_steps_are_round_numbers(value: float, step: float) -> None:
    assert tidy(value) == pytest.approx(step)


@pytest.mark.parametrize("end", [0.0, 0.013, 0.9, 1.0, 37.0, 300.0])
def test_marks_go_from_zero_to_the_end_or_just_beyond(end: float) -> None:
    marks = ticks(end)
    assert marks[0] == 0
    assert marks[-1] >= end
    assert len(marks) == 2 or marks[-2] < end
    assert 2 <= len(marks) <= 6
