"""One node of a network as a tree, and its lines: weights before its inputs, biases in parentheses."""

from dataclasses import dataclass
from typing import Literal as Choice

Kind = Choice["predicate", "pred", "attention", "and", "or", "not", "exists"]

SHOWN_WEIGHT = 0.005  # a mixture's predicates below this weight are counted, not listed

NAMES = {
    "pred": "LNN-pred",
    "attention": "attention",
    "and": "and",
    "or": "or",
    "not": "not",
    "exists": "best of",
    "predicate": "",
}


@dataclass(frozen=True)
class Edge:
    """An input of a node and the weight on the edge to it; None where the operator has no weights."""

    weight: float | None
    node: "Node"


@dataclass(frozen=True)
class Node:
    """One node of the network as a tree, as in the paper's figures: weights on edges, the bias at the node.

    kind    "predicate": a predicate of the knowledge base; "pred" (LNN-pred) and "attention": a mixture of predicates;
            "and", "or", "not": connectives; "exists": variables dropped, the best assignment counts
    norm    of a connective: "lnn", "product", "lukasiewicz"
    """

    kind: Kind
    label: str
    bias: float | None = None
    inputs: tuple[Edge, ...] = ()
    norm: str = "lnn"
    negated: bool = False  # of a predicate that enters a mixture negated


def tree_lines(node: Node) -> list[str]:
    """A node's line, and its inputs' lines indented below it."""
    lines = [node_line(node)]
    shown, hidden = visible(node)
    for place, edge in enumerate(shown):
        last = place == len(shown) - 1 and not hidden
        weight = "" if edge.weight is None else f"{edge.weight:.3f} "
        first, *rest = tree_lines(edge.node)
        lines.append(f"{'└─' if last else '├─'} {weight}{first}")
        lines += [f"{'  ' if last else '│ '} {line}" for line in rest]
    if hidden:
        lines.append(f"└─ {hidden} more with weight below {SHOWN_WEIGHT:g}")
    return lines


def node_line(node: Node) -> str:
    """What a node is: operator, label, bias."""
    if node.kind == "predicate":
        return f"not {node.label}" if node.negated else node.label
    norm = f" [{node.norm}]" if node.kind in ("and", "or") and node.norm != "lnn" else ""
    bias = "" if node.bias is None else f" ({node.bias:.3f})"
    return f"{node.label} = {NAMES[node.kind]}{norm}{bias}"


def visible(node: Node, smallest: float = SHOWN_WEIGHT) -> tuple[list[Edge], int]:
    """The inputs worth showing, of a mixture the heaviest first and none below `smallest`; how many are left."""
    if node.kind not in ("pred", "attention"):
        return list(node.inputs), 0
    heavy = [edge for edge in node.inputs if edge.weight is not None and edge.weight >= smallest]
    heavy.sort(key=lambda edge: -(edge.weight or 0.0))
    return heavy, len(node.inputs) - len(heavy)
