"""The run that is served, read once: what it holds, and what pages keep of it between requests."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.model import CompletionModel
from rulewright.completion.rule_table import RuleTable, rule_table
from rulewright.completion.saving import KIND as GRAPH
from rulewright.completion.saving import load_model
from rulewright.kb.coding import kb_from_arrays
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.program import Program
from rulewright.paths.reach import walk_lengths
from rulewright.rules.folder import read_arrays, read_document
from rulewright.rules.store import program_from_json
from rulewright.web.names import Names

TEMPLATE = "template"
TABLES_KEPT = 128  # of relations, half a megabyte each on FB15K-237
SCORES_KEPT = 256  # of queries, one number for each entity
REACH_SAMPLE = 1000  # facts that stand for all when reach is measured


@dataclass(frozen=True)
class Reach:
    """The share of some facts whose ends another walk joins."""

    steps: int
    share: float
    facts: int


@dataclass(frozen=True, eq=False)
class GraphRun:
    """A completed knowledge graph."""

    title: str
    model: CompletionModel
    document: dict[str, Any]  # run.json
    figures: dict[str, Any]
    reach: Reach
    entities: Names
    relations: Names  # directed ones, by number
    table: Callable[[int], RuleTable]
    scores: Callable[[int, int], NDArray[np.float32]]  # of a directed relation and a head


@dataclass(frozen=True, eq=False)
class TemplateRun:
    """What a template learned."""

    title: str
    program: Program
    document: dict[str, Any]
    best: dict[str, Any]  # figures of the epoch that was kept
    kb: KnowledgeBase


Run = GraphRun | TemplateRun


def open_run(folder: str | Path, report: Callable[[str], None] = lambda text: None) -> Run:
    """Read a run folder and make ready what the first page would otherwise wait for."""
    document = read_document(folder, "run")
    if document.get("kind") == GRAPH:
        return open_graph(folder, document, report)
    program = program_from_json(read_document(folder, "program"))
    best = read_document(folder, "history").get("best") or {}
    return TemplateRun(str(program.head), program, document, best, kb_from_arrays(read_arrays(folder, "facts")))


def open_graph(folder: str | Path, document: dict[str, Any], report: Callable[[str], None]) -> GraphRun:
    """A knowledge graph: read, indexed, and its kernels compiled by use."""
    report("reading the rules and the facts")
    model = load_model(folder)
    report(f"indexing {len(model.triples):,} facts")
    model.graph  # noqa: B018  made on first use
    model.profiles  # noqa: B018
    return graph_run(model, document, read_document(folder, "figures"))


def graph_run(model: CompletionModel, document: dict[str, Any], figures: dict[str, Any]) -> GraphRun:
    """A run around a model."""

    @lru_cache(TABLES_KEPT)
    def table(relation: int) -> RuleTable:
        return rule_table(model, relation, counted=True)

    @lru_cache(SCORES_KEPT)
    def scores(relation: int, head: int) -> NDArray[np.float32]:
        found = model.scorer(relation).scores(head)
        found.setflags(write=False)
        return found

    return GraphRun(
        model.name, model, document, figures, reach_of(model), Names.of(model.entities.names),
        Names.directed(model.relations.names), table, scores,
    )  # fmt: skip


def reach_of(model: CompletionModel) -> Reach:
    """How many of the run's own facts a walk as long as its rules' joins, the fact itself left out; by a sample."""
    steps = model.settings.length
    chosen = np.random.default_rng(0).permutation(len(model.triples))[:REACH_SAMPLE]
    if not len(chosen):
        return Reach(steps, 0.0, 0)
    lengths = walk_lengths(model.triples, model.triples[chosen], len(model.entities), steps)
    return Reach(steps, float((lengths > 0).mean()), len(chosen))
