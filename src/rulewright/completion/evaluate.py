"""evaluate(model, dataset): figures that say how they were made."""

import os
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulewright.completion.model import CompletionModel
from rulewright.completion.ranking import Ranks
from rulewright.errors import OptionError, nearest
from rulewright.kb.splits import Dataset
from rulewright.paths.graph import both_directions, build_graph

SPLITS = ("train", "valid", "test")


@dataclass(frozen=True)
class RelationFigures:
    """The figures of one relation of the data, both directions together."""

    relation: str
    queries: int
    figures: dict[str, float]


@dataclass(frozen=True)
class Evaluation:
    """Figures over all queries of a split, and what they mean."""

    figures: dict[str, float]
    optimistic: dict[str, float]
    pessimistic: dict[str, float]
    tails: dict[str, float]  # queries (h, r, ?)
    heads: dict[str, float]  # queries (?, r, t)
    relations: tuple[RelationFigures, ...]
    queries: int
    seconds: float
    peak_rss_mb: float
    protocol: str

    def as_dict(self) -> dict[str, Any]:
        """The keys of the command contract first."""
        return {
            **self.figures,
            "queries": self.queries,
            "seconds": round(self.seconds, 3),
            "peak_rss_mb": round(self.peak_rss_mb, 1),
            "protocol": self.protocol,
            "optimistic": self.optimistic,
            "pessimistic": self.pessimistic,
            "tails": self.tails,
            "heads": self.heads,
            "relations": [{"relation": r.relation, "queries": r.queries, **r.figures} for r in self.relations],
        }


def evaluate(
    model: CompletionModel,
    dataset: Dataset,
    split: str = "test",
    threads: int | None = None,
    on_relation: Callable[[str], None] | None = None,
) -> Evaluation:
    """Rank the answers of a split's queries in both directions, among all entities, known answers left out."""
    if split not in SPLITS:
        raise OptionError(f"split must be one of {', '.join(SPLITS)}, not {split!r}{nearest(split, SPLITS)}")
    if threads is not None and threads < 1:
        raise OptionError(f"threads must be at least 1, not {threads}")
    started = time.perf_counter()
    triples = {"train": dataset.train, "valid": dataset.valid, "test": dataset.test}[split]
    if not len(triples):
        raise OptionError(f"{dataset.name} has no {split} queries")
    everything = np.concatenate([dataset.graph, dataset.train, dataset.valid, dataset.test])
    known = build_graph(everything, len(dataset.entities), len(dataset.relations))
    queries = both_directions(triples)
    asked = np.flatnonzero(np.bincount(queries[:, 1])).tolist()
    names = dataset.relations.names

    def rank(relation: int) -> Ranks:
        ranks = model.rank(relation, queries[queries[:, 1] == relation][:, [0, 2]], known)
        if on_relation is not None:
            on_relation(names[relation >> 1])
        return ranks

    _ = model.graph, model.profiles  # made once, before the threads need them
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        ranks = dict(zip(asked, pool.map(rank, asked), strict=True))
    whole = Ranks.joined(list(ranks.values()))
    by_relation = []
    for base in sorted({relation >> 1 for relation in asked}):
        both = Ranks.joined([ranks[r] for r in (2 * base, 2 * base + 1) if r in ranks])
        by_relation.append(RelationFigures(names[base], len(both), both.figures()))
    return Evaluation(
        figures=whole.figures(),
        optimistic=whole.figures("optimistic"),
        pessimistic=whole.figures("pessimistic"),
        tails=Ranks.joined([r for relation, r in ranks.items() if relation % 2 == 0]).figures(),
        heads=Ranks.joined([r for relation, r in ranks.items() if relation % 2 == 1]).figures(),
        relations=tuple(by_relation),
        queries=len(whole),
        seconds=time.perf_counter() - started,
        peak_rss_mb=peak_rss_mb(),
        protocol=protocol(dataset, split),
    )


def protocol(dataset: Dataset, split: str) -> str:
    """What the figures mean, in one sentence."""
    return (
        f"{dataset.name}, {split} split, both directions, all {len(dataset.entities):,} entities as candidates (also "
        f"those no training fact mentions), known answers of all splits filtered, ties averaged as in the paper"
    )


def peak_rss_mb() -> float:
    """The largest resident memory of this process so far, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
