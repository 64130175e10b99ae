"""Ranks and figures against formulas that list every possible rank."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.completion.ranking import Ranks, count_rank, rank_answers


def possible_ranks(scores: list[float], answer: int, known: list[int]) -> list[int]:
    """Every rank that some order of the tied entities gives the answer."""
    rivals = [e for e in range(len(scores)) if e == answer or e not in known]
    above = sum(scores[e] > scores[answer] for e in rivals)
    level = sum(scores[e] == scores[answer] for e in rivals)
    return list(range(above + 1, above + level + 1))


queries = st.lists(st.integers(0, 4), min_size=1, max_size=12).flatmap(
    lambda scores: st.tuples(
        st.just([score / 4 for score in scores]),
        st.integers(0, len(scores) - 1),
        st.lists(st.integers(0, len(scores) - 1), unique=True),
    )
)


@settings(deadline=None)
@given(st.lists(queries, min_size=1, max_size=6))
def test_figures_are_means_over_all_possible_ranks(many: list[tuple[list[float], int, list[int]]]) -> None:
    counts = [count_rank(np.array(s, np.float32), a, np.array(k, np.int64)) for s, a, k in many]
    ranks = Ranks(np.array([n for n, _ in counts]), np.array([m for _, m in counts]))
    possible = [possible_ranks(*query) for query in many]
    assert [(r[0] - 1, len(r)) for r in possible] == counts
    figures = ranks.figures()
    assert figures["mrr"] == pytest.approx(np.mean([np.mean([1 / r for r in each]) for each in possible]))
    for cut in (1, 3, 10):
        assert figures[f"hits@{cut}"] == pytest.approx(
            np.mean([np.mean([r <= cut for r in each]) for each in possible])
        )
    best, worst = ranks.figures("optimistic"), ranks.figures("pessimistic")
    assert best["mrr"] == pytest.approx(np.mean([1 / each[0] for each in possible]))
    assert worst["mrr"] == pytest.approx(np.mean([1 / each[-1] for each in possible]))
    assert worst["hits@3"] == np.mean([each[-1] <= 3 for each in possible])
    assert all(worst[name] <= figures[name] + 1e-12 <= best[name] + 2e-12 for name in figures)


def test_the_papers_example_of_one_above_and_three_tied() -> None:
    """Section Metrics and Methodology: ranks 2, 3 and 4 are equally likely."""
    scores = np.array([0.9, 0.5, 0.5, 0.5, 0.1], np.float32)
    assert count_rank(scores, 2, np.zeros(0, np.int64)) == (1, 3)
    figures = rank_answers(scores[None], np.array([2])).figures()
    assert figures["mrr"] == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)
    assert round(figures["mrr"], 3) == 0.361
    assert round(figures["hits@3"], 3) == 0.667


def test_other_known_answers_do_not_count_and_the_answer_itself_always_does() -> None:
    scores = np.array([0.9, 0.5, 0.5, 0.8], np.float32)
    for known in ([0, 1], [1, 2, 0]):
        assert count_rank(scores, 2, np.array(known, np.int64)) == (1, 1)
    ranks = rank_answers(np.stack([scores, scores]), np.array([2, 1]), {1: np.array([0, 2, 3])})
    assert (ranks.higher.tolist(), ranks.equal.tolist()) == ([2, 0], [2, 1])


def test_an_answer_among_equal_scores_gets_every_rank() -> None:
    figures = rank_answers(np.zeros((1, 100), np.float32), np.array([17])).figures()
    assert figures["mrr"] == pytest.approx(sum(1 / r for r in range(1, 101)) / 100)
    assert figures["hits@10"] == pytest.approx(0.1)


def test_no_queries_give_figures_of_0() -> None:
    assert Ranks.joined([]).figures() == {"mrr": 0.0, "hits@1": 0.0, "hits@3": 0.0, "hits@10": 0.0}


def test_ranks_joined_and_taken_apart_are_the_same() -> None:
    ranks = Ranks(np.arange(6), np.arange(1, 7))
    odd = np.arange(6) % 2 == 1
    joined = Ranks.joined([ranks.take(~odd), ranks.take(odd)])
    assert len(joined) == 6
    assert joined.figures()["mrr"] == pytest.approx(ranks.figures()["mrr"])
    assert joined.higher.tolist() == [0, 2, 4, 1, 3, 5]


@pytest.mark.filterwarnings("ignore")
def test_ranks_agree_with_pykeens_evaluator() -> None:
    """PyKEEN's realistic rank is the mean of the optimistic and the pessimistic one; a filtered score is NaN there."""
    pytest.importorskip("pykeen")
    torch = pytest.importorskip("torch")
    from pykeen.evaluation import RankBasedEvaluator

    rng = np.random.default_rng(5)
    scores = rng.integers(6, size=(40, 15)).astype(np.float32)
    answers = rng.integers(15, size=40)
    known = {row: np.flatnonzero(rng.random(15) < 0.3) for row in range(40)}
    ranks = rank_answers(scores, answers, known)
    filtered = scores.copy()
    for row, others in known.items():
        filtered[row, others[others != answers[row]]] = np.nan
    evaluator: Any = RankBasedEvaluator(filtered=True)
    evaluator.process_scores_(
        hrt_batch=torch.tensor(np.stack([answers * 0, answers * 0, answers], axis=1)),
        target="tail",
        scores=torch.tensor(filtered),
        true_scores=torch.tensor(scores[np.arange(40), answers][:, None]),
    )
    theirs = evaluator.finalize()
    for kind, ties in (("optimistic", "optimistic"), ("pessimistic", "pessimistic"), ("realistic", "average")):
        mean = theirs.get_metric(f"tail.{kind}.arithmetic_mean_rank")
        assert mean == pytest.approx(float(ranks.rank(ties).mean()), rel=1e-5)
        if kind != "realistic":  # there the reciprocal of the mean rank, here the mean of the reciprocals
            figures = ranks.figures(ties)
            assert theirs.get_metric(f"tail.{kind}.inverse_harmonic_mean_rank") == pytest.approx(
                figures["mrr"], rel=1e-5
            )
            for cut in (1, 3, 10):
                found = theirs.get_metric(f"tail.{kind}.hits_at_{cut}")
                assert math.isclose(found, figures[f"hits@{cut}"], rel_tol=1e-6)
