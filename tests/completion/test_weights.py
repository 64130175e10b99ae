"""Both fits find the weights that tell true answers from false ones."""

import numpy as np
import pytest

from rulewright.completion.rows import Rows, chained
from rulewright.completion.weights import fit_margin, fit_weights


def toy_rows(queries: int = 40, seed: int = 0) -> Rows:
    """Per query one true answer and four rivals: predicate 0 holds for the true one, 1 for a rival, 2 for anyone."""
    rng = np.random.default_rng(seed)
    starts, column = [0], []
    for _ in range(queries):
        for candidate in range(5):
            entries = [0] if candidate == 0 else [1] if candidate == 1 else []
            entries += [2] if rng.random() < 0.5 else []
            column += entries
            starts.append(len(column))
    ends = np.arange(0, 5 * queries + 1, 5)
    ones = np.ones(queries, np.int64)
    return Rows(np.array(starts), np.array(column, np.int32), np.ones(len(column), np.float32), ends, ones)


def softmax(
    rows: Rows, start: float = 0.1, lower: float = 0.0, pull: float = 0.0, sparsity: float = 0.0, epochs: int = 60
) -> tuple[np.ndarray, float]:
    weights = np.full(3, start)
    loss = fit_weights(
        rows.starts, rows.column, rows.value, rows.query_starts, rows.positives, weights, np.full(3, lower),
        np.full(3, pull), np.full(3, start), sparsity, epochs, 8, 0.05, 0,
    )  # fmt: skip
    return weights, float(loss)


def margin(rows: Rows, epochs: int, start: float = 0.1, pull: float = 0.0) -> tuple[np.ndarray, float]:
    weights = np.full(3, start)
    loss = fit_margin(
        rows.starts, rows.column, rows.value, rows.query_starts, rows.positives, weights, np.full(3, pull), 0.5,
        epochs, 8, 0.1, 0,
    )  # fmt: skip
    return weights, float(loss)


def test_the_telling_predicate_gets_the_weight() -> None:
    weights, loss = softmax(toy_rows())
    assert weights[0] > 1
    assert weights[1] == 0
    assert weights[2] < 0.5
    assert loss < softmax(toy_rows(), epochs=1)[1]


def test_a_weight_may_fall_below_0_only_where_it_reads_as_a_negation() -> None:
    assert softmax(toy_rows(), lower=-np.inf)[0][1] < -0.5
    assert (softmax(toy_rows(), lower=0.0)[0] >= 0).all()


def test_a_pull_holds_weights_near_what_mining_thought() -> None:
    assert np.abs(softmax(toy_rows(), pull=100.0)[0] - 0.1).max() < 0.1


def test_sparsity_takes_the_idle_predicate_to_0() -> None:
    assert softmax(toy_rows(), sparsity=0.2)[0][2] < softmax(toy_rows())[0][2] + 1e-9
    assert softmax(toy_rows(), start=1.0, sparsity=5.0)[0].max() < 0.5


def test_the_softmax_loss_is_the_mean_cross_entropy() -> None:
    rows = toy_rows(1)
    weights = np.zeros(3)
    loss = fit_weights(
        rows.starts, rows.column, rows.value, rows.query_starts, rows.positives, weights, np.zeros(3), np.zeros(3),
        np.zeros(3), 0.0, 1, 8, 0.05, 0,
    )  # fmt: skip
    assert loss == pytest.approx(np.log(5))


def test_the_margin_loss_falls_and_weights_are_never_negative() -> None:
    losses = [margin(toy_rows(), epochs)[1] for epochs in (1, 3, 10, 30)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.5 * losses[0]
    weights, _ = margin(toy_rows(), 30)
    assert weights[0] > weights[2] >= 0
    assert weights[1] == 0


@pytest.mark.parametrize("fit", [softmax, margin])
def test_a_seed_makes_the_same_weights(fit: object) -> None:
    first, again = (softmax(toy_rows()) if fit is softmax else margin(toy_rows(), 5) for _ in range(2))
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]


def test_sets_of_rows_are_joined_one_after_the_other() -> None:
    first, second = toy_rows(2, seed=1), toy_rows(3, seed=2)
    joined = Rows.joined([first, second])
    assert joined.query_starts.tolist() == list(range(0, 26, 5))
    assert joined.starts[-1] == len(joined.column) == len(first.column) + len(second.column)
    np.testing.assert_array_equal(
        np.diff(joined.starts), np.concatenate([np.diff(first.starts), np.diff(second.starts)])
    )
    assert Rows.joined([first]) is first
    assert chained([np.array([0, 2, 3]), np.array([0]), np.array([0, 4])]).tolist() == [0, 2, 3, 7]


def test_an_infinite_pull_holds_a_weight_where_it_is() -> None:
    assert softmax(toy_rows(), pull=np.inf, start=0.7)[0].tolist() == [0.7, 0.7, 0.7]
    assert margin(toy_rows(), epochs=5, start=0.7, pull=np.inf)[0].tolist() == [0.7, 0.7, 0.7]
