"""learn_relation: the mixture of one directed relation, from graphs that hide the facts it is to predict."""

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.constants import (
    ConstantRules,
    ConstantScratch,
    learn_constants,
    no_rules,
)
from rulewright.completion.counting import count_hits
from rulewright.completion.folds import Fold, Graphs, Read
from rulewright.completion.given import Given
from rulewright.completion.mixture import COLUMNS, Mixture, answer_tables, head_tables
from rulewright.completion.rows import Rows, collect_rows, rows_of
from rulewright.completion.settings import CompletionSettings
from rulewright.completion.weights import fit_margin, fit_weights
from rulewright.grounding.tables import sorted_unique
from rulewright.paths.mine import MinedPaths, Miner
from rulewright.paths.walk import new_work

FIRST_PATHS = 3.0  # the first guess of a path's weight is so many times its confidence
FIRST_COLUMNS = (0.1, 0.3, 0.1, 0.1)  # the first guess of how much COLUMNS count


class RelationLearner:
    """Learns one relation after the other on one thread.

    `given` are base predicates to weigh instead of mined ones; the graphs have to be made with them.
    """

    def __init__(self, graphs: Graphs, settings: CompletionSettings, given: Given | None = None) -> None:
        self.folds, self.full, self.known = graphs.folds, graphs.full, graphs.known
        self.settings, self.given = settings, given
        self.work = new_work(settings.length, self.known.entities)
        self.scratch = ConstantScratch(self.known.entities, graphs.most_facts) if settings.constants else None

    def learn(self, relation: int) -> tuple[Mixture, Mixture]:
        """The mixtures of a relation of the data: for its tails, and for its heads.

        Both directions are one piece of work, since each also uses the other's rules with constants.
        """
        tails, heads = 2 * relation, 2 * relation + 1
        hidden = [(self.constants(fold.read, tails), self.constants(fold.read, heads)) for fold in self.folds]
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
            parts.append((fold.read.graph, pairs[rng.permutation(len(pairs))[:share]]))
        if self.given is not None:
            paths = self.given.paths.get(relation, np.zeros((0, settings.length), np.int32))
            return count_hits(parts, paths), sum(len(pairs) for _, pairs in parts)
        miner = Miner(self.known.relations, settings.length, settings.limits, settings.seed)
        for graph, pairs in parts:
            miner.count(graph, pairs)
        mined = miner.best(settings.paths, least_hits=2)
        order = np.lexsort(mined.paths.T[::-1])
        return MinedPaths(mined.paths[order], mined.mass[order], mined.hits[order]), miner.counted

    def constants(self, read: Read, relation: int) -> ConstantRules:
        settings = self.settings
        if settings.constants is None or self.scratch is None or read.evidence is None:
            return no_rules()
        if self.given is not None and relation not in self.given.constants:
            return no_rules()
        chosen = None if self.given is None else self.given.constants[relation]
        return learn_constants(
            read.graph, read.evidence, relation, settings.constants, self.scratch, settings.seed, chosen
        )

    def held(self, relation: int, dense: int) -> NDArray[np.float64]:
        """What each weight is held at, NaN for one that is to be fitted; given rules come without frequencies."""
        holds = np.full(dense + 2 * self.known.relations + 1, np.nan)
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
        settings, graph, known = self.settings, fold.read.graph, self.known
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        heads, starts = np.unique(pairs[:, 0], return_index=True)
        ends = np.append(starts[1:], len(pairs))
        chosen = np.sort(rng.permutation(len(heads))[:share])
        counts = ends[chosen] - starts[chosen]
        answer_starts = np.concatenate([[0], np.cumsum(counts)])
        answers = np.concatenate([pairs[starts[i] : ends[i], 1] for i in chosen])
        pool = sorted_unique(known.pairs(relation)[:, 1]).astype(np.int32)
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
        signed = 2 * self.known.relations + 1
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
        n, relations = len(mined.paths), self.known.relations
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
