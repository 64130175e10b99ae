"""Triangular norms: the plain ones, without parameters, and how a norm becomes a weighted LNN conjunction.

A weighted norm says how false an input is, sums these falsities by weight, and reads the sum off a bias. The paper's
constraints (low when one input is low, high when all are high) are then linear in bias and weights whatever the norm,
so another norm is one more small class like the two here, given to `And(..., norm=...)`:

    WeightedLukasiewicz    bias - sum w_i (1 - x_i)        falsity 1 - x
    WeightedProduct        bias * product x_i ^ w_i        falsity -log x; linear in log bias
"""

from fractions import Fraction
from functools import reduce
from math import log
from operator import mul
from typing import Protocol

import torch
from torch import Tensor

from rulewright.errors import InfeasibleOperatorError, OptionError
from rulewright.lnn.constraints import ConjunctionCone, checked_alpha, conjunction_cone
from rulewright.lnn.nonnegative import rectify
from rulewright.lnn.polyhedron import Number
from rulewright.lnn.truth import Operator

FAINTEST = 1e-6  # the truth that stands for 0 where a logarithm is taken
STEEPEST = 10.0  # the power of e from which a weighted product goes on in a straight line


class Norm(Protocol):
    """A way to conjoin weighted truth values.

    `combine` has to grow with every truth value when weights are non-negative. For z = (z_0, weights) in `cone` it has
    to give at most 1 - alpha when one truth value is 1 - alpha and the others 1, and at least alpha when all are alpha.
    """

    def cone(self, alpha: Number, arity: int) -> ConjunctionCone:
        """The feasible z; raises InfeasibleOperatorError when there is none."""
        ...

    def bias(self, first: Tensor) -> Tensor:
        """The bias from the first coordinate of z."""
        ...

    def combine(self, first: Tensor, weights: Tensor, truths: Tensor) -> Tensor:
        """Truth values (..., n) to their unclamped conjunction (...), from z_0 and the weights."""
        ...


class WeightedLukasiewicz:
    """The paper's LNN-and: bias - weights . (1 - x); with bias and weights 1 the Lukasiewicz norm."""

    def cone(self, alpha: Number, arity: int) -> ConjunctionCone:
        return conjunction_cone(alpha, arity)

    def bias(self, first: Tensor) -> Tensor:
        return first

    def combine(self, first: Tensor, weights: Tensor, truths: Tensor) -> Tensor:
        return first - (1 - truths) @ weights


class WeightedProduct:
    """bias * x_1^w_1 * ... * x_n^w_n; with bias and weights 1 the product norm.

    The constraints bias (1 - alpha)^w_i <= 1 - alpha and bias alpha^sum(w) >= alpha are, in logarithms, those of a
    `ConjunctionCone` for (log bias, weights). Something satisfies them iff 1 - alpha < alpha^n: at alpha = 0.7, for 3
    inputs where the weighted Lukasiewicz norm stops at 2.
    """

    def cone(self, alpha: Number, arity: int) -> ConjunctionCone:
        threshold = checked_alpha(alpha, arity)
        if 1 - threshold <= Fraction(str(FAINTEST)):
            raise OptionError(f"alpha = {alpha} is too near 1 for a product; it must be below {1 - FAINTEST:.6f}")
        low, high = Fraction(log(1 - threshold)), Fraction(log(threshold))
        cone = ConjunctionCone(arity, low_falsity=-low, high_falsity=-high, low_level=low, high_level=high)
        if cone.margin <= 0:
            needs = f"a weighted product needs 1 - alpha < alpha^{arity}"
            raise InfeasibleOperatorError(float(threshold), arity, needs)
        return cone

    def bias(self, first: Tensor) -> Tensor:
        return first.clamp_max(log(torch.finfo(first.dtype).max)).exp()

    def combine(self, first: Tensor, weights: Tensor, truths: Tensor) -> Tensor:
        # In logarithms, since an infinite bias times a power of 0 is no number. Beyond STEEPEST, where the value is far
        # above 1, the exponential goes on as its tangent, which keeps the order and never overflows.
        power = first + truths.clamp_min(FAINTEST).log() @ weights
        beyond = (power - STEEPEST).clamp_min(0)
        return (power - beyond).exp() * (1 + beyond)


class ProductAnd(Operator):
    """The product norm, x_1 ... x_n."""

    def combined(self, x: Tensor) -> Tensor:
        # A leaky child may be slightly negative, and a product of two negatives would count as support.
        return product(rectify(x))


class ProductOr(Operator):
    """The dual of the product norm, 1 - (1 - x_1) ... (1 - x_n)."""

    def combined(self, x: Tensor) -> Tensor:
        return 1 - product(rectify(1 - x))


class LukasiewiczAnd(Operator):
    """The Lukasiewicz norm, x_1 + ... + x_n - (n - 1)."""

    def combined(self, x: Tensor) -> Tensor:
        return 1 - (1 - x).sum(dim=-1)


class LukasiewiczOr(Operator):
    """The dual of the Lukasiewicz norm, x_1 + ... + x_n."""

    def combined(self, x: Tensor) -> Tensor:
        return x.sum(dim=-1)


def product(x: Tensor) -> Tensor:
    """Of the last dimension, factor by factor: the gradient of torch.prod waits to hear whether there are zeros."""
    return reduce(mul, x.unbind(-1))
