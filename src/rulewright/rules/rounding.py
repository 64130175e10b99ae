"""Figures of an explanation as they are printed: rounded so that what adds up still does, to the last place shown.

Rounded one by one, the parts of a score may miss it by a unit of the last place for every few parts. Here each figure
goes to one of its two neighbours, and of those that could go either way the ones nearest to the upper go up.
"""

from collections.abc import Sequence
from math import floor

from rulewright.rules.arithmetic import PLACES
from rulewright.rules.explanation import Explanation, Rival

UNIT = 10**PLACES
SLACK = 2 / UNIT  # values that are further from their total than rounding can explain are no sum


def adding_up(values: Sequence[float], total: float) -> list[float]:
    """The values rounded such that they sum to the rounded total; one by one where they are no sum of it.

    >>> adding_up([0.3335, 0.3335, 0.3335], 1.0005)
    [0.334, 0.333, 0.333]
    """
    below = [floor(value * UNIT) for value in values]
    missing = round(round(total, PLACES) * UNIT) - sum(below)
    if abs(sum(values) - total) > SLACK or not 0 <= missing <= len(values):
        return [round(value, PLACES) for value in values]
    upwards = sorted(range(len(values)), key=lambda place: below[place] - values[place] * UNIT)[:missing]
    for place in upwards:
        below[place] += 1
    return [units / UNIT for units in below]


def shown_shares(explanation: Explanation, top: int | None) -> list[float]:
    """The shares of the parts listed, and behind them that of all others if there are any."""
    left = [] if top is None else explanation.parts[top:]
    shares = [part.share for part in explanation.parts[:top]]
    return adding_up([*shares, sum(part.share for part in left)] if left else shares, explanation.score)


def shown_difference(rival: Rival) -> float:
    """How far a candidate is from the fact explained, by their scores as they are printed."""
    return round(rival.score, PLACES) - round(rival.score - rival.difference, PLACES)


def shown_differences(rival: Rival) -> list[float]:
    """What every rule listed makes of that difference, and behind them what the others do if they do anything."""
    apart = [entry.there - entry.here for entry in rival.differences]
    return adding_up([*apart, rival.rest] if rival.rest else apart, shown_difference(rival))
