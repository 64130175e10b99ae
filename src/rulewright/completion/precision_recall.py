"""Area under the precision-recall curve, with ties taken together.

Countries is reported this way in the literature. Two areas are in use, and on few labels they differ: average precision
(a step curve) and the trapezoid between its points. Both are given; neither depends on the order of tied scores.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class PrecisionRecall:
    """The curve's points by falling score, and the areas under it."""

    precision: NDArray[np.float64]
    recall: NDArray[np.float64]

    @property
    def average_precision(self) -> float:
        """Sum of precision times the recall gained at each distinct score."""
        return float(np.sum(np.diff(self.recall, prepend=0.0) * self.precision))

    @property
    def trapezoid(self) -> float:
        """The area under straight lines between the points, starting at recall 0 with the first precision."""
        recall = np.concatenate([[0.0], self.recall])
        precision = np.concatenate([self.precision[:1], self.precision])
        return float(np.trapezoid(precision, recall))


def precision_recall(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> PrecisionRecall:
    """The curve of scored examples; at least one must be positive."""
    if not labels.any():
        raise ValueError("a precision-recall curve needs a positive example")
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    found = np.cumsum(labels[order])[ends]
    return PrecisionRecall(found / (ends + 1), found / labels.sum())
