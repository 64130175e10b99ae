"""All rules of one directed relation as columns of numbers, to be counted, sorted and searched before one is written.

A relation can have hundreds of thousands of rules with constants; as objects they would take seconds.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.counts import count_body_hits
from rulewright.completion.mixture import COLUMNS, Mixture
from rulewright.completion.model import CompletionModel
from rulewright.paths.graph import Graph

Source = Literal["path", "direct", "answer", "answer side", "head side", "frequency"]
SOURCES: tuple[Source, ...] = ("path", "direct", "answer", "answer side", "head side", "frequency")
PATH, DIRECT, ANSWER, ANSWER_SIDE, HEAD_SIDE, FREQUENCY = range(len(SOURCES))


@dataclass(frozen=True, eq=False)
class RuleTable:
    """One row for every rule with a weight other than 0; NaN where a figure is not known.

    source     place in SOURCES: which table of the mixture the rule comes from
    place      its place there: a path's, a relation's, a rule's with constants
    weight     below 0 where it speaks for the negated literal
    support, coverage, confidence   see completion.rules.WeightedRule
    relations  directed relations of the body, padded with -1, (n_rules, length)
    entities   constants of head and body, padded with -1, (n_rules, 2)
    """

    relation: int
    source: NDArray[np.int8]
    place: NDArray[np.int64]
    weight: NDArray[np.float32]
    support: NDArray[np.float64]
    coverage: NDArray[np.float64]
    confidence: NDArray[np.float64]
    relations: NDArray[np.int32]
    entities: NDArray[np.int32]

    def __len__(self) -> int:
        """The number of rules."""
        return len(self.weight)

    def by_use(self) -> NDArray[np.int64]:
        """Rows with the rules of most use first (weight times coverage), then by weight, then as they stand."""
        weight = np.abs(self.weight).astype(np.float64)
        use = weight * np.nan_to_num(self.coverage)
        return np.lexsort((-weight, -use))


Part = tuple[
    int,
    NDArray[np.int64],
    NDArray[np.float32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int32],
]


def rule_table(model: CompletionModel, relation: int, counted: bool = False) -> RuleTable:
    """The rules of a directed relation; `counted` also counts on all facts how often rules with constants hold."""
    mixture = model.mixture(relation)
    length = max(mixture.paths.shape[1], 1)
    parts = [
        path_part(mixture, length),
        *literal_parts(model, mixture, length),
        *constant_parts(model, mixture, length, counted),
        frequency_part(mixture, length),
    ]
    sources = np.concatenate([np.full(len(part[1]), part[0], np.int8) for part in parts])
    columns = [np.concatenate([part[column] for part in parts]) for column in range(1, 8)]
    return RuleTable(relation, sources, *columns)


def unknown(count: int) -> NDArray[np.float64]:
    """Figures nobody counted."""
    return np.full(count, np.nan)


def padded(relations: NDArray[np.int64], length: int) -> NDArray[np.int32]:
    """One relation of a body as a row."""
    rows = np.full((len(relations), length), -1, np.int32)
    rows[:, 0] = relations
    return rows


def no_entities(count: int) -> NDArray[np.int32]:
    """Rows of rules without constants."""
    return np.full((count, 2), -1, np.int32)


def path_part(mixture: Mixture, length: int) -> Part:
    """Paths of some weight."""
    used = np.flatnonzero(mixture.weights > 0)
    support = mixture.support[used].astype(np.float64)
    confidence = mixture.confidence[used].astype(np.float64)
    paths = mixture.paths[used].reshape(len(used), length)
    coverage = support / max(mixture.sampled, 1)
    return PATH, used, mixture.weights[used], support, coverage, confidence, paths, no_entities(len(used))


def literal_parts(model: CompletionModel, mixture: Mixture, length: int) -> list[Part]:
    """Literals between the two ends, and about the answer; for a negated one those facts count that lack it."""
    if not mixture.direct.size and not mixture.answer.size:
        return []
    pairs = model.graph.pairs(mixture.relation)
    total = len(pairs)
    parts: list[Part] = []
    for source, weights, count in (
        (DIRECT, mixture.direct, joined_pairs),
        (ANSWER, mixture.answer[:-1], pairs_with_answer_in),
    ):
        used = np.flatnonzero(weights)
        if not len(used):
            continue
        weight = weights[used]
        holds = count(model, pairs)[used].astype(np.float64)
        support = np.where(weight < 0, total - holds, holds)
        relations = padded(used, length)
        coverage = support / max(total, 1)
        parts.append((source, used, weight, support, coverage, unknown(len(used)), relations, no_entities(len(used))))
    return parts


def joined_pairs(model: CompletionModel, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each directed relation how many of the pairs, which are in order, it joins."""
    graph = model.graph
    edge = edge_rows(graph)
    heads, relations = edge // graph.relations, edge % graph.relations
    keys = pairs[:, 0] * graph.entities + pairs[:, 1]
    wanted = heads * graph.entities + graph.tails
    at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    found = keys[at] == wanted if len(keys) else np.zeros(len(wanted), bool)
    return np.bincount(relations[found], minlength=graph.relations)


def pairs_with_answer_in(model: CompletionModel, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each directed relation how many of the pairs have an answer that it leaves."""
    graph = model.graph
    answers = np.bincount(pairs[:, 1], minlength=graph.entities)
    rows = np.flatnonzero(np.diff(graph.start))
    counts = np.bincount(rows % graph.relations, answers[rows // graph.relations], graph.relations)
    return np.rint(counts).astype(np.int64)


def edge_rows(graph: Graph) -> NDArray[np.int64]:
    """The row of every edge."""
    return np.repeat(np.arange(len(graph.start) - 1), np.diff(graph.start))


def constant_parts(model: CompletionModel, mixture: Mixture, length: int, counted: bool) -> list[Part]:
    """The tables of rules with constants, each rule with the table's weight times its own."""
    parts: list[Part] = []
    for source, relation in ((ANSWER_SIDE, mixture.relation), (HEAD_SIDE, mixture.relation ^ 1)):
        rules = model.mixture(relation).constants
        scale = float(mixture.columns[COLUMNS.index(SOURCES[source])])
        if scale <= 0 or not len(rules):
            continue
        fact = np.repeat(rules.facts, np.diff(rules.starts))
        others = (fact % len(model.entities)).astype(np.int32)
        weight = (scale * rules.weight.astype(np.float64)).astype(np.float32)
        support = coverage = confidence = unknown(len(fact))
        if counted:
            support, coverage, confidence = counted_constants(model, relation)
        relations = padded(fact // len(model.entities), length)
        entities = np.stack([rules.answers[rules.answer], others], axis=1)
        parts.append((source, np.arange(len(fact)), weight, support, coverage, confidence, relations, entities))
    return parts


def counted_constants(
    model: CompletionModel, relation: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Support, coverage and confidence on all facts of the rules r(X, c) :- s(X, d) of a relation."""
    graph, rules = model.graph, model.mixture(relation).constants
    hits = np.zeros(len(rules), np.int64)
    place = np.full(graph.entities, -1, np.int64)
    place[rules.answers] = np.arange(len(rules.answers))
    count_body_hits(
        graph.start, graph.tails, graph.entities, graph.relations, relation,
        place, rules.facts, rules.starts, rules.answer, hits,
    )  # fmt: skip
    row = (rules.facts % graph.entities) * graph.relations + (rules.facts // graph.entities ^ 1)
    bodies = np.repeat(graph.start[row + 1] - graph.start[row], np.diff(rules.starts))
    support = hits.astype(np.float64)
    return support, support / max(len(graph.pairs(relation)), 1), support / np.maximum(bodies, 1)


def frequency_part(mixture: Mixture, length: int) -> Part:
    """The one rule that past answers are."""
    weight = float(mixture.columns[COLUMNS.index("seen")]) + float(mixture.columns[COLUMNS.index("frequency")])
    count = 1 if weight > 0 else 0
    relations = padded(np.full(count, mixture.relation), length)
    none = unknown(count)
    weights = np.full(count, weight, np.float32)
    return FREQUENCY, np.zeros(count, np.int64), weights, none, none, none, relations, no_entities(count)
