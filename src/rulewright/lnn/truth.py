"""What every operator is: inputs in [0, 1] combined into one value, and that value brought back into [0, 1]."""

from abc import abstractmethod
from typing import Literal, get_args

import torch
from torch import Tensor, nn

from rulewright.errors import OptionError

Clamp = Literal["leaky", "hard"]
"""How an operator brings its value back into [0, 1] while it is trained; in eval mode the clamp is always hard.

hard     relu1(v) = max(0, min(1, v)), as in the paper. Outside [0, 1] no gradient passes, so an operator that is wrong
         about a fact with full conviction learns nothing from it.
leaky    relu1(v) plus 0.01 times what it cut off: the gradient is 0.01 there, and values beyond 1 stay ordered.
"""

LEAK = 0.01


class Operator(nn.Module):
    """Truth values of inputs (..., n) to one truth value each (...), for any batch shape, dtype and device.

    `arity` is n, or None where any number of inputs will do. `weights` and `bias` are what a rule shows to its reader;
    they are None where an operator has none. Subclasses say what they are in `combined`.
    """

    def __init__(self, arity: int | None = None, clamp: Clamp = "leaky") -> None:
        super().__init__()
        if clamp not in get_args(Clamp):
            raise OptionError(f"clamp = {clamp!r} must be one of {', '.join(get_args(Clamp))}")
        if arity is not None and arity < 1:
            raise OptionError(f"an operator needs at least one input, not {arity}")
        self.arity, self.clamp = arity, clamp

    @property
    def weights(self) -> Tensor | None:
        """(n,): how much each input counts."""
        return None

    @property
    def bias(self) -> Tensor | None:
        """(): what the weighted inputs are measured against."""
        return None

    @abstractmethod
    def combined(self, x: Tensor) -> Tensor:
        """The value before the clamp, of floating-point inputs of the right number."""

    def raw(self, x: Tensor) -> Tensor:
        """The value before the clamp, for ranking: scores above 1, which the clamp would tie, stay ordered."""
        if self.arity is not None and x.shape[-1:] != (self.arity,):
            raise OptionError(f"{type(self).__name__} needs inputs (..., {self.arity}), not {tuple(x.shape)}")
        return self.combined(x if x.is_floating_point() else x.to(torch.get_default_dtype()))

    def forward(self, x: Tensor) -> Tensor:
        """The truth value: in [0, 1] in eval mode, and while training as `Clamp` says."""
        return self.clamped(self.raw(x))

    def clamped(self, raw: Tensor) -> Tensor:
        """A raw value brought back into [0, 1]."""
        cut = raw.clamp(0, 1)
        return cut + LEAK * (raw - cut) if self.training and self.clamp == "leaky" else cut

    def extra_repr(self) -> str:
        return f"clamp={self.clamp!r}" if self.arity is None else f"{self.arity}, clamp={self.clamp!r}"
