"""What training minimises, from the values of a batch's positive and negative facts."""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

EPSILON = 1e-3  # a slope of 1 / EPSILON, times the clamp's leak, is what still reaches a hopeless fact


class Objective(Protocol):
    """A loss of positive values (n,) and negative values (m,); 0 where there is nothing to compare."""

    def __call__(self, positive: Tensor, negative: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class MarginRanking:
    """The paper's loss: every positive should exceed every negative by the margin (appendix, training algorithm)."""

    margin: float = 0.5

    def __call__(self, positive: Tensor, negative: Tensor) -> Tensor:
        gaps = negative[None, :] - positive[:, None] + self.margin
        return gaps.clamp(min=0).mean() if gaps.numel() else gaps.sum()


@dataclass(frozen=True)
class BinaryCrossEntropy:
    """Positives should be 1 and negatives 0; `positives` and `negatives` are what the two kinds weigh as a whole.

    With weights in proportion to their numbers (see `of`) a truth of 1/2 stands for as many true facts as false ones,
    and a rule that is mostly wrong costs more than it gains. With equal weights, where positives are rare, a rule may
    be wrong many times for each fact it explains.
    """

    positives: float = 1.0
    negatives: float = 1.0

    @staticmethod
    def of(positives: int, negatives: int) -> "BinaryCrossEntropy":
        """Every fact weighs the same; the loss is per fact of the rarer kind, so its scale is that of equal weights."""
        rarer = min(positives, negatives)
        return BinaryCrossEntropy(positives / rarer, negatives / rarer)

    def __call__(self, positive: Tensor, negative: Tensor) -> Tensor:
        loss = positive.new_zeros(())
        if len(positive):
            loss = loss - self.positives * log_inside(positive).mean()
        if len(negative):
            loss = loss - self.negatives * log_inside(1 - negative).mean()
        return loss


@dataclass(frozen=True)
class SoftmaxCrossEntropy:
    """Each positive competes with all negatives of the batch; `temperature` sets how close values may be."""

    temperature: float = 0.1

    def __call__(self, positive: Tensor, negative: Tensor) -> Tensor:
        rivals = torch.logsumexp(negative / self.temperature, dim=0)
        own = positive / self.temperature
        return (torch.logaddexp(own, rivals) - own).mean() if len(own) and len(negative) else own.sum() * 0


def log_inside(truth: Tensor) -> Tensor:
    """log(truth) inside [EPSILON, 1], 0 above, and below EPSILON the tangent: finite, and its slope never vanishes.

    The leaky clamp lets training values leave [0, 1] a little; below, the loss must go on pulling, above it is content.
    """
    low = torch.full_like(truth, EPSILON)
    inside = torch.log(truth.clamp(EPSILON, 1))
    return torch.where(truth > low, inside, torch.log(low) + (truth - low) / low)
