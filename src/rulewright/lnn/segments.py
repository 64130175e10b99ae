"""Runs of entries, one run for each fact, reduced to one value each; and the way back, values read by many entries.

Run i holds the entries from offsets[i] up to offsets[i + 1]; the runs follow each other and cover all entries.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

LONG_RUNS = 64  # entries in the mean, from which a GPU had better give a block of threads to a run and not one thread


def segment_sum(entries: Tensor, offsets: Tensor) -> Tensor:
    """The sum of each run, 0 for an empty one."""
    return reduced(entries, offsets, "sum", 0)


def segment_max(entries: Tensor, offsets: Tensor, runs: Tensor | None = None) -> Tensor:
    """The largest entry of each run (none is empty); entries that share it share its gradient in equal parts.

    The paper's maxout meets ties all the time: while facts are simply true or false, all assignments behind a head fact
    have one value. torch's own gradient of this maximum splits positive gradients and gives negative ones to every
    tying entry in full, so that labels would pull harder in one direction than in the other.

    `runs`, where it is at hand, is the run of each entry.
    """
    if runs is None:
        runs = runs_of(offsets, len(entries))
    largest: Tensor = _SegmentMax.apply(entries, offsets, runs)  # type: ignore[no-untyped-call]
    return largest


def runs_of(offsets: Tensor, entries: int) -> Tensor:
    """The run of each entry."""
    lengths = offsets.diff()
    return torch.repeat_interleave(torch.arange(len(lengths), device=offsets.device), lengths, output_size=entries)


class _SegmentMax(torch.autograd.Function):
    """See `segment_max`."""

    @staticmethod
    def forward(entries: Tensor, offsets: Tensor, runs: Tensor) -> Tensor:
        return reduced(entries, offsets, "max", None)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs, output)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        entries, offsets, runs, largest = ctx.saved_tensors
        attained = (entries == largest.index_select(0, runs)).to(grad.dtype)
        shares = grad / segment_sum(attained, offsets)
        return attained * shares.index_select(0, runs), None, None


def reduced(entries: Tensor, offsets: Tensor, how: str, initial: float | None) -> Tensor:
    """One value for each run.

    On a GPU torch gives every run of a vector a block of threads, and every run of a table's column a single one.
    """
    if entries.is_cuda and len(entries) < LONG_RUNS * (len(offsets) - 1):
        column = torch.segment_reduce(entries[:, None], how, offsets=offsets, unsafe=True, initial=initial)
        return column[:, 0]
    return torch.segment_reduce(entries, how, offsets=offsets, unsafe=True, initial=initial)


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
