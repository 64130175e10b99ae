"""The formulas of an explanation's steps: every value follows from the values of its inputs, in plain Python.

    fact            its truth in the knowledge base, or 1 less it where it enters negated
    absent          0
    pred            relu1(1 - bias + sum w x)
    attention       relu1(sum w x)
    and, lnn        relu1(bias - sum w (1 - x))      product: x1 x2 ...            lukasiewicz: relu1(1 - sum (1 - x))
    or, lnn         relu1(1 - bias + sum w x)        product: 1 - (1 - x1) ...     lukasiewicz: relu1(sum x)
    not             1 - x
    exists          the largest x
    same            x

with relu1(v) = max(0, min(1, v)).
"""

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from rulewright.rules.explanation import Input, Step

PLACES, MOST_PLACES = 3, 8  # of the numbers printed


def raw_value(step: Step) -> float:
    """The value before it is brought back into [0, 1], by the step's formula from the values of its inputs."""
    values = [entry.step.value for entry in step.inputs]
    weights = [1.0 if entry.weight is None else entry.weight for entry in step.inputs]
    bias = 1.0 if step.bias is None else step.bias
    match step.kind, step.norm:
        case "fact", _:
            return truth_of(step)
        case "absent", _:
            return 0.0
        case ("pred" | "attention", _) | ("or", "lnn" | "lukasiewicz"):
            return 1 - bias + sum(weight * value for weight, value in zip(weights, values, strict=True))
        case "and", "lnn" | "lukasiewicz":
            return bias - sum(weight * (1 - value) for weight, value in zip(weights, values, strict=True))
        case "and", _:
            return prod(values)
        case "or", _:
            return 1 - prod(1 - value for value in values)
        case "not", _:
            return 1 - values[0]
        case _:
            return max(values)


def truth_of(step: Step) -> float:
    """What a fact brings in: its truth, or 1 less it."""
    truth = 0.0 if step.fact is None else step.fact.truth
    return 1 - truth if step.negated else truth


def formula(step: Step) -> str:
    """The step's formula with its numbers, short enough for one line.

    They have as many places as it takes for whoever works it out by hand to come to the value that is printed.
    """
    exact = (places for places in range(PLACES, MOST_PLACES) if gives_its_value(step, places))
    return written(step, next(exact, MOST_PLACES))


def gives_its_value(step: Step, places: int) -> bool:
    """Whether the formula of the rounded numbers gives the rounded value."""
    inputs = tuple(
        Input(
            None if entry.weight is None else round(entry.weight, places),
            replace(entry.step, value=round(entry.step.value, places)),
        )
        for entry in step.inputs
    )
    rounded = replace(step, inputs=inputs, bias=None if step.bias is None else round(step.bias, places))
    unit = float(10**-PLACES)
    return abs(raw_value(rounded) - round(step.raw, PLACES)) < unit / 2 - 1e-9  # and not just half a unit away


def worked_out(step: Step) -> str:
    """The formula, and what it gives where that is more than 1 or less than 0."""
    clamped = abs(step.raw - step.value) >= 10**-PLACES / 2
    return f"{formula(step)} = {step.raw:.{PLACES}f}" if clamped else formula(step)


def written(step: Step, places: int) -> str:
    """The formula with so many decimal places."""
    values = [f"{entry.step.value:.{places}f}" for entry in step.inputs]
    weights = ["" if entry.weight is None else f"{entry.weight:.{places}f} x " for entry in step.inputs]
    denied = [f"{weight}(1 - {value})" for weight, value in zip(weights, values, strict=True)]
    bias = 1.0 if step.bias is None else step.bias
    match step.kind, step.norm:
        case "fact", _:
            return f"1 - {step.fact.truth:.{places}f}" if step.negated and step.fact else f"{step.value:.{places}f}"
        case "absent", _:
            return "0"
        case ("pred" | "attention", _) | ("or", "lnn" | "lukasiewicz"):
            first = [] if bias == 1 else [f"1 - {bias:.{places}f}"]
            return " + ".join([*first, *map("".join, zip(weights, values, strict=True))]) or "0"
        case "and", "lnn" | "lukasiewicz":
            return " - ".join([f"{bias:.{places}f}", *denied])
        case "and", _:
            return " x ".join(values)
        case "or", _:
            return "1 - " + " x ".join(f"(1 - {value})" for value in values)
        case "not", _:
            return f"1 - {values[0]}"
        case "exists", _:
            tied = f", {step.tied} tie" if step.tied > 1 else ""
            return f"the best of {step.ways}{tied}" if step.ways > 1 else "the only way"
        case _:
            return values[0]


def steps_of(step: Step) -> Iterator[Step]:
    """The step and everything below it."""
    yield step
    for entry in step.inputs:
        yield from steps_of(entry.step)
