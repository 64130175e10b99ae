import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.training.batches import balanced_batches


def rows(start: int, count: int) -> np.ndarray:
    return np.arange(start, start + count)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 50))
def test_one_epoch_takes_every_positive_once_and_as_many_negatives_as_fit(positives, negatives, size):
    batches = list(balanced_batches(rows(0, positives), rows(100, negatives), size, np.random.default_rng(0)))
    assert sorted(np.concatenate([batch.positives for batch in batches])) == list(range(positives))
    assert all(len(batch.positives) <= size for batch in batches)
    for batch in batches:
        assert len(set(batch.negatives.tolist())) == len(batch.negatives) == min(size, negatives)
        assert set(batch.negatives.tolist()) <= set(rows(100, negatives).tolist())


def test_the_same_seed_gives_the_same_batches_and_another_one_others():
    def drawn(seed: int) -> list[list[int]]:
        batches = balanced_batches(rows(0, 30), rows(100, 60), 10, np.random.default_rng(seed))
        return [[*batch.positives.tolist(), *batch.negatives.tolist()] for batch in batches]

    assert drawn(3) == drawn(3) != drawn(4)


def test_epochs_with_one_generator_differ():
    rng = np.random.default_rng(0)
    first, second = (next(balanced_batches(rows(0, 30), rows(100, 60), 10, rng)) for _ in range(2))
    assert first.positives.tolist() != second.positives.tolist()


@pytest.mark.parametrize("size", [1, 7])
def test_no_positives_make_no_batch(size):
    assert list(balanced_batches(rows(0, 0), rows(100, 5), size, np.random.default_rng(0))) == []
