"""A grounding's lineage as tensors on a device, made once and used for every pass."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rulewright.grounding.lineage import Aligned, Groups, Lineage, Memberships
from rulewright.lnn.segments import Readers, runs_of


@dataclass(frozen=True)
class LineageTensors:
    """One step's lineage; which fields are set depends on the kind of step (see grounding.lineage)."""

    rows: Tensor | None = None  # Aligned: (n_inputs, n_facts); Groups: (n_entries,)
    offsets: Tensor | None = None  # Memberships, Groups: (n_facts + 1,)
    members: Tensor | None = None  # Memberships: (n_entries,)
    truth: Tensor | None = None  # Memberships: (n_entries,)
    runs: Tensor | None = None  # Groups, ordered: (n_entries,) the run of each
    single: bool = False  # Groups: every run has exactly one entry
    readers: tuple[Readers | None, ...] = ()  # Memberships: of the weights; Aligned: of each input's values


def lineage_tensors(
    steps: Sequence[Lineage], device: torch.device | str = "cpu", ordered: bool | None = None
) -> tuple[LineageTensors, ...]:
    """The lineage of every step; on the CPU the arrays are shared, not copied.

    With `ordered` gradients are summed in a fixed order (see `segments.picked`), for which more is stored. That is the
    default on a GPU; a CPU sums them in order anyway.
    """
    device = torch.device(device)
    ordered = device.type == "cuda" if ordered is None else ordered
    return tuple(on_device(lineage, device, ordered) for lineage in steps)


def on_device(lineage: Lineage, device: torch.device, ordered: bool) -> LineageTensors:
    """One step's lineage on a device."""
    match lineage:
        case Memberships(offsets, members, truth):
            entries = torch.from_numpy(members).to(device)
            return LineageTensors(
                offsets=torch.from_numpy(offsets).to(device),
                members=entries,
                truth=torch.from_numpy(truth).to(device),
                readers=readers_of([entries], ordered),
            )
        case Aligned(rows):
            inputs = torch.from_numpy(rows).to(device)
            return LineageTensors(rows=inputs, readers=readers_of(inputs, ordered))
        case Groups(offsets, rows):
            single = len(rows) == len(offsets) - 1 and bool((offsets[1:] > offsets[:-1]).all())
            starts = torch.from_numpy(offsets).to(device)
            return LineageTensors(
                offsets=starts,
                rows=torch.from_numpy(rows).to(device),
                runs=runs_of(starts, len(rows)) if ordered and not single else None,
                single=single,
            )


def readers_of(inputs: Sequence[Tensor] | Tensor, ordered: bool) -> tuple[Readers | None, ...]:
    """Who reads each input's values; None where some rows stand for absent facts, or no order is wanted."""
    return tuple(Readers.of(rows) if ordered and not bool((rows < 0).any()) else None for rows in inputs)
