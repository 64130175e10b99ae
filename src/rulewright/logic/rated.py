"""A rule with the figures that tools attach to one."""

from dataclasses import dataclass
from math import isfinite

from rulewright.logic.markup import Shown
from rulewright.logic.rule import Rule


@dataclass(frozen=True)
class RatedRule(Shown):
    """A rule and what is known of its worth; None where that was not stated or not counted.

    weight      what it counts for in the model it comes from: a mixture's weight, a template's truth
    predicted   head facts for which the body holds
    correct     how many of these are true
    confidence  the share, or another tool's estimate of it
    """

    rule: Rule
    weight: float | None = None
    predicted: int | None = None
    correct: int | None = None
    confidence: float | None = None

    def __str__(self) -> str:
        return str(self.rule) if self.weight is None else f"{self.weight:.3f}  {self.rule}"


def figure(written: str | float) -> float:
    """A figure that somebody wrote beside a rule; a ValueError for what is no finite number."""
    number = float(written)
    if not isfinite(number):
        raise ValueError(f"{written} is not finite")
    return number
