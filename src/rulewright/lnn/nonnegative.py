"""From any real number to a non-negative one, in a way that training can both leave and come back to zero."""

from typing import Any, Literal, get_args

import torch
from torch import Tensor

from rulewright.errors import OptionError

Activation = Literal["rectify", "softplus"]
"""How a raw parameter becomes a non-negative one.

rectify    max(0, raw) as in the paper, so values become exactly 0 and rules sparse; see `rectify` for its gradient.
softplus   log(1 + e^raw): smooth and never dead, but never exactly 0 either.
"""

SMALLEST_SOFTPLUS = 1e-6  # stands for zero, which softplus cannot reach


class _Rectify(torch.autograd.Function):
    """See `rectify`."""

    generate_vmap_rule = True

    @staticmethod
    def forward(raw: Tensor) -> Tensor:
        return raw.clamp_min(0)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (raw,) = ctx.saved_tensors
        passed: Tensor = (raw > 0) | (grad < 0)
        return grad * passed


def rectify(raw: Tensor) -> Tensor:
    """max(0, raw), whose gradient below zero is let through when descending it would raise the value.

    The gradient of a plain relu is zero there, so a value that ever reaches 0 stays. That is what happened to the
    paper's Countries connectives: their printed weights are the vertex of the polyhedron to three decimals, with every
    ray scale dead. Here only steps that would lead further down are held back.
    """
    value: Tensor = _Rectify.apply(raw)  # type: ignore[no-untyped-call]
    return value


def nonnegative(raw: Tensor, activation: Activation) -> Tensor:
    """The non-negative value of a raw parameter."""
    return rectify(raw) if activation == "rectify" else torch.nn.functional.softplus(raw)


def raw_of(value: Tensor, activation: Activation) -> Tensor:
    """A raw parameter with (as nearly as the activation can) this non-negative value."""
    if activation not in get_args(Activation):
        raise OptionError(f"activation = {activation!r} must be one of {', '.join(get_args(Activation))}")
    if activation == "rectify":
        return value.clamp_min(0)
    value = value.clamp_min(SMALLEST_SOFTPLUS)
    return value + torch.log(-torch.expm1(-value))  # the inverse of softplus, stable for large values
