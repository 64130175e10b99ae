"""On graphs whose right rule is known, that rule comes out on top and gives the right answer."""

from typing import Any

import numpy as np
import pytest
from tests.completion.toys import Named, dataset_of, families, held_out, quick, random_pairs

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.evaluate import evaluate
from rulewright.completion.mixture import Mixture
from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import WeightedRule, rules_of
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import DatasetError, InputError, OptionError
from rulewright.kb.splits import Dataset


def strongest(model: CompletionModel, relation: str) -> WeightedRule:
    return rules_of(model, model.relation_id(relation))[0]


def learned(triples: list[Named], settings: CompletionSettings) -> CompletionModel:
    return complete(dataset_of(triples), settings, threads=1)


@pytest.fixture(scope="module")
def family() -> tuple[CompletionModel, Dataset]:
    train, test = held_out(families(), "grandparent", 8)
    dataset = dataset_of(train, test=test)
    return complete(dataset, quick(direct=False), threads=1), dataset


def test_a_grandparent_is_a_parent_of_a_parent(family: tuple[CompletionModel, Dataset]) -> None:
    model, _ = family
    best = strongest(model, "grandparent")
    assert str(best.rule) == "grandparent(X, Y) :- parent(X, A), parent(A, Y)."
    assert best.kind == "path"
    assert model.mixture(model.relation_id("grandparent")).sampled == 56
    assert best.support is not None
    assert best.confidence is not None
    assert 20 <= best.support < 56  # no fold hides the whole body, but some hide one of its two facts
    assert best.confidence <= best.support / 56
    assert best.confidence == pytest.approx(best.support / 56 / 4, rel=0.8)  # a walk ends on one of four grandchildren
    other = strongest(model, "grandparent^-1")
    assert str(other.rule) == "grandparent(Y, X) :- parent(A, X), parent(Y, A)."


def test_the_held_out_grandchild_is_the_first_answer(family: tuple[CompletionModel, Dataset]) -> None:
    model, dataset = family
    for head, relation, tail in dataset.named(dataset.test):
        answers = model.predict(head, relation)
        assert answers[0].entity == tail
        assert not answers[0].known
        assert [a.score for a in answers] == sorted((a.score for a in answers), reverse=True)
        everything = model.predict(head, relation, top=4, include_known=True)
        assert {a.entity for a in everything} == {f"c{head[1:]}{p}{c}" for p in range(2) for c in range(2)}
        assert [a.entity for a in everything if not a.known] == [tail]
    assert evaluate(model, dataset, "test", 1).figures["mrr"] > 0.95


def test_an_inverse_relation_is_found() -> None:
    pairs = random_pairs("of", 30, 90, seed=1)
    train, test = held_out([*pairs, *((t, "has", h) for h, _, t in pairs)], "has", 10)
    dataset = dataset_of(train, test=test)
    model = complete(dataset, quick(length=2, direct=False), threads=1)
    assert str(strongest(model, "has").rule) == "has(X, Y) :- of(Y, X)."
    assert str(strongest(model, "of").rule) == "of(X, Y) :- has(Y, X)."
    assert evaluate(model, dataset, "test", 1).figures["hits@1"] == 1


def test_a_symmetric_relation_is_found_without_seeing_the_fact_itself() -> None:
    pairs = [(h, r, t) for h, r, t in random_pairs("spouse", 40, 60, seed=2) if h < t]
    backwards = [(t, r, h) for h, r, t in pairs]
    dataset = dataset_of([*pairs, *backwards[3:]], test=backwards[:3])
    model = complete(dataset, quick(length=2, direct=False), threads=1)
    assert str(strongest(model, "spouse").rule) == "spouse(X, Y) :- spouse(Y, X)."
    assert evaluate(model, dataset, "test", 1).figures["hits@1"] == 1


def test_a_rule_with_constants_is_found() -> None:
    """Who lives in Rome speaks Italian; the languages have nothing else in common with the cities."""
    speaks = {"rome": "italian", "lima": "spanish", "oslo": "norse"}
    people = [(f"e{n}", city) for n, city in enumerate([*speaks] * 20)]
    triples = [(who, "lives", city) for who, city in people]
    triples += [(who, "speaks", speaks[city]) for who, city in people]
    train, test = held_out(triples, "speaks", 10)
    model = learned(train, quick(length=1, direct=False, constants=ConstantSettings()))
    texts = [str(rule.rule) for rule in rules_of(model, model.relation_id("speaks")) if rule.kind == "constant"]
    assert set(texts[:3]) == {f"speaks(X, {language}) :- lives(X, {city})." for city, language in speaks.items()}
    for head, relation, tail in test:
        assert model.predict(head, relation)[0].entity == tail


def test_a_negated_literal_is_found() -> None:
    """A match is anyone of the same club who is no rival."""
    triples: list[Named] = []
    for club in range(12):
        members = [f"m{club}{n}" for n in range(6)]
        triples += [(member, "club", f"k{club}") for member in members]
        for a in range(6):
            for b in range(6):
                if a != b:
                    triples.append((members[a], "rival" if (a + b) % 2 else "match", members[b]))
    train, test = held_out(triples, "match", 12)
    dataset = dataset_of(train, test=test)
    model = complete(dataset, quick(length=2), threads=1)
    texts = [str(rule.rule) for rule in rules_of(model, model.relation_id("match"))]
    assert "match(X, Y) :- not rival(X, Y)." in texts
    assert evaluate(model, dataset, "test", 1).figures["hits@1"] > 0.9
    positive = complete(dataset, quick(length=2, negation=False), threads=1)
    assert not any("not " in str(rule.rule) for rule in rules_of(positive, positive.relation_id("match")))


def test_noise_gets_no_accuracy_from_its_own_edges() -> None:
    """Each fact of a random relation is easy to predict for whoever may read it: the edge itself, or its inverse."""
    triples = random_pairs("noise", 40, 300, seed=3)
    train, test = held_out(triples, "noise", 5)
    dataset = dataset_of(train, test=test)
    model = complete(dataset, quick(constants=ConstantSettings(), answer=True), threads=1)
    chance = sum(1 / rank for rank in range(1, 35)) / 34
    assert evaluate(model, dataset, "test", 1).figures["mrr"] < 2 * chance
    for relation in ("noise", "noise^-1"):
        mixture = model.mixture(model.relation_id(relation))
        one_step = [w for path, w in zip(mixture.paths, mixture.weights, strict=True) if path[1] < 0]
        assert sum(one_step) < 0.5 * max(mixture.weights.sum(), 1)


def same(first: Mixture, second: Mixture) -> bool:
    names = ("paths", "weights", "support", "confidence", "columns", "direct", "answer")
    parts = ("answers", "prior", "facts", "starts", "answer", "weight")
    return all(np.array_equal(getattr(first, n), getattr(second, n)) for n in names) and all(
        np.array_equal(getattr(first.constants, n), getattr(second.constants, n)) for n in parts
    )


def test_a_seed_makes_a_model_bit_for_bit_whatever_the_threads() -> None:
    triples = [*families(8), *random_pairs("noise", 20, 60, seed=4)]
    settings = quick(constants=ConstantSettings(), answer=True, queries=40, mined=30, epochs=5)
    dataset = dataset_of(triples)
    first, again, threaded = (complete(dataset, settings, threads) for threads in (1, 1, 2))
    other = complete(dataset, quick(constants=ConstantSettings(), answer=True, queries=40, mined=30, epochs=5, seed=1))
    assert list(first.mixtures) == list(again.mixtures) == list(threaded.mixtures) == list(range(6))
    for relation, mixture in first.mixtures.items():
        assert same(mixture, again.mixtures[relation])
        assert same(mixture, threaded.mixtures[relation])
    assert not all(same(mixture, other.mixtures[relation]) for relation, mixture in first.mixtures.items())


def test_queries_that_the_graph_does_not_hold_are_learned_from() -> None:
    """As in Countries: the facts to learn from are a relation of their own that no body can read."""
    train, test = held_out(families(), "grandparent", 8)
    graph = [triple for triple in train if triple[1] == "parent"]
    queries = [triple for triple in train if triple[1] == "grandparent"]
    dataset = dataset_of(queries, test=test, graph=graph)
    model = complete(dataset, quick(), threads=1)
    assert sorted(model.mixtures) == [2, 3]
    assert str(strongest(model, "grandparent").rule) == "grandparent(X, Y) :- parent(X, A), parent(A, Y)."
    # The three other grandchildren are known answers of the same head: they must not have been rivals.
    assert evaluate(model, dataset, "test", 1).figures["mrr"] == 1


def test_a_single_fact_is_enough_to_learn_nothing_in_peace() -> None:
    model = learned([("a", "r", "b")], quick(constants=ConstantSettings(), answer=True))
    assert [rule.kind for rule in rules_of(model, 0)] == ["frequency"]
    assert model.predict("a", "r") == []
    loops = learned([("a", "r", "a"), ("a", "r", "b"), ("b", "r", "b")], quick())
    assert loops.predict("b", "r^-1") == []


def test_progress_names_every_relation_once() -> None:
    done: list[str] = []
    complete(dataset_of(families(3)), quick(epochs=1), 1, done.append)
    assert sorted(done) == ["grandparent", "parent"]


def test_what_cannot_be_learned_from_is_refused(family: tuple[CompletionModel, Dataset]) -> None:
    with pytest.raises(DatasetError, match="no training facts"):
        complete(dataset_of([], test=[("a", "r", "b")]))
    with pytest.raises(OptionError, match="threads"):
        complete(dataset_of(families(2)), quick(), threads=0)
    model, dataset = family
    with pytest.raises(InputError, match="unknown entity g99"):
        model.predict("g99", "parent")
    with pytest.raises(InputError, match="did you mean parent"):
        model.predict("g1", "parnt^-1")
    assert len(dataset.test) == 8


EXTREME: dict[str, Dataset] = {
    "one entity": dataset_of([("a", "r", "a")], test=[("a", "r", "a")]),
    "one fact": dataset_of([("a", "r", "b")], test=[("b", "r", "a")]),
    "loops": dataset_of([(f"e{n}", "r", f"e{n}") for n in range(12)], test=[("e1", "r", "e2")]),
    "a star": dataset_of([("hub", "r", f"e{n}") for n in range(30)], test=[("e1", "r", "e2")]),
    "a graph that lacks the queries' relation": dataset_of(
        [("a", "q", "b"), ("b", "q", "c")], graph=[("a", "r", "b")], test=[("a", "q", "c")]
    ),
    "relations and entities without facts": dataset_of(
        families(4), valid=[("g0", "unknown", "p00")], test=[("new", "parent", "newer"), ("new", "unseen", "p00")]
    ),
}


@pytest.mark.parametrize("name", EXTREME)
@pytest.mark.parametrize(
    "changes",
    [
        {"answer": True},
        {"hard": 50, "easy": 0, "rate": 1e9, "sharpness": 1e9},
        {"rate": 1e9, "pull": 1e9, "sparsity": 1e9, "objective": "margin", "margin": 1e9},
        {"entries": 1, "length": 1, "paths": 1, "mined": 1, "sharpness": 0.0},
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_odd_graphs_and_extreme_settings_give_numbers(name: str, changes: dict[str, Any]) -> None:
    dataset = EXTREME[name]
    constants = ConstantSettings(rate=1e9, initial=1e9) if changes.get("pull") else ConstantSettings()
    model = complete(dataset, quick(constants=constants, epochs=3, **changes), threads=1)
    for mixture in model.mixtures.values():
        parts = (mixture.weights, mixture.columns, mixture.direct, mixture.answer, mixture.constants.weight)
        assert all(np.isfinite(part).all() for part in parts)
    assert all(np.isfinite(list(evaluate(model, dataset, "test", 1).figures.values())))
    for relation in range(2 * len(dataset.relations)):
        assert np.isfinite(model.scorer(relation).scores(0)).all()
