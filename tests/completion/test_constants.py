"""Rules with constants: counted without the fact they would predict, and fitted to what they tell."""

import numpy as np
from tests.completion.toys import Named, dataset_of

from rulewright.completion.constants import ConstantRules, ConstantScratch, ConstantSettings, learn_constants, no_rules
from rulewright.completion.evidence import Evidence
from rulewright.kb.splits import Dataset
from rulewright.paths.graph import Graph, build_graph

LIVES, SPEAKS = 0, 2
CITY = {"rome": "italian", "lima": "spanish"}


def cities(each: int = 12) -> Dataset:
    triples: list[Named] = []
    for n in range(each):
        for city, language in CITY.items():
            triples += [(f"{city}{n}", "lives", city), (f"{city}{n}", "speaks", language)]
    return dataset_of(triples)


def graph_of(dataset: Dataset) -> Graph:
    return build_graph(dataset.train, len(dataset.entities), len(dataset.relations))


def learned(graph: Graph, relation: int, settings: ConstantSettings | None = None) -> ConstantRules:
    settings = settings or ConstantSettings()
    evidence = Evidence.of(graph, settings.support)
    return learn_constants(graph, evidence, relation, settings, ConstantScratch(graph.entities, len(evidence.facts)), 0)


def as_texts(rules: ConstantRules, dataset: Dataset) -> dict[tuple[str, int, str], float]:
    """(answer, directed relation, constant of the fact) -> weight."""
    names = dataset.entities.names
    facts = np.repeat(rules.facts, np.diff(rules.starts)).tolist()
    return {
        (names[rules.answers[answer]], fact // len(names), names[fact % len(names)]): weight
        for fact, answer, weight in zip(facts, rules.answer.tolist(), rules.weight.tolist(), strict=True)
    }


def test_a_fact_about_a_head_speaks_for_its_answer() -> None:
    dataset = cities()
    graph = graph_of(dataset)
    found = as_texts(learned(graph, SPEAKS), dataset)
    assert found.keys() == {(language, LIVES, city) for city, language in CITY.items()}
    assert all(weight > 0.1 for weight in found.values())


def test_a_fact_is_no_evidence_for_itself() -> None:
    """Everybody has one random answer: the only fact that tells it is the very one in question."""
    triples = [(f"x{n}", "draws", f"a{n % 3}") for n in range(30)]
    graph = graph_of(dataset_of(triples))
    assert len(learned(graph, 0)) == 0


def test_fewer_heads_than_the_support_make_no_rule() -> None:
    dataset = cities(4)
    graph = graph_of(dataset)
    for support, count in ((4, 2), (5, 0)):
        found = learned(graph, SPEAKS, ConstantSettings(support=support))
        assert len(found) == count


def test_memory_is_clean_again_after_each_relation() -> None:
    graph = graph_of(cities())
    evidence = Evidence.of(graph, 2)
    scratch = ConstantScratch(graph.entities, len(evidence.facts))
    first = learn_constants(graph, evidence, SPEAKS, ConstantSettings(), scratch, 0)
    for relation in (0, 1, 3):
        learn_constants(graph, evidence, relation, ConstantSettings(), scratch, 0)
    again = learn_constants(graph, evidence, SPEAKS, ConstantSettings(), scratch, 0)
    assert np.array_equal(first.weight, again.weight)
    assert not scratch.counts.any()
    assert not scratch.seen.any()
    assert (scratch.rows == -1).all()
    assert (scratch.place == -1).all()


def test_a_chosen_rule_about_a_fact_that_nobody_has_keeps_its_first_weight() -> None:
    dataset = cities()
    graph = graph_of(dataset)
    evidence = Evidence.of(graph, 1)
    scratch = ConstantScratch(graph.entities, len(evidence.facts))
    ids = [dataset.entities.names.index(name) for name in ("rome", "italian", "lima")]
    facts = np.array([LIVES * graph.entities + ids[0], SPEAKS * graph.entities + ids[2]])
    chosen = (facts, np.array([ids[1], ids[1]], np.int32))
    found = learn_constants(graph, evidence, SPEAKS, ConstantSettings(), scratch, 0, chosen)
    weights = as_texts(found, dataset)
    assert weights["italian", LIVES, "rome"] != ConstantSettings().initial
    assert weights["italian", SPEAKS, "lima"] == np.float32(ConstantSettings().initial)


def test_a_relation_without_facts_has_no_rules() -> None:
    graph = build_graph(np.array([[0, 0, 1]]), 2, 2)
    assert len(learned(graph, 2)) == 0
    assert len(no_rules()) == 0


def test_rules_by_answer_are_the_same_rules() -> None:
    dataset = cities()
    graph = graph_of(dataset)
    rules = learned(graph, SPEAKS)
    starts, facts, weights = rules.by_answer()
    names = dataset.entities.names
    found = {
        (names[rules.answers[at]], int(facts[i]) // len(names), names[int(facts[i]) % len(names)]): float(weights[i])
        for at in range(len(rules.answers))
        for i in range(starts[at], starts[at + 1])
    }
    assert found == as_texts(rules, dataset)
