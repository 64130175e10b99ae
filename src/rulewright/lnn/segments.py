"""Runs of entries, one run for each fact, reduced to one value each.

Run i holds the entries from offsets[i] up to offsets[i + 1]; the runs follow each other and cover all entries.
"""

from typing import Any

import torch
from torch import Tensor


def segment_sum(entries: Tensor, offsets: Tensor) -> Tensor:
    """The sum of each run, 0 for an empty one."""
    return torch.segment_reduce(entries, "sum", offsets=offsets, unsafe=True, initial=0)


def segment_max(entries: Tensor, offsets: Tensor) -> Tensor:
    """The largest entry of each run (none is empty); entries that share it share its gradient in equal parts.

    The paper's maxout meets ties all the time: while facts are simply true or false, all assignments behind a head fact
    have one value. torch's own gradient of this maximum splits positive gradients and gives negative ones to every
    tying entry in full, so that labels would pull harder in one direction than in the other.
    """
    largest: Tensor = _SegmentMax.apply(entries, offsets)  # type: ignore[no-untyped-call]
    return largest


class _SegmentMax(torch.autograd.Function):
    """See `segment_max`."""

    @staticmethod
    def forward(entries: Tensor, offsets: Tensor) -> Tensor:
        return torch.segment_reduce(entries, "max", offsets=offsets, unsafe=True)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs, output)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        entries, offsets, largest = ctx.saved_tensors
        lengths = offsets.diff()
        attained = (entries == largest.repeat_interleave(lengths)).to(grad.dtype)
        shares = grad / segment_sum(attained, offsets)
        return attained * shares.repeat_interleave(lengths), None
