"""Batches of positives and negatives, drawn anew in every epoch, the same under one seed."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Rows of head facts that are true, and of head facts that are false."""

    positives: Rows
    negatives: Rows


def balanced_batches(positives: Rows, negatives: Rows, size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """One epoch: every positive once in random order, at most `size` at a time, each time with `size` random negatives.

    The objectives average over each side, so the two sides weigh the same even where one has fewer than `size` facts.
    """
    order = rng.permutation(positives)
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        count = min(size, len(negatives))
        drawn = negatives if count == len(negatives) else rng.choice(negatives, size=count, replace=False)
        yield Batch(chosen, drawn)
