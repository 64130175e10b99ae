import pytest
import torch
from tests.rules.networks import network, random_facts

from rulewright.logic.node import Node
from rulewright.rules.occurrences import unroll
from rulewright.rules.tree import network_tree

KB = random_facts(0)


def tree(text: str, **weights: list[float]) -> Node:
    found = network(text, KB, **weights)
    with torch.no_grad():
        return network_tree(found, unroll(found.plan))


def outline(node: Node) -> str:
    """Kinds only, as nested brackets."""
    below = ", ".join(outline(edge.node) for edge in node.inputs)
    return f"{node.kind}({below})" if below else node.kind


def test_the_tree_has_the_shape_of_the_template():
    text = "S(X) :- R(X) ; O(X). R(X) :- P(X, Y), not Q(Y). P in {a, b}. Q in {u}. O in {v} @attention."
    assert outline(tree(text)) == (
        "or(exists(and(pred(predicate, predicate), not(pred(predicate)))), attention(predicate))"
    )


def test_weights_stand_on_edges_and_biases_at_nodes():
    root = tree("S(X) :- P(X), Q(X). P in {u, v}. Q in {w}.", P=[0.7, 0.2], Q=[1])
    assert (root.kind, root.norm, root.label) == ("and", "lnn", "S(X)")
    assert root.bias == pytest.approx(1.0559, abs=1e-3)
    assert [edge.weight for edge in root.inputs] == pytest.approx([1.0588] * 2, abs=1e-3)
    choice = root.inputs[0].node
    assert (choice.kind, choice.label, choice.bias) == ("pred", "P(X)", 1)
    assert [(round(e.weight, 3), e.node.label) for e in choice.inputs] == [(0.7, "u(X)"), (0.2, "v(X)")]


def test_parameter_free_connectives_have_neither():
    root = tree("S(X) @product :- P(X), Q(X). P in {u}. Q in {v}.")
    assert (root.kind, root.norm, root.bias) == ("and", "product", None)
    assert [edge.weight for edge in root.inputs] == [None, None]


def test_negated_members_and_conditions_are_shown():
    root = tree("S(X) :- P(X, Y), Q(Y), X != Y. P in {a}. Q in {u, not v}.")
    (joined,) = (edge.node for edge in root.inputs)
    assert root.kind == "exists"
    assert joined.label.endswith("X != Y")
    assert [edge.node.negated for edge in joined.inputs[1].node.inputs] == [False, True]


def test_a_negation_over_a_universe_is_a_node():
    assert outline(tree("S(X) :- not P(X) over {w}. P in {u}.")) == "not(pred(predicate))"
    assert tree("S(X) :- not P(X) over {w}. P in {u}.").label == "not P(X)"


def test_a_comparison_with_one_atom_is_a_conjunction_of_one():
    assert outline(tree("S(X, Y) :- P(X, Y), X < Y. P in {a}.")) == "and(pred(predicate))"
