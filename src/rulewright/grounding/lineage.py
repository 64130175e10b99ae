"""Grounding: the facts that can arise at every step, and the lineage of each down to the knowledge base."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.grounding.plan import Plan, inputs_of
from rulewright.grounding.tables import Ids, Rows, find, picked, sorted_unique

SCAN_FRACTION = 32  # marking all rows of a table beats sorting the wanted ones when they are at least 1/32 of it


@dataclass(frozen=True, eq=False)
class Memberships:
    """Lineage of a Union: which members hold at each fact, and how true they are (compressed rows)."""

    offsets: Rows  # (n_facts + 1,)
    members: Rows  # (n_entries,) place in the leaf's domain
    truth: NDArray[np.float32]  # (n_entries,)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.members)

    def take(self, rows: Rows) -> "Memberships":
        offsets, entries = runs(self.offsets, rows)
        return Memberships(offsets, self.members[entries], self.truth[entries])


@dataclass(frozen=True, eq=False)
class Aligned:
    """Lineage of a Join, Disjoin or Complement: for each input the row of its step, -1 where the fact is absent."""

    rows: Rows  # (n_inputs, n_facts)

    def __len__(self) -> int:
        return int(self.rows.shape[1])

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(self.rows.size)

    def take(self, rows: Rows) -> "Aligned":
        return Aligned(self.rows[:, rows])


@dataclass(frozen=True, eq=False)
class Groups:
    """Lineage of a Project: each fact's run of rows of its input."""

    offsets: Rows  # (n_facts + 1,)
    rows: Rows  # (n_entries,)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.rows)

    def take(self, rows: Rows) -> "Groups":
        offsets, entries = runs(self.offsets, rows)
        return Groups(offsets, self.rows[entries])


Lineage = Memberships | Aligned | Groups


@dataclass(frozen=True, eq=False)
class Grounding:
    """Per step of the plan a fact table (n_facts, variables) and the lineage rows into its inputs."""

    plan: Plan
    facts: tuple[Ids, ...]
    lineage: tuple[Lineage, ...]

    @property
    def roots(self) -> Ids:
        """The head facts, (n, arity)."""
        return self.facts[-1]

    def __len__(self) -> int:
        """The number of head facts."""
        return len(self.facts[-1])

    def __str__(self) -> str:
        sizes = [len(table) for table in self.facts]
        return "\n".join(
            f"{line}: {size:,} facts" for line, size in zip(str(self.plan).splitlines(), sizes, strict=True)
        )

    def rows_of(self, heads: Ids) -> Rows:
        """The rows of given head facts, -1 for those that cannot arise."""
        return find(heads, self.roots)

    def take(self, rows: Rows) -> "Grounding":
        """The grounding of some head facts alone, in the given order; touches only their lineage."""
        lineage, chosen = self.take_lineage(rows)
        facts = [picked(table, some) for table, some in zip(self.facts, chosen, strict=True)]
        return Grounding(self.plan, tuple(facts), lineage)

    def take_lineage(self, rows: Rows) -> tuple[tuple[Lineage, ...], list[Rows]]:
        """The lineage of some head facts, which is all that a network needs, and which rows of each step it keeps."""
        lineage: list[Lineage] = list(self.lineage)
        wanted: list[list[Rows]] = [[] for _ in self.facts]
        last = len(lineage) - 1
        for place in reversed(range(len(lineage))):
            chosen = rows if place == last else merged(wanted[place], len(self.lineage[place]))
            wanted[place] = [chosen]
            lineage[place] = lineage[place].take(chosen)
            for view, inputs in zip(inputs_of(self.plan.steps[place]), input_rows(lineage[place]), strict=True):
                wanted[view.step].append(inputs)
        for place, step in enumerate(self.plan.steps):
            renumbered = [
                renumber(inputs, wanted[view.step][0], len(self.lineage[view.step]))
                for view, inputs in zip(inputs_of(step), input_rows(lineage[place]), strict=True)
            ]
            lineage[place] = with_input_rows(lineage[place], renumbered)
        return tuple(lineage), [chosen for (chosen,) in wanted]


def input_rows(lineage: Lineage) -> list[Rows]:
    """The rows that a lineage refers to, one array per input."""
    match lineage:
        case Memberships():
            return []
        case Aligned(rows):
            return list(rows)
        case Groups(_, rows):
            return [rows]


def with_input_rows(lineage: Lineage, inputs: list[Rows]) -> Lineage:
    """The same lineage with its references replaced."""
    match lineage:
        case Memberships():
            return lineage
        case Aligned():
            return Aligned(np.stack(inputs))
        case Groups(offsets, _):
            return Groups(offsets, inputs[0])


def runs(offsets: Rows, rows: Rows) -> tuple[Rows, Rows]:
    """The runs of some rows of a compressed table: their new offsets, and the entries they cover."""
    counts = offsets[rows + 1] - offsets[rows]
    ends = np.cumsum(counts)
    entries = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(offsets[rows] - (ends - counts), counts)
    return np.concatenate([np.zeros(1, dtype=np.int64), ends]), entries


def merged(references: Sequence[Rows], size: int) -> Rows:
    """The distinct rows referred to, in order, absent ones (-1) left out."""
    total = sum(map(len, references))
    if total * SCAN_FRACTION >= size:
        marked = np.zeros(size + 1, dtype=bool)
        for reference in references:
            marked[reference] = True  # -1 marks the spare last place
        return np.flatnonzero(marked[:-1])
    distinct = sorted_unique(np.concatenate([np.empty(0, dtype=np.int64), *references]))
    return distinct[distinct >= 0]


def renumber(references: Rows, kept: Rows, size: int) -> Rows:
    """References into a table as references into its kept rows; -1 stays."""
    if len(kept) == size:
        return references
    if len(references) * SCAN_FRACTION >= size:
        places = np.full(size + 1, -1, dtype=np.int64)
        places[kept] = np.arange(len(kept))
        return places[references]
    return np.where(references < 0, -1, np.searchsorted(kept, references))
