"""--memory SIZE: how much a command may take."""

import re

from rulewright.cli.output import print_note
from rulewright.completion.memory import GB, KERNELS, plan_learning, resident_bytes
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import MemoryBudgetError, OptionError
from rulewright.grounding.ground import GroundingLimits
from rulewright.kb.splits import Dataset

UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}
LEAST_FOR_ROWS = 10_000_000


def memory_size(text: str | None) -> int | None:
    """A size as bytes: 4GB, 512MB, 1.5GiB; None stays None."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*([KMGT]I?)?B?\s*", text, re.ASCII | re.IGNORECASE)
    size = int(float(found[1]) * UNITS[(found[2] or "").upper()]) if found else 0
    if not 1 <= size < 1 << 60:
        raise OptionError(f"--memory must be a size such as 4GB, 512MB or 1.5GiB, not {text!r}")
    return size


def fitted(
    dataset: Dataset, settings: CompletionSettings, threads: int | None, memory: str | None
) -> tuple[CompletionSettings, int | None]:
    """Settings and threads within the memory, once what they take has been told."""
    budget = memory_size(memory)
    plan = plan_learning(dataset, settings, threads, budget)
    print_note(str(plan) + ("" if budget is None else f", of {budget / GB:.2f} GB given"))
    return plan.settings, threads if plan.threads == threads or not plan.changes else plan.threads


def row_limits(memory: str | None) -> GroundingLimits | None:
    """How many rows the grounding of a template may have; None where no memory was named."""
    budget = memory_size(memory)
    if budget is None:
        return None
    free = budget - resident_bytes() - KERNELS
    if free < LEAST_FOR_ROWS:
        raise MemoryBudgetError("learning from a template", budget, budget - free + LEAST_FOR_ROWS)
    limits = GroundingLimits.within(free)
    print_note(f"up to {limits.rows:,} rows in one join, for {budget / GB:.2f} GB in all")
    return limits
