"""Areas under precision-recall curves, against scikit-learn and by hand."""

import numpy as np
import pytest

from rulewright.completion.precision_recall import precision_recall


@pytest.mark.parametrize("seed", range(20))
def test_average_precision_is_scikit_learns(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(seed)
    scores = rng.integers(rng.integers(1, 12), size=rng.integers(1, 60)).astype(float)
    labels = rng.random(len(scores)) < 0.4
    labels[0] = True
    curve = precision_recall(scores, labels)
    assert curve.average_precision == pytest.approx(metrics.average_precision_score(labels, scores))


def test_the_order_of_tied_scores_changes_nothing() -> None:
    scores, labels = np.array([2.0, 1, 1, 1, 0]), np.array([False, True, False, True, True])
    first = precision_recall(scores, labels)
    other = precision_recall(scores[[0, 2, 3, 1, 4]], labels[[0, 2, 3, 1, 4]])
    assert (first.average_precision, first.trapezoid) == (other.average_precision, other.trapezoid)


def test_both_areas_by_hand() -> None:
    curve = precision_recall(np.array([3.0, 2, 1]), np.array([True, False, True]))
    assert curve.precision.tolist() == pytest.approx([1, 1 / 2, 2 / 3])
    assert curve.recall.tolist() == pytest.approx([1 / 2, 1 / 2, 1])
    assert curve.average_precision == pytest.approx(1 / 2 + 1 / 2 * 2 / 3)
    assert curve.trapezoid == pytest.approx(1 / 2 + 1 / 2 * (1 / 2 + 2 / 3) / 2)


def test_a_right_order_has_area_1() -> None:
    curve = precision_recall(np.array([0.9, 0.8, 0.1]), np.array([True, True, False]))
    assert curve.average_precision == curve.trapezoid == 1


def test_a_curve_without_a_positive_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        precision_recall(np.array([1.0]), np.array([False]))
