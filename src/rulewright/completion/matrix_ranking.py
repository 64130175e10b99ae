"""MatrixRanker: the ranks that CompletionModel gives, computed for many heads at once on a GPU.

Walks are products of sparse matrices (path_matrices.py), and so are the tables of rules with constants; what is left
are passes over a table of (entities, heads). The scores are those of `mixture.score_entities` but for the order in
which numbers are added: they agree to float32's rounding, and so do ranks, but where two entities nearly tie.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import log1p
from queue import SimpleQueue

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rulewright.completion.constants import ConstantRules
from rulewright.completion.mixture import FREQUENCY_SCALE, FREQUENCY_SHIFT, standing_scores
from rulewright.completion.model import CompletionModel
from rulewright.completion.path_matrices import EdgesByEnd, Matrix, Step, find_ends, path_steps, spread
from rulewright.completion.ranking import Ranks
from rulewright.lnn.device import Device, device_of
from rulewright.paths.graph import Graph

MOST_HEADS = 1024  # at a time; more would not be faster
BUDGET = 1_000_000_000  # bytes for a table of scores and the walks behind it, where the device does not tell
SHARE = 0.4  # of the free memory of a GPU
QUERIES = 1024  # ranked at a time
FEEDERS = 4  # threads that give a GPU its work, each with a stream of its own: one alone leaves it idle mostly


def ranker_on(model: CompletionModel, device: Device, threads: int) -> "tuple[MatrixRanker | CompletionModel, int]":
    """What ranks a model's answers on a device, and by how many threads."""
    place = device_of(device)
    return (model, threads) if place.type == "cpu" else (MatrixRanker(model, place), min(threads, FEEDERS))


class MatrixRanker:
    """Ranks the answers of one model. The graph stays on the device, a relation's matrices while it is asked about."""

    def __init__(self, model: CompletionModel, device: torch.device) -> None:
        self.model, self.device = model, device
        self.edges = EdgesByEnd.of(model.graph, device)
        self.streams: SimpleQueue[torch.cuda.Stream] = SimpleQueue()
        if device.type == "cuda":
            torch.cuda.synchronize(device)  # the graph is there before other streams read it
            for _ in range(FEEDERS):
                self.streams.put(torch.cuda.Stream(device))  # type: ignore[no-untyped-call]

    @contextmanager
    def stream(self) -> Iterator[None]:
        """A queue of the device for one thread's work."""
        if self.device.type != "cuda":
            yield
            return
        stream = self.streams.get()
        try:
            with torch.cuda.stream(stream):
                yield
        finally:
            self.streams.put(stream)

    @torch.no_grad()
    def rank(self, relation: int, queries: NDArray[np.int64], known: Graph) -> Ranks:
        """The ranks of (head, answer) rows of one directed relation, other known answers left out."""
        with self.stream():
            return self.ranks(relation, queries, known)

    def ranks(self, relation: int, queries: NDArray[np.int64], known: Graph) -> Ranks:
        """See `rank`."""
        scorer = MatrixScorer(self.model, self.edges, relation)
        heads, place = np.unique(queries[:, 0], return_inverse=True)
        order = np.argsort(place, kind="stable")
        higher, equal = np.empty(len(queries), np.int64), np.empty(len(queries), np.int64)
        size = scorer.heads_at_once(self.budget())
        for first in range(0, len(heads), size):
            some = heads[first : first + size]
            scores = scorer.scores(torch.from_numpy(some).to(self.device))
            asked = order[slice(*np.searchsorted(place[order], (first, first + len(some))))]
            for part in np.split(asked, range(QUERIES, len(asked), QUERIES)):
                higher[part], equal[part] = self.counts(scores, place[part] - first, queries[part], relation, known)
        return Ranks(higher, equal)

    def counts(
        self, scores: Tensor, column: NDArray[np.int64], queries: NDArray[np.int64], relation: int, known: Graph
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many entities are above each query's answer, and level with it; see `ranking.count_rank`."""
        at = torch.from_numpy(column).to(self.device)
        answers = torch.from_numpy(queries[:, 1].copy()).to(self.device)
        own = scores[answers, at]
        table = scores[:, at]
        higher, equal = (table > own).sum(0), (table == own).sum(0)
        row = queries[:, 0] * known.relations + relation
        starts, lengths = known.start[row], known.start[row + 1] - known.start[row]
        query = np.repeat(np.arange(len(queries)), lengths)
        others = known.tails[np.arange(len(query)) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)]
        apart = others != queries[query, 1]
        query_at = torch.from_numpy(query[apart]).to(self.device)
        left_out = scores[torch.from_numpy(others[apart].astype(np.int64)).to(self.device), at[query_at]]
        higher.index_add_(0, query_at, -(left_out > own[query_at]).long())
        equal.index_add_(0, query_at, -(left_out == own[query_at]).long())
        return higher.cpu().numpy(), equal.cpu().numpy()

    def budget(self) -> int:
        """Bytes that walks and scores may take."""
        if self.device.type != "cuda":
            return BUDGET
        free, _ = torch.cuda.mem_get_info(self.device)
        unused = torch.cuda.memory_reserved(self.device) - torch.cuda.memory_allocated(self.device)
        return int(SHARE * (free + unused) / FEEDERS)


@dataclass(frozen=True, eq=False)
class Table:
    """Rules with constants as a matrix from facts to answers."""

    facts: Tensor  # (n_facts,) ids, in order
    answers: Tensor  # (n_answers,) entities, in order
    matrix: Matrix  # (n_answers, n_facts): weights


class MatrixScorer:
    """Scores all entities for many heads of one directed relation; see `mixture.score_entities`, part by part."""

    def __init__(self, model: CompletionModel, edges: EdgesByEnd, relation: int) -> None:
        mixture = model.mixture(relation)
        used = mixture.weights > 0
        self.edges, self.mixture, self.settings = edges, mixture, model.settings
        self.device = edges.ends.device
        self.steps = path_steps(edges, mixture.paths[used], mixture.weights[used])
        self.columns = mixture.columns.tolist()
        self.own = mixture.constants
        self.inverse = model.mixture(relation ^ 1).constants
        self.standing = None
        if mixture.answer.size:
            profiles = model.profiles
            standing = standing_scores(profiles.starts, profiles.relations, profiles.degree, mixture.answer)
            self.standing = torch.from_numpy(standing).to(self.device)

    def heads_at_once(self, budget: int) -> int:
        """So many that the tables of a step and the step before, the terms of sums, and what is scored fit."""
        rows = max((step.rows for step in self.steps), default=0)
        terms = max((step.entries for step in self.steps), default=0)
        rules = [rules for weight, rules in zip(self.columns[1:3], (self.own, self.inverse), strict=True) if weight > 0]
        tables = max((len(table) + len(table.facts) for table in rules), default=0)
        held = len(self.holders.columns) if self.columns[2] > 0 and len(self.inverse) else 0
        bytes_of_one = 4 * (3 * rows + max(terms, tables, held) + 6 * self.edges.entities)
        return int(min(max(budget // bytes_of_one, 1), MOST_HEADS))

    def scores(self, heads: Tensor) -> Tensor:
        """(entities, n_heads), unclamped."""
        scores = torch.zeros(self.edges.entities, len(heads), device=self.device)
        self.add_paths(scores, heads)
        run, edge = spread(*self.edges_of(heads))
        tails, relations = self.edges.tails[edge], self.edges.relation[edge]
        if self.mixture.direct.size:
            direct = torch.from_numpy(self.mixture.direct).to(self.device)
            scores.index_put_((tails, run), direct[relations], accumulate=True)
        if self.standing is not None:
            scores += self.standing[:, None] * (scores > 0)
        frequency, answer_side, head_side, seen = self.columns
        if self.own.answers.size and max(self.columns) > 0:
            common = self.common(frequency, seen)
            scores[self.answers.answers] += common[:, None]
            if answer_side > 0 and len(self.own):
                self.add_answer_side(scores, answer_side, run, relations * self.edges.entities + tails, len(heads))
        if head_side > 0 and len(self.inverse):
            self.add_head_side(scores, head_side, heads)
        return scores

    def add_paths(self, scores: Tensor, heads: Tensor) -> None:
        """The paths' weighted truths."""
        sharpness, most = self.settings.sharpness, self.settings.most
        chances = torch.zeros(self.edges.entities, len(heads), device=self.device)
        chances[heads, torch.arange(len(heads), device=self.device)] = 1.0
        for step in self.steps:
            chances = step.matrix @ chances
            self.forget_origins(chances, step, heads)
            if step.widest > most:
                self.forget_crowds(chances, step, most)
            if len(step.scoring.columns):
                truths = torch.log1p(chances * sharpness).div_(log1p(sharpness)) if sharpness else (chances > 0).float()
                scores += step.scoring @ truths

    def forget_origins(self, chances: Tensor, step: Step, heads: Tensor) -> None:
        """A walk never comes back to where it began."""
        nodes = torch.arange(len(step.relations), device=self.device).repeat_interleave(len(heads))
        column = torch.arange(len(heads), device=self.device).repeat(len(step.relations))
        row, led = find_ends(self.edges, step.relations, step.first_row, nodes, heads[column])
        chances[row[led], column[led]] = 0.0

    def forget_crowds(self, chances: Tensor, step: Step, most: int) -> None:
        """A path that meets more than `most` entities at one step is given up for that head."""
        met = torch.segment_reduce((chances > 0).float(), "sum", offsets=step.first_row, unsafe=True, axis=0, initial=0)
        chances *= (met <= most).float().repeat_interleave(step.first_row.diff(), 0)

    def common(self, frequency: float, seen: float) -> Tensor:
        """What every answer gets whatever the head."""
        prior = torch.from_numpy(self.own.prior).to(self.device)
        said = ((prior + FREQUENCY_SHIFT) / FREQUENCY_SCALE).float() * max(frequency, 0.0)
        return said + max(seen, 0.0)

    @cached_property
    def answers(self) -> Table:
        """The relation's own rules."""
        return table_of(self.own, self.device)

    @cached_property
    def subjects(self) -> Table:
        """The inverse relation's rules, whose answers are heads here."""
        return table_of(self.inverse, self.device)

    @cached_property
    def holders(self) -> Matrix:
        """(entities, n_facts): 1 where an entity has a fact of the inverse relation's rules."""
        edges, facts = self.edges, self.subjects.facts
        row = (facts % edges.entities) * edges.relations + ((facts // edges.entities) ^ 1)
        fact, edge = spread(edges.start[row], edges.start[row + 1] - edges.start[row])
        entity, order = torch.sort(edges.tails[edge], stable=True)
        ones = torch.ones(len(order), device=self.device)
        return Matrix.of(entity, fact[order], ones, edges.entities)

    def add_answer_side(self, scores: Tensor, weight: float, run: Tensor, facts: Tensor, heads: int) -> None:
        """What the facts of each head say of the answers."""
        rules = self.answers
        at = torch.searchsorted(rules.facts, facts).clamp_(max=len(rules.facts) - 1)
        known = rules.facts[at] == facts
        held = torch.zeros(len(rules.facts), heads, device=self.device)
        held[at[known], run[known]] = 1.0
        scores.index_add_(0, rules.answers, rules.matrix @ held, alpha=weight)

    def add_head_side(self, scores: Tensor, weight: float, heads: Tensor) -> None:
        """What the facts of each candidate say of the heads."""
        rules = self.subjects
        at = torch.searchsorted(rules.answers, heads).clamp_(max=len(rules.answers) - 1)
        named = torch.nonzero(rules.answers[at] == heads).flatten()
        offsets = rules.matrix.offsets
        run, entry = spread(offsets[at[named]], offsets[at[named] + 1] - offsets[at[named]])
        said = torch.zeros(len(rules.facts), len(heads), device=self.device)
        said[rules.matrix.columns[entry], named[run]] = rules.matrix.values[entry]
        scores.add_(self.holders @ said, alpha=weight)

    def edges_of(self, heads: Tensor) -> tuple[Tensor, Tensor]:
        """Where each head's edges begin, and how many there are."""
        first = self.edges.start[heads * self.edges.relations]
        return first, self.edges.start[(heads + 1) * self.edges.relations] - first


def table_of(rules: ConstantRules, device: torch.device) -> Table:
    """Rules with constants on a device, by answer."""
    fact = torch.from_numpy(np.repeat(np.arange(len(rules.facts)), np.diff(rules.starts))).to(device)
    answer, order = torch.sort(torch.from_numpy(rules.answer).to(device), stable=True)
    weight = torch.from_numpy(rules.weight).to(device)
    return Table(
        torch.from_numpy(rules.facts).to(device),
        torch.from_numpy(rules.answers).to(device).long(),
        Matrix.of(answer, fact[order], weight[order], len(rules.answers)),
    )
