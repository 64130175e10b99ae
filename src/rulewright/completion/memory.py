"""What learning on a knowledge graph will take in memory, told before it starts, and how to make it fit.

Counted from the sizes of the arrays. E entities, D directed relations, N facts: a graph has E x D offsets of 8 bytes
and 2 N edges of 8 bytes; every fold in use is such a graph; every thread has scratch of its own, of which the largest
parts are the training rows and the table of mined paths. Where rules with constants are learned, every graph also
numbers the facts that they may be about, and a thread has 16 bytes for each. The parts that depend on what is found
(such facts, training rows, rules) are counted as the most they can be.
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rulewright.completion.mixture import COLUMNS
from rulewright.completion.rows import MOST_ANSWERS
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import MemoryBudgetError
from rulewright.kb.splits import Dataset

GB = 1e9
FEWEST_ENTRIES = 500_000  # of training rows for one relation; with fewer, too few queries are left to learn from
KERNELS = 150_000_000  # what numba and torch take when they are first used
UNKNOWN_PROGRAM = 400_000_000  # where the system does not tell how much this process has


@dataclass(frozen=True)
class MemoryEstimate:
    """Bytes, part by part."""

    program: int  # this process as it is, with the data set read, and the compiled kernels
    graph: int  # what rules read when nothing is hidden
    folds: int  # the graphs that hide a part each
    building: int  # at the moment when the last graph is built
    threads: int  # scratch of all threads together
    rules: int  # what is learned

    @property
    def total(self) -> int:
        """Building is over before the threads start."""
        return self.program + self.graph + self.folds + max(self.building, self.threads + self.rules)

    def __str__(self) -> str:
        parts = ("program", "graph", "folds", "building", "threads", "rules")
        return ", ".join(f"{part} {getattr(self, part) / GB:.2f}" for part in parts)


@dataclass(frozen=True)
class MemoryPlan:
    """Settings and threads that fit a budget, what they take, and what was changed to get there."""

    settings: CompletionSettings
    threads: int
    estimate: MemoryEstimate
    changes: tuple[str, ...] = ()

    def __str__(self) -> str:
        made = f"; to fit: {', '.join(self.changes)}" if self.changes else ""
        return f"needs up to {self.estimate.total / GB:.2f} GB ({self.estimate}){made}"


@dataclass(frozen=True)
class Sizes:
    """What of a data set the memory depends on."""

    entities: int
    directed: int  # relations, in both directions
    facts: int  # that rules may read
    queries: int  # facts to learn from
    apart: bool  # whether those are others
    asked: int  # relations that have queries
    answers: int  # of all relations, as tails and as heads

    @staticmethod
    def of(dataset: Dataset) -> "Sizes":
        heads, relations, tails = (np.count_nonzero(np.bincount(column)) for column in dataset.train.T)
        return Sizes(
            entities=len(dataset.entities),
            directed=2 * len(dataset.relations),
            facts=len(dataset.graph),
            queries=len(dataset.train),
            apart=dataset.graph is not dataset.train,
            asked=int(relations),
            answers=int(heads) + int(tails),
        )


def plan_learning(
    dataset: Dataset, settings: CompletionSettings, threads: int | None = None, budget: int | None = None
) -> MemoryPlan:
    """How to learn within a budget of bytes.

    First with fewer threads, which changes nothing that is learned; then with fewer training rows held at a time; then
    with fewer folds as queries. An error names the least that would do.
    """
    program = resident_bytes() + KERNELS
    sizes = Sizes.of(dataset)
    wanted = threads or os.cpu_count() or 1
    plan = MemoryPlan(settings, wanted, estimate(sizes, settings, wanted, program))
    if budget is None:
        return plan
    for smaller, count, changes in savings(settings, wanted):
        plan = MemoryPlan(smaller, count, estimate(sizes, smaller, count, program), changes)
        if plan.estimate.total <= budget:
            return plan
    raise MemoryBudgetError(f"learning from {dataset.name}", budget, plan.estimate.total, str(plan.estimate))


def savings(settings: CompletionSettings, threads: int) -> Iterator[tuple[CompletionSettings, int, tuple[str, ...]]]:
    """Ever smaller settings, each with what was changed; what costs the rules most is given up last.

    A fold less makes room, so rows and threads are tried from the top again with it.
    """
    for folds in range(settings.used_folds, 0, -1):
        for entries in halves(settings.entries):
            for count in range(threads, 0, -1):
                changes = []
                if count < threads:
                    changes.append(f"{count} thread{'s' if count > 1 else ''}")
                if entries < settings.entries:
                    changes.append(f"entries {entries:,}")
                if folds < settings.used_folds:
                    changes.append(f"used_folds {folds}")
                yield replace(settings, entries=entries, used_folds=folds), count, tuple(changes)


def halves(entries: int) -> Iterator[int]:
    """Half as many each time, down to the fewest."""
    yield entries
    while entries > FEWEST_ENTRIES:
        entries = max(entries // 2, FEWEST_ENTRIES)
        yield entries


def estimate(sizes: Sizes, settings: CompletionSettings, threads: int, program: int) -> MemoryEstimate:
    """What learning takes at most."""
    entities, directed, facts, queries = sizes.entities, sizes.directed, sizes.facts, sizes.queries
    numbered = numbered_facts(facts, entities, directed, settings)
    read = graph_bytes(facts, entities, directed) + (8 * facts + 8 * numbered if numbered else 0)
    graph = read
    if sizes.apart:
        graph += graph_bytes(facts + queries, entities, directed)
    hidden = 2 * 24 * queries // settings.folds
    fold = read + profile_bytes(facts, entities) + hidden
    largest = building_bytes(facts + queries * sizes.apart, entities, directed) + 16 * queries
    scratch = min(threads, sizes.asked) * thread_bytes(settings, entities, directed, numbered)
    rules = 0
    if settings.constants is not None:
        per_relation = min(sizes.answers, 2 * queries)
        most = min(2 * queries, per_relation * directed // 2)
        rules = most * (12 + 8 * settings.constants.per_answer)
    return MemoryEstimate(program, graph, settings.used_folds * fold, largest, scratch, rules)


def graph_bytes(facts: int, entities: int, directed: int) -> int:
    """A graph: offsets, and both directions of every fact with tail and chance."""
    return 8 * (entities * directed + 1) + 2 * facts * 8


def numbered_facts(facts: int, entities: int, directed: int, settings: CompletionSettings) -> int:
    """How many facts rules with constants may be about, at most: those that so many entities share."""
    if settings.constants is None:
        return 0
    return min(2 * facts // settings.constants.support, entities * directed)


def profile_bytes(facts: int, entities: int) -> int:
    """Which relations leave every entity."""
    return 8 * facts + 12 * entities


def building_bytes(facts: int, entities: int, directed: int) -> int:
    """Beside what stays: sorted keys, rows and degrees of both directions, and counts of every row."""
    return 2 * facts * 40 + 16 * entities * directed


def thread_bytes(settings: CompletionSettings, entities: int, directed: int, numbered: int) -> int:
    """The scratch of one thread."""
    walks = entities * (8 * (settings.length + 1) + 4)
    mining = (24 << settings.limits.table) + 56 * settings.limits.walks + 8 * entities
    queries = max(settings.queries, settings.used_folds)
    rivals = queries * (MOST_ANSWERS + settings.hard + settings.easy)
    widest = settings.paths + len(COLUMNS) + (directed if settings.direct else 0) + (directed if settings.answer else 0)
    entries = min(settings.entries, rivals * widest)
    rows = 16 * entries + 16 * rivals + entities * (4 * len(COLUMNS) + 13)  # as collected, and joined
    constants = 16 * numbered + 4 * entities if settings.constants is not None else 0
    return walks + mining + rows + constants


def plan_ranking(dataset: Dataset, length: int, threads: int | None = None, budget: int | None = None) -> int:
    """How many threads may rank within a budget of bytes."""
    entities, directed = len(dataset.entities), 2 * len(dataset.relations)
    everything = sum(map(len, (dataset.graph, dataset.train, dataset.valid, dataset.test)))
    fixed = resident_bytes() + KERNELS + graph_bytes(len(dataset.graph), entities, directed)
    fixed += graph_bytes(everything, entities, directed) + building_bytes(everything, entities, directed)
    each = entities * (8 * (length + 1) + 4 * len(COLUMNS) + 12)
    wanted = threads or os.cpu_count() or 1
    if budget is None or fixed + wanted * each <= budget:
        return wanted
    if fixed + each > budget:
        raise MemoryBudgetError(f"ranking on {dataset.name}", budget, fixed + each)
    return (budget - fixed) // each


def resident_bytes() -> int:
    """The memory that this process has now."""
    pages = Path("/proc/self/statm")
    if sys.platform != "linux" or not pages.exists():
        return UNKNOWN_PROGRAM
    return int(pages.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
