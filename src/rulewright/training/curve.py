"""curves_svg(curves): lines over a number of steps, as a small drawing in the colours of the page around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.logic.markup import ACCENT, shown
from rulewright.logic.ticks import ticks

WIDTH, HEIGHT = 460, 210
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 26, 34
Point = tuple[float, float]


@dataclass(frozen=True)
class Curve:
    """A line with a name; the one that counts is drawn in colour, above the others."""

    name: str
    points: Sequence[Point]
    counts: bool


def curves_svg(curves: Sequence[Curve], marked: Point, axes: tuple[str, str]) -> str:
    """The curves between axes from 0 on, with one point marked."""
    points = [point for curve in curves for point in curve.points]
    right, upper = (ticks(max(point[axis] for point in points)) for axis in (0, 1))

    def placed(point: Point) -> Point:
        across = LEFT + point[0] / right[-1] * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - point[1] / upper[-1] * (HEIGHT - TOP - BOTTOM)

    drawn = sorted(curves, key=lambda curve: curve.counts)
    pieces = [
        *(level(placed((0, tick))[1], f"{tick:g}") for tick in upper),
        *(
            f'<text x="{placed((tick, 0))[0]:.1f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{tick:g}</text>'
            for tick in right
        ),
        *(line(curve.name, [placed(point) for point in curve.points], curve.counts) for curve in drawn),
        f'<circle cx="{placed(marked)[0]:.1f}" cy="{placed(marked)[1]:.1f}" r="4" fill="{ACCENT}"/>',
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 3}" text-anchor="end">{shown(axes[0])}</text>',
        f'<text x="{LEFT}" y="12">{shown(axes[1])}</text>',
    ]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{shown(axes[1])} by {shown(axes[0])}" font-size="11" fill="currentColor">\n'
        + "\n".join(pieces)
        + "\n</svg>"
    )


def level(y: float, name: str) -> str:
    """A line across, with what it stands for."""
    return (
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" stroke-opacity="0.2"/>'
        f'<text x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{name}</text>'
    )


def line(name: str, points: Sequence[Point], counts: bool) -> str:
    """One curve, which says its name when it is pointed at."""
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    look = f'stroke="{ACCENT}" stroke-width="2"' if counts else 'stroke="currentColor" stroke-opacity="0.45"'
    return f'<polyline points="{way}" fill="none" {look}><title>{shown(name)}</title></polyline>'
