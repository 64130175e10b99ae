"""What is in a data set, and what would make results on it mean less than they seem to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.kb.registry import REGISTRY, checksums, differing, find
from rulewright.kb.relation import Relation
from rulewright.kb.splits import FACTS, TRAIN, Dataset, Triples

SHOWN = 10  # relations and pairs of relations in the printed report


@dataclass(frozen=True)
class InversePair:
    """Test queries r(h, t) that are all but given by a known s(t, h); r = s when the relation is symmetric."""

    relation: str
    inverse: str
    queries: int
    share: float  # of the relation's test queries


@dataclass(frozen=True)
class PartReport:
    """One part of a data set. Known are the triples of the graph and of training."""

    triples: int  # distinct ones
    repeated: int  # lines that said again what an earlier one said
    known: int  # validation and test queries that are known triples
    unseen_entities: int  # names that no known triple has
    unseen_queries: int  # queries with such a name
    unseen_relations: tuple[str, ...]

    def counts(self) -> tuple[int, ...]:
        """The fields as numbers."""
        return (*astuple(self)[:-1], len(self.unseen_relations))


@dataclass(frozen=True)
class Report:
    """What `check` finds.

    content        which registered data set this is by its content, or that it is none, or how it differs from its name
    parts          by name, in the order of a run: facts, train, valid, test
    tuned_on       test queries that are validation queries, too
    untrained      relations without a training triple
    inverse_share  the share of test queries with some known inverse
    inverses       these by pairs of relations, most queries first
    reach          the share of test queries whose answer is within 1, 2, ... steps; empty when not measured
    """

    name: str
    note: str
    content: str
    entities: int
    relations: int
    parts: dict[str, PartReport]
    tuned_on: int
    untrained: tuple[str, ...]
    inverse_share: float
    inverses: tuple[InversePair, ...]
    reach: tuple[float, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for programs."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.entities:,} entities, {self.relations:,} relations", self.content]
        lines += [self.note] if self.note else []
        lines += ["", *self.part_lines(), "", *self.leak_lines()]
        if self.reach:
            steps = "   ".join(f"{length}: {share:.1%}" for length, share in enumerate(self.reach, start=1))
            lines += [
                "",
                "test queries whose answer is within so many steps, the query's own edge taken out:",
                f"  {steps}",
            ]
        return "\n".join(lines)

    def part_lines(self) -> list[str]:
        """The parts as a table."""
        titles = ("", "triples", "repeated", "known", "unseen entities", "queries with them", "unseen relations")
        rows = [(name, *(f"{count:,}" for count in part.counts())) for name, part in self.parts.items()]
        return aligned([titles, *rows])

    def leak_lines(self) -> list[str]:
        """What else stands between parts and relations."""
        lines = [f"test queries that are validation queries: {self.tuned_on:,}"]
        lines += [f"relations without a training triple: {few(self.untrained)}"]
        lines += [f"test queries with a known inverse: {self.inverse_share:.1%}"]
        lines += [
            f"  {pair.share:6.1%} of {pair.relation}: {pair.queries:,} through {pair.inverse}"
            for pair in self.inverses[:SHOWN]
        ]
        left = len(self.inverses) - SHOWN
        return [*lines, f"  and {left:,} more pairs of relations"] if left > 0 else lines


def check(dataset: Dataset, reach: Sequence[float] = ()) -> Report:
    """Look a data set over. For the reach pass `rulewright.paths.reach.reach_by_length(dataset)`."""
    known = known_triples(dataset)
    queries, inverses = inverse_matches(dataset, known)
    return Report(
        name=dataset.name,
        note=dataset.note,
        content=content_of(dataset),
        entities=len(dataset.entities),
        relations=len(dataset.relations),
        parts={name: part_report(dataset, name, triples, known) for name, triples in dataset.parts().items()},
        tuned_on=int(np.isin(keys(dataset, dataset.test), keys(dataset, dataset.valid)).sum()),
        untrained=missing_names(dataset.relations.names, dataset.train[:, 1]),
        inverse_share=len(set(queries.tolist())) / max(len(dataset.test), 1),
        inverses=inverse_pairs(dataset, queries, inverses),
        reach=tuple(reach),
    )


def content_of(dataset: Dataset) -> str:
    """Whether the content is that of a registered data set."""
    sums = checksums(dataset)
    for entry in REGISTRY:
        if not differing(entry, sums):
            return f"the content is exactly the registered {entry.name}, split {entry.split}"
    named = find(dataset.name)
    if named is None:
        return "the content is that of no registered data set"
    parts = ", ".join(differing(named, sums))
    return f"NOT the registered {named.name}, split {named.split}: other content in {parts}; results do not compare"


def known_triples(dataset: Dataset) -> Triples:
    """The distinct triples of the graph and of training."""
    if dataset.graph is dataset.train:
        return dataset.train
    both = np.concatenate([dataset.graph, dataset.train])
    return Relation.of(both).facts


def part_report(dataset: Dataset, name: str, triples: Triples, known: Triples) -> PartReport:
    """What there is to say about one part."""
    repeated = dataset.repeated.get(name, 0)
    if name in (FACTS, TRAIN):
        return PartReport(len(triples), repeated, 0, 0, 0, ())
    unseen = np.ones(len(dataset.entities), dtype=bool)
    unseen[known[:, ::2]] = False
    touched = unseen[triples[:, ::2]]
    queried = np.zeros(len(dataset.relations), dtype=bool)
    queried[triples[:, 1]] = True
    new = set(missing_names(dataset.relations.names, known[:, 1]))
    asked = [relation for relation, is_asked in zip(dataset.relations, queried, strict=True) if is_asked]
    return PartReport(
        len(triples),
        repeated,
        int(np.isin(keys(dataset, triples), keys(dataset, known)).sum()),
        len(set(triples[:, ::2][touched].tolist())),
        int(touched.any(axis=1).sum()),
        tuple(relation for relation in asked if relation in new),
    )


def keys(dataset: Dataset, triples: Triples) -> NDArray[np.int64]:
    """One integer per triple."""
    return (triples[:, 0] * len(dataset.relations) + triples[:, 1]) * len(dataset.entities) + triples[:, 2]


def missing_names(names: Sequence[str], ids: NDArray[np.int64]) -> tuple[str, ...]:
    """The names whose id does not occur."""
    counts = np.bincount(ids, minlength=len(names))
    return tuple(name for name, count in zip(names, counts.tolist(), strict=True) if not count)


def inverse_matches(dataset: Dataset, known: Triples) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows of test queries (h, r, t) once for each relation s with a known (t, s, h), and these relations."""
    entities = len(dataset.entities)
    ends = known[:, 0] * entities + known[:, 2]
    order = np.argsort(ends, kind="stable")
    # A query from an entity to itself is its own inverse: where that is known it is a leak, and counted as such.
    rows = np.flatnonzero(dataset.test[:, 0] != dataset.test[:, 2])
    asked = dataset.test[rows, 2] * entities + dataset.test[rows, 0]
    starts = np.searchsorted(ends[order], asked, side="left")
    counts = np.searchsorted(ends[order], asked, side="right") - starts
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(rows, counts), known[order[np.repeat(starts, counts) + within], 1]


def inverse_pairs(dataset: Dataset, queries: NDArray[np.int64], inverses: NDArray[np.int64]) -> tuple[InversePair, ...]:
    """The matches by pairs of relations, the pairs with most queries first."""
    names = dataset.relations.names
    asked = np.bincount(dataset.test[:, 1], minlength=len(names))
    counts = Counter(zip(dataset.test[queries, 1].tolist(), inverses.tolist(), strict=True))
    return tuple(
        InversePair(names[relation], names[inverse], count, count / int(asked[relation]))
        for (relation, inverse), count in counts.most_common()
    )


def few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = f", and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return (", ".join(names[:SHOWN]) or "none") + more


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table as text: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
