"""A score is the sum of the weights times the truths of the base predicates, each computed here by hand."""

import numpy as np
import pytest
from numpy.typing import NDArray

from rulewright.completion.constants import ConstantRules, no_rules
from rulewright.completion.mixture import DEGREE_SCALE, FREQUENCY_SCALE, Mixture, Profiles, Scorer
from rulewright.paths.graph import build_graph

N = 5
GRAPH = build_graph(np.array([[0, 0, 1], [0, 0, 2], [1, 1, 3], [2, 1, 3], [0, 1, 4], [3, 0, 4]]), N, 2)
PATHS = np.array([[0, -1], [0, 2]], np.int32)


def scores(head: int = 0, inverse: ConstantRules | None = None, **parts: object) -> NDArray[np.float32]:
    """The scores of relation 2 (the second of the data) with some parts of a mixture."""
    none = np.zeros(0, np.float32)
    given = {
        "paths": PATHS,
        "weights": np.zeros(2, np.float32),
        "support": np.zeros(2, np.int64),
        "confidence": np.zeros(2, np.float32),
        "columns": np.zeros(4, np.float32),
        "direct": none,
        "answer": none,
        "constants": no_rules(),
    } | parts
    given = {k: np.asarray(v, np.float32) if isinstance(v, list) else v for k, v in given.items()}
    mixture = Mixture(2, **given)  # type: ignore[arg-type]
    return Scorer(GRAPH, Profiles.of(GRAPH), mixture, inverse or no_rules(), 0.0, 1 << 30).scores(head)


def test_paths_add_their_weights_where_they_lead() -> None:
    assert scores(weights=[2.0, 0.5]).tolist() == [0, 2, 2, 0.5, 0]
    assert scores(weights=[0.0, 0.5]).tolist() == [0, 0, 0, 0.5, 0]


def test_a_direct_literal_adds_or_takes_its_weight_at_the_neighbours() -> None:
    assert scores(direct=[1.0, 0, -3.0, 0]).tolist() == [0, 1, 1, 0, -3]
    assert scores(head=3, direct=[0, 0, 0, 1.0]).tolist() == [0, 1, 1, 0, 0]


def test_answer_literals_count_only_where_a_path_leads() -> None:
    """Shifted so that the least entity of all stays just above 0: a reached entity never falls below the others."""
    found = scores(weights=[1.0, 1.0], answer=[0, 0, 5.0, 0, 0])
    assert found.tolist() == pytest.approx([0, 6, 6, 1, 0], abs=1e-5)
    negative = scores(weights=[1.0, 1.0], answer=[0, 0, -5.0, 0, 0])
    assert negative.tolist() == pytest.approx([0, 1, 1, 6, 0], abs=1e-5)
    assert (negative[[1, 2, 3]] > 0).all()
    degree = np.log1p(3) / DEGREE_SCALE - np.log1p(2) / DEGREE_SCALE
    assert scores(weights=[1.0, 1.0], answer=[0, 0, 0, 0, 1.0])[3] == pytest.approx(1 + degree, abs=1e-5)


def rules(answers: list[int], facts: list[tuple[int, int, int, float]]) -> ConstantRules:
    """Rules from (directed relation, constant, place of the answer, weight), by fact."""
    ids = np.array([relation * N + entity for relation, entity, _, _ in facts])
    assert (np.diff(ids) > 0).all()
    return ConstantRules(
        np.array(answers, np.int32),
        np.log(np.arange(2.0, len(answers) + 2)),
        ids,
        np.arange(len(facts) + 1),
        np.array([place for _, _, place, _ in facts], np.int32),
        np.array([weight for *_, weight in facts], np.float32),
    )


def test_frequency_and_seen_speak_for_past_answers() -> None:
    constants = rules([3, 4], [])
    assert scores(constants=constants, columns=[0, 0, 0, 2.0]).tolist() == [0, 0, 0, 2, 2]
    expected = [0, 0, 0, *((np.log([2, 3]) + 0.1) / FREQUENCY_SCALE)]
    assert scores(constants=constants, columns=[1.0, 0, 0, 0]).tolist() == pytest.approx(expected)


def test_rules_with_constants_speak_for_the_answers_of_a_heads_facts() -> None:
    constants = rules([3, 4], [(0, 1, 1, 0.5), (0, 2, 0, 0.25), (2, 4, 1, 0.125), (2, 3, 0, 9.0)][:3])
    assert scores(constants=constants, columns=[0, 2.0, 0, 0]).tolist() == [0, 0, 0, 0.5, 1.25]
    assert not scores(head=4, constants=constants, columns=[0, 2.0, 0, 0]).any()


def test_rules_of_the_inverse_speak_for_whoever_has_the_fact() -> None:
    """The inverse's rule r^-1(X, 0) :- s(X, 3) is r(0, Y) :- s(Y, 3): here s leads from 1 and 2 to 3."""
    inverse = rules([0, 4], [(2, 3, 0, 0.5)])
    assert scores(inverse=inverse, columns=[0, 0, 2.0, 0]).tolist() == [0, 1, 1, 0, 0]
    assert not scores(head=1, inverse=inverse, columns=[0, 0, 2.0, 0]).any()


def test_profiles_name_the_relations_of_each_entity() -> None:
    profiles = Profiles.of(GRAPH)
    found = [profiles.relations[profiles.starts[e] : profiles.starts[e + 1]].tolist() for e in range(N)]
    assert found == [[0, 2], [1, 2], [1, 2], [0, 3], [1, 3]]
    assert profiles.degree.tolist() == pytest.approx((np.log1p([3, 2, 2, 3, 2]) / DEGREE_SCALE).tolist())


def test_one_scorer_serves_many_heads() -> None:
    mixture = Mixture(
        2, PATHS, np.array([1, 2], np.float32), np.zeros(2, np.int64), np.zeros(2, np.float32), np.zeros(4, np.float32),
        np.ones(4, np.float32), np.ones(5, np.float32), no_rules(),
    )  # fmt: skip
    scorer = Scorer(GRAPH, Profiles.of(GRAPH), mixture, no_rules(), 10.0, 1 << 30)
    first = scorer.scores(0)
    for head in (1, 2, 3, 4):
        scorer.scores(head)
    np.testing.assert_array_equal(scorer.scores(0), first)
