"""The learnable logical connectives of an LNN, as modules over truth values (..., n) -> (...).

Conjunction and disjunction keep the shape of their truth table at any parameter ('Generalized Propositional Logic with
LNN'); mixtures choose among the predicates of a leaf ('Combining Base Facts'). Every operator has `weights`, `bias`,
`raw` and the clamp of `truth.Operator`. Parameters are constrained by construction, see `parameters.py`: set them with
`operator.parameter.right_inverse([bias, *weights])`.
"""

from abc import abstractmethod

import torch
from torch import Tensor, nn

from rulewright.errors import OptionError
from rulewright.lnn.nonnegative import Activation
from rulewright.lnn.norms import Norm, WeightedLukasiewicz
from rulewright.lnn.parameters import (
    INITIAL_SCALE,
    SMALLEST_WEIGHT,
    ConjunctionParameter,
    OrthantParameter,
    PolyhedralParameter,
    assign,
    small,
    vector,
)
from rulewright.lnn.polyhedron import Number
from rulewright.lnn.truth import Clamp, Operator


class Connective(Operator):
    """What LNN-and and LNN-or share: the constrained bias and weights of a conjunction.

    alpha       low is [0, 1 - alpha], high [alpha, 1]; must exceed arity / (arity + 1)
    norm        which t-norm is weighted, WeightedLukasiewicz if none is named; see `norms.py`
    clamp       how the value comes back into [0, 1] during training; see `truth.py`
    activation  how ray scales are kept non-negative; see `nonnegative.py`
    fixed       not trained: the operator stays at the vertex of its constraints
    parameter   (bias, weights, ...) under constraints of your own, or with slack, in place of those of norm and alpha
    generator   seeds the initial ray scales
    """

    arity: int

    def __init__(
        self,
        arity: int,
        alpha: Number = 0.95,
        *,
        norm: Norm | None = None,
        clamp: Clamp = "leaky",
        activation: Activation = "rectify",
        fixed: bool = False,
        parameter: PolyhedralParameter | ConjunctionParameter | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(arity, clamp)
        self.alpha = alpha
        self.norm: Norm = norm or WeightedLukasiewicz()
        if parameter is None:
            cone = self.norm.cone(alpha, arity)
            parameter = ConjunctionParameter(cone, activation=activation, fixed=fixed, generator=generator)
        elif parameter.dimension < arity + 1:
            raise OptionError(f"{arity} inputs need a bias and {arity} weights, not {parameter.dimension} parameters")
        self.parameter = parameter

    @property
    def bias(self) -> Tensor:
        return self._split()[0]

    @property
    def weights(self) -> Tensor:
        return self._split()[1]

    @property
    def slacks(self) -> Tensor:
        """What a parameter of one's own has beyond bias and weights, for the loss to penalise; otherwise empty."""
        return self._split()[2]

    def conjoined(self, x: Tensor) -> Tensor:
        """The unclamped conjunction of the inputs.

        Reckoned in the dtype of the constraints, float64: near alpha's bound it is a small difference of large numbers,
        and rounded to float32 on the way it would break the constraints that the parameters satisfy.
        """
        point: Tensor = self.parameter()
        return self.norm.combine(point[0], point[1 : self.arity + 1], x.to(point.dtype)).to(x.dtype)

    def _split(self) -> tuple[Tensor, Tensor, Tensor]:
        point: Tensor = self.parameter()
        return self.norm.bias(point[0]), point[1 : self.arity + 1], point[self.arity + 1 :]

    def extra_repr(self) -> str:
        return f"{self.arity}, alpha={self.alpha}, norm={type(self.norm).__name__}, clamp={self.clamp!r}"


class And(Connective):
    """LNN-and: low when any input is low, high when all are; relu1(bias - weights . (1 - x))."""

    def combined(self, x: Tensor) -> Tensor:
        return self.conjoined(x)


class Or(Connective):
    """LNN-or: high when any input is high, low when all are; 1 - And(1 - x), under the same constraints."""

    def combined(self, x: Tensor) -> Tensor:
        return 1 - self.conjoined(1 - x)


class Not(Operator):
    """1 - x, of the one input in the last dimension."""

    def __init__(self, clamp: Clamp = "leaky") -> None:
        super().__init__(1, clamp)

    def combined(self, x: Tensor) -> Tensor:
        return 1 - x[..., 0]


class Mixture(Operator):
    """A weighted choice among the predicates of a leaf: 1 - relu1(bias - total), total = sum of w_P psi(P(x)).

    A network computes the totals itself, sparsely, over the facts that exist; `settle` and `raw_total` do the rest.
    """

    arity: int

    @property
    @abstractmethod
    def weights(self) -> Tensor:
        """(n,): how much each predicate counts."""

    @property
    @abstractmethod
    def bias(self) -> Tensor:
        """(): the total at which a fact becomes true."""

    @abstractmethod
    def start_from(self, weights: Tensor) -> None:
        """Take on these weights, non-negative, one for each predicate; the bias stays."""

    def total(self, x: Tensor) -> Tensor:
        """The weighted sum of the predicates' truths."""
        return x @ self.weights.to(x.dtype)

    def raw_total(self, total: Tensor) -> Tensor:
        """The value before the clamp, from the weighted sum."""
        return total + (1 - self.bias.to(total.dtype))

    def settle(self, total: Tensor) -> Tensor:
        """The truth value, from the weighted sum."""
        return self.clamped(self.raw_total(total))

    def combined(self, x: Tensor) -> Tensor:
        return self.raw_total(self.total(x))


class PredicateMixture(Mixture):
    """LNN-pred: an LNN-or without constraints but for weights and bias >= 0, so that weights can become exactly 0.

    The bias starts at 1, where no member true means false. Weights start around `start`, a little apart: halfway, one
    true member puts the value in the middle of its range, where gradients pass both ways. (From near 0 the same rules
    take up to twice the epochs; from near 1 several members saturate the value, and more trainings end in a poor
    optimum.) A `fixed` one is the plain disjunction of its members, all weights 1.
    """

    def __init__(
        self,
        members: int,
        *,
        clamp: Clamp = "leaky",
        activation: Activation = "rectify",
        fixed: bool = False,
        start: float = 0.5,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(members, clamp)
        weights = torch.ones(members) if fixed else start + small(members, generator) - INITIAL_SCALE / 2
        self.parameter = OrthantParameter(torch.cat([torch.ones(1), weights]), activation=activation, fixed=fixed)

    @property
    def bias(self) -> Tensor:
        point: Tensor = self.parameter()
        return point[0]

    @property
    def weights(self) -> Tensor:
        point: Tensor = self.parameter()
        return point[1:]

    def start_from(self, weights: Tensor) -> None:
        self.parameter.right_inverse([self.bias.item(), *vector(weights, self.arity).tolist()])


class Attention(Mixture):
    """Softmax weights, as in NeuralLP: they sum to 1 and none is ever 0. The bias is 1, so the total is the value.

    A `fixed` one is the mean of its members.
    """

    def __init__(
        self,
        members: int,
        *,
        clamp: Clamp = "leaky",
        fixed: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(members, clamp)
        logits = torch.zeros(members) if fixed else small(members, generator)
        self.logits = nn.Parameter(logits, requires_grad=not fixed)

    @property
    def bias(self) -> Tensor:
        return self.logits.new_ones(())

    @property
    def weights(self) -> Tensor:
        return self.logits.softmax(0)

    def start_from(self, weights: Tensor) -> None:
        """Take on these weights, divided by their sum."""
        weights = vector(weights, self.arity).clamp_min(SMALLEST_WEIGHT)
        assign(self.logits, (weights / weights.sum()).log())
