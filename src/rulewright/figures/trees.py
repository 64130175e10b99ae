"""rule_tree(program): a learned rule as the paper draws it, weights on the edges and biases in parentheses."""

from __future__ import annotations

from contextlib import suppress

from rulewright.figures.layout import LABEL_AT, Box, laid_out, spine
from rulewright.figures.lettering import LEADING, POINTS
from rulewright.figures.style import GREY, INK, TEXT, axes_on, figure_of, house
from rulewright.logic.node import SHOWN_WEIGHT, Node
from rulewright.logic.program import Program

with suppress(ImportError):  # the extra `plot`
    from matplotlib.axes import Axes
    from matplotlib.patches import FancyBboxPatch

MARGIN = 0.08  # inches
# Predicates blue, mixtures red, connectives grey, as in the paper; corners and borders differ too, for print in grey.
FILLS = {"predicate": "#dbe9f6", "pred": "#fbdcd0", "attention": "#fbdcd0", "more": "white"}
BORDERS = {"predicate": "#0072b2", "pred": "#d55e00", "attention": "#d55e00", "more": GREY}
ROUND = {"pred", "attention"}


def rule_tree(rule: Program | Node, ax: Axes | None = None, *, smallest: float = SHOWN_WEIGHT, most: int = 5) -> Axes:
    """Draw a learned program, or one node of it and what is below.

    Without `ax` the figure is as large as the tree needs at a legible size, a page wide or more. On axes of yours the
    whole is made smaller until it fits; give them their size before.

    smallest   predicates of a leaf with less weight are counted, not drawn
    most       of a leaf at most so many predicates are drawn, the heaviest
    """
    node = rule.tree if isinstance(rule, Program) else rule
    with house():
        root = laid_out(node, smallest, most)
        boxes = list(root.walk())
        width = max(box.x + box.width / 2 for box in boxes)
        height = root.y + root.height / 2
        fresh = ax is None
        ax = axes_on(ax, width + 2 * MARGIN, height + 2 * MARGIN)
        if fresh:
            figure_of(ax).set_layout_engine("none")
            ax.set_position((0, 0, 1, 1))
        ax.set(xlim=(-MARGIN, width + MARGIN), ylim=(-MARGIN, height + MARGIN), aspect="equal")
        ax.set_axis_off()
        size = TEXT * scale(ax, width + 2 * MARGIN, height + 2 * MARGIN)
        for box in boxes:
            draw_box(ax, box, size)
            for below in box.inputs:
                draw_edge(ax, box, below, size)
    return ax


def scale(ax: Axes, width: float, height: float) -> float:
    """How many inches on the axes an inch of the tree has, at most 1."""
    part, figure = ax.get_position(), figure_of(ax)
    return min(1.0, part.width * figure.get_figwidth() / width, part.height * figure.get_figheight() / height)


def draw_box(ax: Axes, box: Box, size: float) -> None:
    """A box and its text."""
    left, bottom = box.x - box.width / 2, box.y - box.height / 2
    style = "round,pad=0,rounding_size=0.09" if box.kind in ROUND else "square,pad=0"
    ax.add_patch(
        FancyBboxPatch(
            (left, bottom),
            box.width,
            box.height,
            boxstyle=style,
            fc=FILLS.get(box.kind, "#e8e8e8"),
            ec=BORDERS.get(box.kind, INK),
            lw=0.9 if box.kind in FILLS else 1.3,
            ls="--" if box.kind == "more" else "-",
            zorder=2,
        )
    )
    ax.text(
        box.x, box.y, box.text, size=size, ha="center", va="center", linespacing=LEADING, zorder=4, parse_math=False
    )


def draw_edge(ax: Axes, box: Box, below: Box, size: float) -> None:
    """An arrow from an input up to the box it enters, and the weight on it."""
    arrow = {"arrowstyle": "-|>,head_width=0.18,head_length=0.35", "color": INK, "lw": 0.8, "shrinkA": 0, "shrinkB": 0}
    bottom = box.y - box.height / 2
    if box.stacked:
        x, y = spine(box), below.y
        ax.plot([x, below.x - below.width / 2], [y, y], color=INK, lw=0.8, zorder=1)
        if below is box.inputs[-1]:
            ax.annotate("", (x, bottom), (x, y), arrowprops=arrow, zorder=1)
        x, y = (x + below.x - below.width / 2) / 2, y
    else:
        top = below.y + below.height / 2
        ax.annotate("", (box.x, bottom), (below.x, top), arrowprops=arrow, zorder=1)
        x, y = below.x + LABEL_AT * (box.x - below.x), top + LABEL_AT * (bottom - top)
    if below.weight:
        paper = {"fc": "white", "ec": "none", "pad": 0.02 * POINTS}
        ax.text(x, y, below.weight, size=size, ha="center", va="center", bbox=paper, zorder=3, parse_math=False)
