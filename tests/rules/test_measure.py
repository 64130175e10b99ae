import numpy as np
import pytest
from tests.rules.networks import network, planned

from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.rules.extract import extract
from rulewright.rules.measure import measured
from rulewright.training.labels import Targets, place_labels

KB = KnowledgeBase.of(
    {"p": [("a",), ("b",), ("c",), ("d",)], "q": [("c",), ("d",), ("e",)], "r": [("a",), ("e",)]},
    truth={"r": [0.6, 0.6]},
)
TEXT = "t(X) :- P(X). P in {p, q, r}."


def measure(weights: list[float], labels: dict, **options):
    found = network(TEXT, KB, P=weights)
    grounding = ground(found.plan, KB)
    targets = place_labels(labels, grounding, KB)
    return measured(extract(found), KB, grounding, found.truths(grounding), targets, **options)


def test_support_counts_labelled_facts_and_confidence_the_true_ones_among_them():
    program = measure([1, 0.8, 0], {("a",): 1, ("b",): 1, ("c",): 0, ("e",): 0})
    figures = {str(learned.rule): (learned.support, learned.confidence) for learned in program.rules}
    assert figures == {"t(X) :- p(X).": (3, pytest.approx(2 / 3)), "t(X) :- q(X).": (2, 0.0)}


def test_a_rule_without_labelled_facts_has_confidence_zero():
    (learned,) = measure([0, 1, 0], {("a",): 1, ("b",): 0}).rules
    assert (learned.support, learned.confidence) == (0, 0.0)


def test_the_text_of_a_network_over_crisp_facts_is_faithful():
    fidelity = measure([1, 0.8, 0], {("a",): 1, ("e",): 0}).fidelity
    assert (fidelity.facts, fidelity.agreeing, fidelity.share) == (5, 5, 1.0)


def test_where_facts_are_soft_the_fidelity_says_how_far_the_text_is_off():
    # r is true to 0.6: the text takes that for true, but at weight 0.7 the network gives 0.42.
    fidelity = measure([0, 0, 0.7], {("a",): 1, ("e",): 0}).fidelity
    assert (fidelity.facts, fidelity.agreeing) == (5, 3)


def test_what_would_take_too_many_rows_stays_unmeasured():
    kb = KnowledgeBase.of({"p": [("a", n) for n in range(40)], "q": [("a", n) for n in range(40)]})
    text = "t(X) :- R(X), S(X). R(X) :- P(X, Y). S(X) :- Q(X, Y). P in {p}. Q in {q}."
    found = network(text, kb, P=[1], Q=[1])
    assert [str(learned.rule) for learned in extract(found).rules] == ["t(X) :- p(X, Y), q(X, Y2)."]
    grounding = ground(planned(text, kb), kb)  # drops Y before it joins: 40 rows at a time
    targets = Targets(np.array([0]), np.empty(0, dtype=np.int64))
    limits = GroundingLimits(rows=1000)  # the text joins 1,600
    program = measured(extract(found), kb, grounding, found.truths(grounding), targets, limits)
    assert program.fidelity is None
    assert program.rules[0].support is None
