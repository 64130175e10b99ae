"""Every base predicate of a mixture is written as the rule it stands for."""

import numpy as np
import pytest
from tests.completion.toys import dataset_of, quick

from rulewright.completion.constants import ConstantRules, no_rules
from rulewright.completion.mixture import Mixture
from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import rules_of

TRIPLES = [("ann", "likes", "bob"), ("bob", "likes", "cy"), ("ann", "knows", "bob"), ("cy", "knows", "Dee Dee")]
NONE = np.zeros(0, np.float32)


def model_of(*mixtures: Mixture) -> CompletionModel:
    dataset = dataset_of(TRIPLES)
    by_relation = {mixture.relation: mixture for mixture in mixtures}
    return CompletionModel("toy", dataset.entities, dataset.relations, dataset.train, by_relation, quick())


def mixture(relation: int, **parts: object) -> Mixture:
    given: dict[str, object] = {
        "paths": np.zeros((0, 3), np.int32),
        "weights": NONE,
        "support": np.zeros(0, np.int64),
        "confidence": NONE,
        "columns": np.zeros(4, np.float32),
        "direct": NONE,
        "answer": NONE,
        "constants": no_rules(),
    }
    return Mixture(relation, **{**given, **parts})  # type: ignore[arg-type]


def with_paths(relation: int) -> Mixture:
    return mixture(
        relation,
        paths=np.array([[0, -1, -1], [0, 2, -1], [1, 3, 2]], np.int32),
        weights=np.array([0.5, 0.0, 2.0], np.float32),
        support=np.array([8, 9, 4]),
        confidence=np.array([0.5, 0.9, 0.25], np.float32),
        sampled=10,
    )


def texts(model: CompletionModel, relation: int) -> list[str]:
    return [str(rule.rule) for rule in rules_of(model, relation)]


def test_paths_are_chains_with_their_figures_and_no_weight_no_rule() -> None:
    model = model_of(with_paths(2))
    found = rules_of(model, 2)
    assert [str(rule.rule) for rule in found] == [
        "knows(X, Y) :- likes(A, X), knows(B, A), knows(B, Y).",
        "knows(X, Y) :- likes(X, Y).",
    ]
    assert [(rule.weight, rule.kind, rule.support, rule.confidence) for rule in found] == [
        (2.0, "path", 4, 0.25),
        (0.5, "path", 8, 0.5),
    ]
    assert str(found[0]).endswith(str(found[0].rule))
    assert len(rules_of(model, 2, top=1)) == 1


def test_rules_of_an_inverse_have_the_arguments_of_the_head_swapped() -> None:
    found = texts(model_of(with_paths(3)), 3)
    assert found[1] == "knows(Y, X) :- likes(X, Y)."


def test_the_longest_path_has_a_name_for_every_stop() -> None:
    steps = np.zeros((1, 10), np.int32)
    one = np.ones(1, np.float32)
    model = model_of(mixture(0, paths=steps, weights=one, support=np.ones(1, np.int64), confidence=one, sampled=1))
    (rule,) = rules_of(model, 0)
    assert len(rule.rule.body) == 10
    assert len(rule.rule.variables) == 11


def test_a_weight_below_0_is_the_negated_literals() -> None:
    direct = np.array([0, -1.5, 0, 0], np.float32)
    answer = np.array([0.5, 0, 0, -2.0, 7.0], np.float32)
    found = {str(rule.rule): rule.weight for rule in rules_of(model_of(mixture(2, direct=direct, answer=answer)), 2)}
    assert found == {
        "knows(X, Y) :- not likes(Y, X).": 1.5,
        "knows(X, Y) :- likes(Y, A).": 0.5,
        "knows(X, Y) :- not knows(A, Y).": 2.0,
    }


def test_rules_with_constants_carry_both_weights() -> None:
    entities = len(dataset_of(TRIPLES).entities)
    bob, dee = 1, 3
    rules = ConstantRules(
        np.array([bob], np.int32), np.zeros(1), np.array([2 * entities + dee]), np.array([0, 1]),
        np.zeros(1, np.int32), np.array([0.5], np.float32),
    )  # fmt: skip
    columns = np.array([0, 3, 2, 0], np.float32)
    model = model_of(mixture(0, constants=rules, columns=columns), mixture(1, columns=columns))
    (own,) = rules_of(model, 0)
    assert str(own.rule) == "likes(X, bob) :- knows(X, 'Dee Dee')."
    assert own.weight == pytest.approx(1.5)
    (other,) = rules_of(model, 1)
    assert str(other.rule) == "likes(Y, bob) :- knows(Y, 'Dee Dee')."
    assert other.weight == pytest.approx(1.0)


def test_past_answers_are_one_rule() -> None:
    model = model_of(mixture(2, columns=np.array([1, 0, 0, 2], np.float32)))
    assert [(str(r.rule), r.weight, r.kind) for r in rules_of(model, 2)] == [
        ("knows(X, Y) :- knows(A, Y).", 3.0, "frequency")
    ]


def test_a_relation_without_a_mixture_has_no_rule() -> None:
    assert rules_of(model_of(), 3) == []
