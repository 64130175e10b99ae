"""Notebooks show a model, its rules, its answers and its figures as tables; names from data stay text."""

from dataclasses import replace

import pytest
from IPython.lib.pretty import pretty
from tests.completion.toys import dataset_of, families, held_out, quick
from tests.logic.well_formed import EVIL, card

from rulewright.completion.complete import complete
from rulewright.completion.evaluate import Evaluation, evaluate
from rulewright.completion.explain import explain
from rulewright.completion.model import Answers, CompletionModel, FailedRelation
from rulewright.completion.ranking import Ranks
from rulewright.completion.rules import SHOWN_RULES, WeightedRules, rules_of
from rulewright.logic.harmless import harmless

Learned = tuple[CompletionModel, Evaluation]


@pytest.fixture(scope="module")
def learned() -> Learned:
    """Families in which the grandparents' relation and the first grandparent have names that mean harm."""
    names = {"grandparent": EVIL, "g0": EVIL}
    triples = [(names.get(h, h), names.get(r, r), t) for h, r, t in families(8)]
    train, test = held_out(triples, EVIL, every=4, offset=1)
    dataset = dataset_of(train, test=test, name=EVIL)
    model = complete(dataset, quick(epochs=5), threads=1)
    return model, evaluate(model, dataset, threads=1)


def test_a_model_shows_its_sizes_and_its_relations_with_their_rules(learned: Learned) -> None:
    model, _ = learned
    text = card(model).text
    assert text.count("<script>alert(1)</script>") == 2  # the model's name and the relation's
    facts = len(model.graph.pairs(0))
    assert f"{facts:,}{model.rule_count(0):,}{model.rule_count(1):,}parent" in text


def test_the_rules_that_are_counted_are_the_rules_there_are(learned: Learned) -> None:
    model, _ = learned
    for relation in range(2 * len(model.relations)):
        assert model.rule_count(relation) == len(rules_of(model, relation))


def test_a_model_prints_as_one_line(learned: Learned) -> None:
    model, _ = learned
    rules = sum(map(model.rule_count, range(4)))
    sizes = f"{len(model.entities)} entities, 2 relations, {len(model.triples)} facts, {rules} rules"
    assert str(model) == f"{EVIL}: {sizes}"
    assert pretty(model) == harmless(str(model))
    assert repr(model) == f"<CompletionModel {model}>"


def test_relations_that_were_not_learned_are_named(learned: Learned) -> None:
    model = replace(learned[0], failed=(FailedRelation("broken", "why"),))
    assert "Not learned: broken." in card(model).text


def test_rules_are_listed_with_weight_coverage_and_confidence(learned: Learned) -> None:
    model, _ = learned
    rules = rules_of(model, model.relation_id(EVIL))
    text = card(rules).text
    assert f"{rules[0].weight:.3f}" in text
    assert f"{rules[0].coverage:.1%}" in text
    assert "<script>alert(1)</script>" in text
    assert str(rules) == "\n".join(map(str, rules))
    assert pretty(rules) == harmless(str(rules))


def test_of_many_rules_the_first_are_shown_and_the_others_counted(learned: Learned) -> None:
    rule = rules_of(learned[0], 0)[0]
    assert "2,000 more rules" in card(WeightedRules([rule] * (2000 + SHOWN_RULES))).text


def test_answers_are_listed_with_their_scores(learned: Learned) -> None:
    model, _ = learned
    answers = model.predict("p00", "parent^-1", include_known=True)
    assert answers[0].entity == EVIL
    shown = card(answers)
    assert f"{answers[0].score:.3f}" in shown.text
    assert "<script>alert(1)</script>" in shown.text
    assert "a known fact" in shown.text
    assert "(a known fact)" in pretty(answers)


def test_no_answer_is_said() -> None:
    assert card(Answers()).text.strip() == "No rule speaks for any answer."
    assert str(Answers()) == "no rule speaks for any answer"


def test_an_explanation_shows_itself(learned: Learned) -> None:
    model, _ = learned
    found = explain(model, EVIL, EVIL, "c000")
    shown = card(found)
    assert "the score" in shown.text
    assert "<script>alert(1)</script>" in shown.text


def test_an_evaluation_shows_figures_protocol_and_relations(learned: Learned) -> None:
    _, evaluation = learned
    text = card(evaluation).text
    assert f"{evaluation.figures['mrr']:.4f}" in text
    assert "ties averaged as in the paper" in text
    assert text.count("<script>alert(1)</script>") == 2  # the data set's name in the protocol, and the relation's
    assert f"{evaluation.seconds}" not in text
    assert pretty(evaluation) == harmless(str(evaluation))


def test_ranks_show_their_figures_under_every_way_to_rank_ties(learned: Learned) -> None:
    model, _ = learned
    ranks = model.rank(0, model.graph.pairs(0), model.graph)
    assert isinstance(ranks, Ranks)
    text = card(ranks).text
    for ties in ("average", "optimistic", "pessimistic"):
        assert ties in text
    assert f"{ranks.figures('optimistic')['mrr']:.4f}" in text
    assert pretty(ranks) == str(ranks)
