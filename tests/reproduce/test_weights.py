"""Weights as the paper's figures have them."""

import pytest

from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.learning import learn
from rulewright.logic.node import Edge, Node
from rulewright.logic.program import Program
from rulewright.logic.terms import Atom, Variable
from rulewright.reproduce.weights import conjunction_weights

HEAD = Atom("s", (Variable("X"),))


def test_a_learned_chain_shows_its_weights() -> None:
    kb = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy")], "friend": [("cy", "ann")]})
    template = "g(X, Z) :- P(X, Y), Q(Y, Z). P in {parent, friend}. Q in {parent, friend}."
    found = conjunction_weights(learn(kb, template, [("ann", "cy")]).program)
    assert set(found.weights) == set(found.mixtures) == {"P", "Q"}
    for mixture in found.mixtures.values():
        assert mixture.weights["parent"] > 10 * mixture.weights["friend"]


def test_a_predicate_and_its_negation_have_weights_of_their_own() -> None:
    leaf = Node(
        "pred", "P(X)", 1.0, (Edge(0.3, Node("predicate", "a(X)")), Edge(0.7, Node("predicate", "a(X)", negated=True)))
    )
    found = conjunction_weights(Program(HEAD, (), Node("and", "s(X)", 1.5, (Edge(2.0, leaf),))))
    assert found.bias == 1.5
    assert found.weights == {"P": 2.0}
    assert found.mixtures["P"].weights == {"a": 0.3, "not a": 0.7}


def test_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="not one conjunction"):
        conjunction_weights(Program(HEAD, (), Node("predicate", "s(X)")))
