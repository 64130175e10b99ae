"""Where the boxes of a rule tree go: a box for each node, inputs below it, nothing on top of anything else.

All lengths are inches. Inputs stand side by side, as in the paper; the predicates of a leaf stand in a column where
their row would make the picture wider than a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.errors import OptionError
from rulewright.figures.lettering import extent, wrapped
from rulewright.figures.style import PAGE
from rulewright.logic.node import NAMES, Node, visible

PADDING = 0.07  # from a box's text to its border
ASIDE = 0.16  # between neighbours
BETWEEN = 0.52  # from a row to the one above: room for an edge and its weight
STACKED = 0.1  # between the boxes of a column
INDENT = 0.62  # from the spine of a column to its boxes: room for a weight
SPINE = 0.12  # from the left end of a column to its spine
LABEL_AT = 0.34  # of the way up an edge: where its weight stands
MOST_BOXES = 250
SIGNS = {"and": "∧", "or": "∨"}


@dataclass(eq=False)
class Box:
    """A node's box: what it says, its middle and size, the weight on the edge up from it, and the boxes below."""

    kind: str
    text: str
    weight: str
    width: float
    height: float
    inputs: list[Box] = field(default_factory=list)
    stacked: bool = False  # its inputs stand in a column
    x: float = 0.0
    y: float = 0.0  # upwards

    def walk(self) -> Iterator[Box]:
        """This box and all below it."""
        yield self
        for below in self.inputs:
            yield from below.walk()

    @property
    def slot(self) -> float:
        """The width this box and all below it need to themselves."""
        if self.stacked:
            return max(self.width, SPINE + INDENT + max(below.width for below in self.inputs))
        beneath = sum(below.claim for below in self.inputs) + ASIDE * max(len(self.inputs) - 1, 0)
        return max(self.width, beneath)

    @property
    def claim(self) -> float:
        """The slot, but wide enough that weights of neighbouring edges stay apart."""
        return max(self.slot, (extent(self.weight)[0] + PADDING) / (1 - LABEL_AT) if self.weight else 0.0)


def laid_out(node: Node, smallest: float, most: int) -> Box:
    """The boxes of a tree in their places, the lowest border and the leftmost at 0."""
    box = box_of(node, None, smallest, most)
    count = sum(1 for _ in box.walk())
    if count > MOST_BOXES:
        raise OptionError(
            f"this tree has {count} boxes, and no picture shows more than {MOST_BOXES} legibly: draw a part of it, "
            f"such as program.tree.inputs[0].node, or fewer predicates (`smallest`, `most`)"
        )
    if box.claim > PAGE:
        for inner in box.walk():
            inner.stacked = len(inner.inputs) > 1 and all(not below.inputs for below in inner.inputs)
    place(box, 0.0, rows(box))
    lowest = min(inner.y - inner.height / 2 for inner in box.walk())
    for inner in box.walk():
        inner.y -= lowest
    return box


def box_of(node: Node, weight: float | None, smallest: float, most: int) -> Box:
    """A node's box, measured, and those below it; a mixture shows its heaviest members and counts the rest."""
    shown, hidden = visible(node, smallest)
    if node.kind in ("pred", "attention") and len(shown) > most:
        shown, hidden = shown[:most], hidden + len(shown) - most
    inputs = [box_of(edge.node, edge.weight, smallest, most) for edge in shown]
    if hidden:
        idle = hidden == sum(edge.weight == 0 for edge in node.inputs)  # the rule does without them
        inputs.append(measured("more", f"{hidden} of weight 0" if idle else f"… {hidden} more", ""))
    box = measured(node.kind, text_of(node), "" if weight is None else f"{weight:.3f}")
    box.inputs = inputs
    return box


def text_of(node: Node) -> str:
    """What a box says: the formula, and below it the operator with its bias in parentheses."""
    if node.kind == "predicate":
        return wrapped(f"¬ {node.label}" if node.negated else node.label)
    if node.kind == "not":
        return "¬"
    name = NAMES[node.kind]
    if node.kind in SIGNS:
        norm = {"lnn": "LNN-", "lukasiewicz": "Łukasiewicz "}.get(node.norm, f"{node.norm} ")
        name = f"{norm}{SIGNS[node.kind]}"
    bias = "" if node.bias is None else f" ({node.bias:.3f})"
    return f"{wrapped(node.label)}\n{name}{bias}"


def measured(kind: str, text: str, weight: str) -> Box:
    """A box of the size its text needs."""
    width, height = extent(text)
    return Box(kind, text, weight, width + 2 * PADDING, height + 2 * PADDING)


def rows(root: Box) -> list[float]:
    """The height of each row, which is that of its highest box; columns hang below the last row they start from."""
    heights: list[float] = []
    level = [root]
    while level:
        heights.append(max(box.height for box in level))
        level = [below for box in level if not box.stacked for below in box.inputs]
    return heights


def place(box: Box, left: float, heights: list[float], depth: int = 0) -> None:
    """Put a box in the middle over its inputs, which stand side by side from `left` on, or in a column below it."""
    box.y = -sum(heights[:depth]) - depth * BETWEEN - heights[depth] / 2
    width = box.claim
    if box.stacked:
        stack(box, left + (width - box.slot) / 2)
        return
    beneath = sum(below.claim for below in box.inputs) + ASIDE * max(len(box.inputs) - 1, 0)
    start = left + (width - beneath) / 2
    for below in box.inputs:
        place(below, start, heights, depth + 1)
        start += below.claim + ASIDE
    box.x = (box.inputs[0].x + box.inputs[-1].x) / 2 if box.inputs else left + width / 2
    # Where unequal inputs draw it aside, it stays within what is its own.
    box.x = min(max(box.x, left + box.width / 2), left + width - box.width / 2)


def stack(box: Box, left: float) -> None:
    """A box with its inputs in a column below it, beside a spine that starts under the box."""
    box.x = left + max(box.width / 2, SPINE)
    top = box.y - box.height / 2 - STACKED - PADDING
    for below in box.inputs:
        below.x = left + SPINE + INDENT + below.width / 2
        below.y = top - below.height / 2
        top -= below.height + STACKED


def spine(box: Box) -> float:
    """Where the spine of a column stands."""
    return box.x - max(box.width / 2, SPINE) + SPINE
