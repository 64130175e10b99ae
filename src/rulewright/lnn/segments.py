"""Runs of entries, one run for each fact, reduced to one value each; and the way back, values read by many entries.

Run i holds the entries from offsets[i] up to offsets[i + 1]; the runs follow each other and cover all entries.
"""

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Readers:
    """The entries that read each value: run i of `order` are those that read value i."""

    order: Tensor  # (n_entries,)
    offsets: Tensor  # (largest value read + 2,)

    @staticmethod
    def of(rows: Tensor) -> "Readers":
        """The readers of values, given which value each entry reads."""
        counts = torch.bincount(rows)
        return Readers(torch.argsort(rows, stable=True), torch.cat([counts.new_zeros(1), counts.cumsum(0)]))


def picked(values: Tensor, rows: Tensor, readers: Readers | None = None) -> Tensor:
    """values[rows]. With readers, the gradient of each value is summed over a run, in one and the same order.

    Without, a GPU adds gradients up as they come: in another order each time, and one after the other where millions of
    entries read the few weights of a leaf.
    """
    if readers is None:
        return values.index_select(0, rows)
    chosen: Tensor = _Picked.apply(values, rows, readers.order, readers.offsets)  # type: ignore[no-untyped-call]
    return chosen


class _Picked(torch.autograd.Function):
    """See `picked`."""

    @staticmethod
    def forward(values: Tensor, rows: Tensor, order: Tensor, offsets: Tensor) -> Tensor:
        return values.index_select(0, rows)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, Tensor, Tensor], output: Tensor) -> None:
        values, _, order, offsets = inputs
        ctx.count = len(values)
        ctx.save_for_backward(order, offsets)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        order, offsets = ctx.saved_tensors
        sums = segment_sum(grad.index_select(0, order), offsets)
        unread = sums.new_zeros(ctx.count - len(sums))
        return torch.cat([sums, unread]), None, None, None
