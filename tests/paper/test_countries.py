"""Countries, of the paper's appendix: the rules it says are to be found, learned from the data itself."""

import os

import numpy as np
import pytest

from rulewright.kb.datasets import load_dataset
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.splits import Dataset
from rulewright.learning import Learned, learn
from rulewright.training.fit import FitOptions

REGIONS = ("africa", "americas", "asia", "europe", "oceania")
DOMAINS = "P in {neighborOf, locatedIn}. Q in {neighborOf, locatedIn}."
# Training queries are facts of the graph; with Y = X the last step would be the query itself.
TWO = f"locatedIn(X, Z) :- P(X, Y), Q(Y, Z), X != Y. {DOMAINS}"
THREE = f"locatedIn(X, Z) :- P(X, W), Q(W, Y), O(Y, Z), X != Y. {DOMAINS} O in {{neighborOf, locatedIn}}."
SEEDS = (0, 1, 2)

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("RULEWRIGHT_DATA" not in os.environ, reason="RULEWRIGHT_DATA is not set"),
]


def subregions(kb: KnowledgeBase) -> set[str]:
    return {place for _, place in kb.facts_of("locatedIn")} - set(REGIONS)


def learned(data: Dataset, kb: KnowledgeBase, template: str, candidates: tuple[str, ...], seed: int) -> Learned:
    """Training queries true, the same countries with the other candidates false."""
    true = {(country, place) for country, _, place in data.named(data.train)}
    labels: dict[Fact, float] = {(country, c): float((country, c) in true) for country, _ in true for c in candidates}
    return learn(kb, template, labels, FitOptions(seed=seed), alpha=0.95, impossible="ignore")


def rules(found: Learned) -> list[tuple[str, frozenset[str]]]:
    """Head and body of every rule; a body's parts stand in no particular order."""
    return [(str(r.rule.head), frozenset(map(str, r.rule.body))) for r in found.program.rules]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_country_lies_in_the_subregion_of_a_neighbour(seed: int) -> None:
    data = load_dataset("countries_S2")
    kb = data.knowledge_base()
    found = learned(data, kb, TWO, tuple(sorted(subregions(kb))), seed)
    assert rules(found) == [("locatedIn(X, Z)", frozenset({"neighborOf(X, Y)", "locatedIn(Y, Z)", "X != Y"}))]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_country_lies_in_the_region_of_a_neighbours_subregion(seed: int) -> None:
    """The appendix names another rule for S3; this one proves more of the same queries, in training and in test."""
    data = load_dataset("countries_S3")
    found = learned(data, data.knowledge_base(), THREE, REGIONS, seed)
    body = {"neighborOf(X, W)", "locatedIn(W, Y)", "locatedIn(Y, Z)", "X != Y"}
    assert rules(found) == [("locatedIn(X, Z)", frozenset(body))]


@pytest.mark.parametrize("seed", SEEDS)
def test_without_subregions_a_country_lies_in_the_region_of_a_neighbours_neighbour(seed: int) -> None:
    data = load_dataset("countries_S3")
    kb = data.knowledge_base()
    ids = [kb.constants.id(name) for name in subregions(kb)]
    facts = kb["locatedIn"].facts
    countries = Relation.of(facts[~np.isin(facts, np.array(ids)).any(axis=1)])
    found = learned(data, kb.with_relation("locatedIn", countries), THREE, REGIONS, seed)
    body = {"neighborOf(X, W)", "neighborOf(W, Y)", "locatedIn(Y, Z)", "X != Y"}
    assert rules(found) == [("locatedIn(X, Z)", frozenset(body))]
