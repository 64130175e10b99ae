"""Where the marks on an axis stand."""

import math


def tidy(value: float) -> float:
    """The next of 1, 2, 5 times a power of ten.

    >>> [tidy(value) for value in (0.03, 1.0, 7.0)]
    [0.05, 1.0, 10.0]
    """
    power = 10.0 ** math.floor(math.log10(value))
    return float(next(power * factor for factor in (1, 2, 5, 10) if power * factor >= value * (1 - 1e-9)))


def ticks(end: float, count: int = 4) -> list[float]:
    """About so many tidy marks from 0 to the end, or just beyond it.

    >>> ticks(0.9)
    [0.0, 0.5, 1.0]
    """
    if end <= 0:
        return [0.0, 1.0]
    step = tidy(end / count)
    return [place * step for place in range(math.ceil(end / step - 1e-9) + 1)]
