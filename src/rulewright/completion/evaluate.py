"""evaluate(model, dataset): figures that say how they were made."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.model import CompletionModel
from rulewright.completion.peak_memory import peak_rss_mb
from rulewright.completion.ranking import Ranks
from rulewright.errors import OptionError, nearest
from rulewright.kb.splits import Dataset
from rulewright.logic.markup import Shown, card, folded, note, shown, table, title
from rulewright.paths.graph import Graph, both_directions, build_graph

if TYPE_CHECKING:
    import torch

SPLITS = ("train", "valid", "test")


class Ranker(Protocol):
    """What ranks the answers of a relation's queries: the model itself, or the same on a GPU."""

    def rank(self, relation: int, queries: NDArray[np.int64], known: Graph) -> Ranks:
        """The ranks of queries (head, answer), with the known answers of `known` left out."""


@dataclass(frozen=True)
class RelationFigures:
    """The figures of one relation of the data, both directions together."""

    relation: str
    queries: int
    figures: dict[str, float]


@dataclass(frozen=True)
class Evaluation(Shown):
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

    def __str__(self) -> str:
        figures = "  ".join(f"{name} {value:.4f}" for name, value in self.figures.items())
        return f"{figures}\n{self.queries:,} queries; {self.protocol}"

    def _repr_html_(self) -> str:
        """A card: the figures over all queries, of either direction and, when it is opened, of every relation."""
        parts = [("all queries", self.figures), ("for tails", self.tails), ("for heads", self.heads)]
        whole = [[*figures_of(figures), shown(name)] for name, figures in parts]
        apart = [[f"{of.queries:,}", *figures_of(of.figures), shown(of.relation)] for of in self.relations]
        return card(
            title("How well missing facts are found"),
            table([*self.figures, ""], whole, len(self.figures)),
            note(f"{self.queries:,} queries; {self.protocol}."),
            folded("By relation", table(["queries", *self.figures, "relation"], apart, 1 + len(self.figures))),
        )


def figures_of(figures: dict[str, float]) -> list[str]:
    """Figures as they are printed."""
    return [f"{value:.4f}" for value in figures.values()]


def evaluate(
    model: CompletionModel,
    dataset: Dataset,
    split: str = "test",
    threads: int | None = None,
    on_relation: Callable[[str], None] | None = None,
    device: "torch.device | str" = "cpu",
) -> Evaluation:
    """Rank the answers of a split's queries in both directions, among all entities, known answers left out.

    threads  None takes all cores; a GPU is fed by a few at most
    device   "cuda" ranks on a GPU: the same figures, but for entities whose scores differ by no more than rounding
    """
    if split not in SPLITS:
        raise OptionError(f"split must be one of {', '.join(SPLITS)}, not {split!r}{nearest(split, SPLITS)}")
    if threads is not None and threads < 1:
        raise OptionError(f"threads must be at least 1, not {threads}")
    started = time.perf_counter()
    workers = threads or os.cpu_count() or 1
    ranker: Ranker = model
    if device != "cpu":  # loaded only now: torch takes seconds, and more memory than most models
        ranker, workers = import_module("rulewright.completion.matrix_ranking").ranker_on(model, device, workers)
    triples = {"train": dataset.train, "valid": dataset.valid, "test": dataset.test}[split]
    if not len(triples):
        raise OptionError(f"{dataset.name} has no {split} queries")
    everything = np.concatenate([dataset.graph, dataset.train, dataset.valid, dataset.test])
    known = build_graph(everything, len(dataset.entities), len(dataset.relations))
    queries = both_directions(triples)
    asked = np.flatnonzero(np.bincount(queries[:, 1])).tolist()
    names = dataset.relations.names

    def rank(relation: int) -> Ranks:
        ranks = ranker.rank(relation, queries[queries[:, 1] == relation][:, [0, 2]], known)
        if on_relation is not None:
            on_relation(names[relation >> 1])
        return ranks

    _ = model.graph, model.profiles  # made once, before the threads need them
    with ThreadPoolExecutor(workers) as pool:
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
