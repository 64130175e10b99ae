"""A grounding's lineage as tensors on a device, made once and used for every pass."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rulewright.grounding.lineage import Aligned, Groups, Lineage, Memberships


@dataclass(frozen=True)
class LineageTensors:
    """One step's lineage; which fields are set depends on the kind of step (see grounding.lineage)."""

    rows: Tensor | None = None  # Aligned: (n_inputs, n_facts); Groups: (n_entries,)
    offsets: Tensor | None = None  # Memberships, Groups: (n_facts + 1,)
    members: Tensor | None = None  # Memberships: (n_entries,)
    truth: Tensor | None = None  # Memberships: (n_entries,)
    single: bool = False  # Groups: every run has exactly one entry


def lineage_tensors(steps: Sequence[Lineage], device: torch.device | str = "cpu") -> tuple[LineageTensors, ...]:
    """The lineage of every step; on the CPU the arrays are shared, not copied."""
    return tuple(on_device(lineage, torch.device(device)) for lineage in steps)


def on_device(lineage: Lineage, device: torch.device) -> LineageTensors:
    """One step's lineage on a device."""
    match lineage:
        case Memberships(offsets, members, truth):
            return LineageTensors(
                offsets=torch.from_numpy(offsets).to(device),
                members=torch.from_numpy(members).to(device),
                truth=torch.from_numpy(truth).to(device),
            )
        case Aligned(rows):
            return LineageTensors(rows=torch.from_numpy(rows).to(device))
        case Groups(offsets, rows):
            single = len(rows) == len(offsets) - 1 and bool((offsets[1:] > offsets[:-1]).all())
            return LineageTensors(
                offsets=torch.from_numpy(offsets).to(device), rows=torch.from_numpy(rows).to(device), single=single
            )
