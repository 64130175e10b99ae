"""The network as a tree with its weights, as the paper draws it."""

from typing import Literal

from rulewright.grounding.plan import Complement, Disjoin, Join, Project, Union
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.operators import And, Attention, Or
from rulewright.logic.node import Edge, Node
from rulewright.logic.terms import Atom
from rulewright.rules.occurrences import Occurrence


def network_tree(network: RuleNetwork, at: Occurrence) -> Node:
    """The occurrence and everything below it, with trained weights."""
    step = network.plan.steps[at.place]
    label = str(Atom(step.name, at.terms))
    operator = network.operator(at.place)
    inputs = [network_tree(network, below) for below in at.inputs]
    match step:
        case Union(leaf):
            mixture = network.mixtures()[leaf.name]
            edges = tuple(
                Edge(weight, Node("predicate", str(Atom(member.predicate, at.terms)), negated=member.negated))
                for weight, member in zip(mixture.weights.tolist(), leaf.members, strict=True)
            )
            if isinstance(mixture, Attention):
                return Node("attention", label, None, edges, norm="attention")
            return Node("pred", label, float(mixture.bias), edges)
        case Join():
            negated = [
                Node("not", f"not {node.label}", None, (Edge(None, node),)) for node in inputs[len(step.positives) :]
            ]
            below = [*inputs[: len(step.positives)], *negated]
            written = ", ".join([label, *map(str, at.conditions)])
            if operator is None:
                return Node("and", written, None, (Edge(None, below[0]),), norm=step.operator.norm)
            return connective("and", written, operator, below, step.operator.norm)
        case Disjoin():
            assert operator is not None
            return connective("or", label, operator, inputs, step.operator.norm)
        case Project():
            return Node("exists", label, None, (Edge(None, inputs[0]),))
        case Complement():
            return Node("not", f"not {inputs[0].label}", None, (Edge(None, inputs[0]),))


def connective(kind: Literal["and", "or"], label: str, operator: object, inputs: list[Node], norm: str) -> Node:
    """A conjunction or disjunction with its weights, where it has some."""
    if isinstance(operator, And | Or):
        edges = tuple(Edge(weight, node) for weight, node in zip(operator.weights.tolist(), inputs, strict=True))
        return Node(kind, label, float(operator.bias), edges, norm)
    return Node(kind, label, None, tuple(Edge(None, node) for node in inputs), norm)
