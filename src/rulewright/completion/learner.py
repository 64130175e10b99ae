"""learn_relation: the mixture of one directed relation, from graphs that hide the facts it is to predict."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.constants import (
    ConstantRules,
    ConstantScratch,
    ConstantSettings,
    learn_constants,
    no_rules,
)
from rulewright.completion.counting import count_hits
from rulewright.completion.given import Given
from rulewright.completion.mixture import COLUMNS, Mixture, Profiles, answer_tables, head_tables
from rulewright.completion.rows import Rows, collect_rows, rows_of
from rulewright.completion.weights import fit_margin, fit_weights
from rulewright.errors import OptionError
from rulewright.paths.graph import Graph, Triples, Walker, both_directions, build_graph
from rulewright.paths.mine import MinedPaths, Miner, MiningLimits
from rulewright.paths.walk import new_work

LARGEST = 1 << 30
LONGEST = 10  # steps of a path; far beyond what a search can reach
WHOLE = {  # the least value of every setting that counts something
    "length": 1, "paths": 1, "mined": 1, "most": 1, "folds": 2, "used_folds": 1, "queries": 1, "hard": 0, "easy": 0,
    "epochs": 1, "batch": 1, "entries": 1, "seed": 0,
}  # fmt: skip
FIRST_PATHS = 3.0  # the first guess of a path's weight is so many times its confidence
FIRST_COLUMNS = (0.1, 0.3, 0.1, 0.1)  # the first guess of how much COLUMNS count


@dataclass(frozen=True)
class CompletionSettings:
    """How the rules of a knowledge graph are learned.

    length       longest path
    paths        kept for one relation, those along which a walk lands on answers most
    mined        pairs of a relation that are searched for paths
    limits       of that search
    walker       see paths.graph.Graph
    sharpness    of a path's truth, see paths.walk.path_truth; 0 makes a path true or false
    most         entities that a path may meet at one step before it is given up for that query
    folds        the training facts are dealt into so many parts; a part is hidden while its facts are queries
    used_folds   of them taken as queries
    queries      of one relation trained on, at most
    hard, easy   rivals of a query: the most convincing ones, and random past answers
    constants    learn rules with constants (None: no)
    direct       literals s(X, Y) and their negations
    answer       literals s(Y, A) and their negations, and Y's degree
    negation     whether the negations are wanted: they reason from what the graph lacks, which in a benchmark is often
                 just what was taken out of it for testing
    objective    "softmax": cross-entropy of an answer against its rivals, by Adam; "margin": the paper's, by Adagrad
    margin       of "margin"
    epochs, batch, rate   of the fit
    pull         towards the first guess
    sparsity     towards fewer rules
    entries      of training rows held for one relation at most; each takes 8 bytes
    seed         of everything random
    """

    length: int = 3
    paths: int = 1000
    mined: int = 1000
    limits: MiningLimits = field(default_factory=MiningLimits)
    walker: Walker = "symmetric"
    sharpness: float = 1000.0
    most: int = 1 << 30
    folds: int = 8
    used_folds: int = 8
    queries: int = 2000
    hard: int = 200
    easy: int = 50
    constants: ConstantSettings | None = None
    direct: bool = True
    answer: bool = False
    negation: bool = True
    objective: Literal["softmax", "margin"] = "softmax"
    margin: float = 0.5
    epochs: int = 20
    batch: int = 16
    rate: float = 0.03
    pull: float = 0.0
    sparsity: float = 0.01
    entries: int = 20_000_000
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in WHOLE.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= LARGEST:
                raise OptionError(f"{name} must be a whole number from {least} to {LARGEST:,}, not {value!r}")
        for name in ("sharpness", "margin", "rate", "pull", "sparsity"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= LARGEST:
                raise OptionError(f"{name} must be a number from 0 to {LARGEST:,}, not {value!r}")
        for name in ("direct", "answer", "negation"):
            if type(getattr(self, name)) is not bool:
                raise OptionError(f"{name} must be true or false, not {getattr(self, name)!r}")
        if not self.rate > 0:
            raise OptionError("rate must be greater than 0")
        if self.length > LONGEST:
            raise OptionError(f"length must be at most {LONGEST}, not {self.length}")
        if self.used_folds > self.folds:
            raise OptionError(f"used_folds must be at most folds: not {self.used_folds} of {self.folds}")
        if self.objective not in ("softmax", "margin") or self.walker not in ("forward", "symmetric"):
            raise OptionError("objective must be softmax or margin, and walker forward or symmetric")
        if self.hard + self.easy == 0:
            raise OptionError("hard and easy cannot both be 0: a query needs rivals")


@dataclass(frozen=True, eq=False)
class Fold:
    """A graph without a part of the training facts, and that part as queries in both directions."""

    graph: Graph
    profiles: Profiles
    hidden: Triples


def deal_folds(
    triples: Triples, known: Triples, entities: int, relations: int, settings: CompletionSettings
) -> list[Fold]:
    """The folds in use. `triples` are the facts to learn from, `known` what bodies may use (usually the same).

    Every relation is dealt evenly, so that a rare one is not hidden whole.
    """
    rng = np.random.default_rng(settings.seed)
    order = rng.permutation(len(triples))
    order = order[np.argsort(triples[order, 1], kind="stable")]
    part = np.empty(len(triples), dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(np.bincount(triples[:, 1], minlength=relations))])
    for first, last in pairwise(starts):
        offset = rng.integers(settings.folds)
        part[order[first:last]] = (np.arange(last - first) + offset) % settings.folds
    folds = []
    for number in range(settings.used_folds):
        hidden = triples[part == number]
        graph = build_graph(without(known, hidden, entities, relations), entities, relations, settings.walker)
        folds.append(Fold(graph, Profiles.of(graph), both_directions(hidden)))
    return folds


def without(triples: Triples, hidden: Triples, entities: int, relations: int) -> Triples:
    """The triples that are not among the hidden ones."""

    def keys(rows: Triples) -> NDArray[np.int64]:
        return np.asarray((rows[:, 0] * relations + rows[:, 1]) * entities + rows[:, 2])

    return triples[~np.isin(keys(triples), keys(hidden))]


class RelationLearner:
    """Learns one relation after the other on one thread.

    `full` is what bodies may read when nothing is hidden; `known` also has the facts to learn from where they are not
    among that, so that no true answer is taken for a rival. `given` are base predicates to weigh instead of mined ones.
    """

    def __init__(
        self, folds: list[Fold], full: Graph, known: Graph, settings: CompletionSettings, given: Given | None = None
    ) -> None:
        self.folds, self.full, self.known, self.settings, self.given = folds, full, known, settings, given
        self.work = new_work(settings.length, full.entities)
        self.scratch = ConstantScratch(full) if settings.constants is not None else None

    def learn(self, relation: int) -> tuple[Mixture, Mixture]:
        """The mixtures of a relation of the data: for its tails, and for its heads.

        Both directions are one piece of work, since each also uses the other's rules with constants.
        """
        tails, heads = 2 * relation, 2 * relation + 1
        hidden = [(self.constants(fold.graph, tails), self.constants(fold.graph, heads)) for fold in self.folds]
        whole = self.constants(self.full, tails), self.constants(self.full, heads)
        swapped = [(inverse, own) for own, inverse in hidden]
        return self.direction(tails, hidden, whole[0]), self.direction(heads, swapped, whole[1])

    def direction(
        self, relation: int, hidden: list[tuple[ConstantRules, ConstantRules]], constants: ConstantRules
    ) -> Mixture:
        """The mixture of a directed relation; `hidden` are the fold graphs' rules with constants, own and inverse."""
        settings = self.settings
        rng = np.random.default_rng([settings.seed, relation])
        queries = [fold.hidden[fold.hidden[:, 1] == relation][:, [0, 2]] for fold in self.folds]
        if not any(map(len, queries)):
            return Mixture.empty(relation, settings.length)
        mined, sampled = self.mine(relation, queries, rng)
        confidence = np.minimum(mined.mass, mined.hits) / sampled
        first = np.concatenate([FIRST_PATHS * confidence, FIRST_COLUMNS]).astype(np.float32)
        if settings.constants is None:
            first[len(confidence) :] = 0
        share = max(settings.queries // len(self.folds), 1)
        parts = [
            self.rows(fold, relation, pairs, share, mined.paths, first, *tables, rng)
            for fold, pairs, tables in zip(self.folds, queries, hidden, strict=True)
            if len(pairs)
        ]
        weights, loss = self.fit(Rows.joined(parts), first, self.held(relation, len(first)))
        return self.mixture(relation, mined, weights, confidence, constants, sampled, loss)

    def mine(self, relation: int, queries: list[NDArray[np.int64]], rng: np.random.Generator) -> tuple[MinedPaths, int]:
        """The paths worth weighing, in walking order, and how many pairs were searched."""
        settings = self.settings
        whole = sum(map(len, queries))
        parts = []
        for fold, pairs in zip(self.folds, queries, strict=True):
            share = min(len(pairs), -(-settings.mined * len(pairs) // whole))
            parts.append((fold.graph, pairs[rng.permutation(len(pairs))[:share]]))
        if self.given is not None:
            paths = self.given.paths.get(relation, np.zeros((0, settings.length), np.int32))
            return count_hits(parts, paths), sum(len(pairs) for _, pairs in parts)
        miner = Miner(self.full.relations, settings.length, settings.limits, settings.seed)
        for graph, pairs in parts:
            miner.count(graph, pairs)
        mined = miner.best(settings.paths, least_hits=2)
        order = np.lexsort(mined.paths.T[::-1])
        return MinedPaths(mined.paths[order], mined.mass[order], mined.hits[order]), miner.counted

    def constants(self, graph: Graph, relation: int) -> ConstantRules:
        settings = self.settings
        if settings.constants is None or self.scratch is None:
            return no_rules()
        if self.given is not None and relation not in self.given.constants:
            return no_rules()
        chosen = None if self.given is None else self.given.constants[relation]
        return learn_constants(graph, relation, settings.constants, self.scratch, settings.seed, chosen)

    def held(self, relation: int, dense: int) -> NDArray[np.float64]:
        """What each weight is held at, NaN for one that is to be fitted; given rules come without frequencies."""
        holds = np.full(dense + 2 * self.full.relations + 1, np.nan)
        if self.given is not None:
            columns = dense - len(COLUMNS)
            holds[[columns + COLUMNS.index("frequency"), columns + COLUMNS.index("seen")]] = 0.0
            holds = self.given.holds.get(relation, holds)
        return holds

    def rows(
        self,
        fold: Fold,
        relation: int,
        pairs: NDArray[np.int64],
        share: int,
        paths: NDArray[np.int32],
        first: NDArray[np.float32],
        rules: ConstantRules,
        inverse: ConstantRules,
        rng: np.random.Generator,
    ) -> Rows:
        """The training rows of a fold's queries."""
        settings, graph, known = self.settings, fold.graph, self.known
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        heads, starts = np.unique(pairs[:, 0], return_index=True)
        ends = np.append(starts[1:], len(pairs))
        chosen = np.sort(rng.permutation(len(heads))[:share])
        counts = ends[chosen] - starts[chosen]
        answer_starts = np.concatenate([[0], np.cumsum(counts)])
        answers = np.concatenate([pairs[starts[i] : ends[i], 1] for i in chosen])
        pool = np.unique(known.pairs(relation)[:, 1]).astype(np.int32)
        empty = (np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))
        profiles = fold.profiles
        profile = (profiles.starts, profiles.relations, profiles.degree) if settings.answer else empty
        return rows_of(
            collect_rows(
                graph.start, graph.tails, graph.chance, graph.entities, graph.relations, relation,
                known.start, known.tails, heads[chosen], answer_starts, answers,
                paths, settings.sharpness, settings.most, first, answer_tables(rules), head_tables(inverse), pool,
                settings.hard, settings.easy, settings.direct, profile, self.work,
                settings.entries // len(self.folds), settings.seed,
            )
        )  # fmt: skip

    def fit(
        self, rows: Rows, first: NDArray[np.float32], held: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], float]:
        """The weights of all base predicates, and the loss they leave."""
        settings = self.settings
        signed = 2 * self.full.relations + 1
        weights = np.concatenate([2.0 * first, np.zeros(signed)])
        lower = np.concatenate([np.zeros(len(first)), np.full(signed, -np.inf if settings.negation else 0.0)])
        fixed = ~np.isnan(held)
        weights[fixed] = held[fixed]
        pull = np.where(fixed, np.inf, settings.pull)
        if not len(rows.positives):
            return weights, 0.0
        if settings.objective == "margin":
            loss = fit_margin(
                rows.starts, rows.column, rows.value, rows.query_starts, rows.positives, weights, pull, settings.margin,
                settings.epochs, settings.batch, settings.rate, settings.seed,
            )  # fmt: skip
            return weights, float(loss)
        loss = fit_weights(
            rows.starts, rows.column, rows.value, rows.query_starts, rows.positives, weights, lower, pull,
            weights.copy(), settings.sparsity, settings.epochs, settings.batch, settings.rate, settings.seed,
        )  # fmt: skip
        return weights, float(loss)

    def mixture(
        self,
        relation: int,
        mined: MinedPaths,
        weights: NDArray[np.float64],
        confidence: NDArray[np.float64],
        constants: ConstantRules,
        sampled: int,
        loss: float,
    ) -> Mixture:
        """The weights with the predicates they belong to; the rules with constants are those of all facts."""
        n, relations = len(mined.paths), self.full.relations
        learned = weights.astype(np.float32)
        end = n + len(COLUMNS)
        none = np.zeros(0, np.float32)
        return Mixture(
            relation,
            mined.paths,
            learned[:n],
            mined.hits,
            confidence.astype(np.float32),
            learned[n:end],
            learned[end : end + relations] if self.settings.direct else none,
            learned[end + relations :] if self.settings.answer else none,
            constants,
            sampled,
            loss,
        )
