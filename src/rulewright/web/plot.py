"""A scatter plot as numbers for an SVG: points, ticks, and the size of the whole."""

import math
from collections.abc import Sequence

from rulewright.logic.ticks import tidy
from rulewright.web.wording import Data

WIDTH, HEIGHT = 640, 280
LEFT, RIGHT, TOP, BOTTOM = 52, 28, 30, 40
Point = tuple[float, float, str, str]  # x in [0, 1], y from 0 on, link, title


def scatter(points: Sequence[Point]) -> Data:
    """Confidence to the right, weight upwards."""
    highest = max((point[1] for point in points), default=1.0) or 1.0
    step, stride = tidy(highest / 4), tidy(max((point[0] for point in points), default=1.0) / 4 or 0.25)
    top = step * math.ceil(highest / step - 1e-9)
    far = stride * math.ceil(max((point[0] for point in points), default=1.0) / stride - 1e-9) or 1.0

    def across(x: float) -> float:
        return round(LEFT + x / far * (WIDTH - LEFT - RIGHT), 1)

    def up(y: float) -> float:
        return round(HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM), 1)

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "top": TOP,
        "bottom": HEIGHT - BOTTOM,
        "points": [{"x": across(x), "y": up(y), "href": href, "title": title} for x, y, href, title in points],
        "x_ticks": [
            {"at": across(tick * stride), "text": f"{100 * tick * stride:g} %"}
            for tick in range(round(far / stride) + 1)
        ],
        "y_ticks": [{"at": up(tick * step), "text": f"{tick * step:g}"} for tick in range(round(top / step) + 1)],
    }
