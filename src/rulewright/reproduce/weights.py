"""The weights of one conjunction of mixtures, read from a learned program's tree: the shape of the paper's figures."""

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.logic.node import Node
from rulewright.logic.program import Program


@dataclass(frozen=True)
class MixtureWeights:
    """An LNN-pred: its bias, and the weight of each predicate ("not p" for a negated one)."""

    bias: float
    weights: Mapping[str, float]


@dataclass(frozen=True)
class ConjunctionWeights:
    """An LNN-and over mixtures, by the mixtures' names."""

    bias: float
    weights: Mapping[str, float]
    mixtures: Mapping[str, MixtureWeights]


def conjunction_weights(program: Program) -> ConjunctionWeights:
    """The weights of the program's one conjunction; a ValueError where it has another shape."""
    node = program.tree
    while node.kind in ("exists", "or") and len(node.inputs) == 1:
        node = node.inputs[0].node
    if node.kind != "and" or any(edge.node.kind not in ("pred", "attention") for edge in node.inputs):
        raise ValueError(f"the program for {program.head} is not one conjunction of mixtures")
    named = {predicate(edge.node): edge for edge in node.inputs}
    return ConjunctionWeights(
        number(node.bias),
        {name: number(edge.weight) for name, edge in named.items()},
        {name: mixture_weights(edge.node) for name, edge in named.items()},
    )


def mixture_weights(node: Node) -> MixtureWeights:
    """A mixture's bias and weights; where one predicate stands there twice, the larger weight."""
    weights: dict[str, float] = {}
    for edge in node.inputs:
        name = ("not " if edge.node.negated else "") + predicate(edge.node)
        weights[name] = max(number(edge.weight), weights.get(name, 0.0))
    return MixtureWeights(number(node.bias), weights)


def predicate(node: Node) -> str:
    """The name in front of a node's arguments."""
    return node.label.rsplit("(", 1)[0]


def number(value: float | None) -> float:
    """A weight; an operator without weights counts every input once."""
    return 1.0 if value is None else float(value)
