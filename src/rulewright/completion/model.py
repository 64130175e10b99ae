"""What was learned of a knowledge graph: a mixture for every directed relation, and the facts to apply them to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.completion.mixture import COLUMNS, Mixture, Profiles, Scorer, score_entities
from rulewright.completion.ranking import Ranks, count_rank
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import InputError, nearest
from rulewright.kb.splits import Triples
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.markup import Shown, bar, card, note, shown, table, title
from rulewright.paths.graph import INVERSE, Graph, build_graph

SHOWN_RELATIONS = 20  # in a notebook; the others are counted
Pin = tuple[str | int, ...]  # "path" and its steps, or "direct" or "answer" and a relation; see completion.editing


@dataclass(frozen=True)
class Answer(Shown):
    """One predicted answer to a query."""

    entity: str
    score: float
    known: bool  # already among the facts

    def __str__(self) -> str:
        return f"{self.score:.3f}  {self.entity}" + ("  (a known fact)" if self.known else "")


class Answers(list[Answer], Shown):
    """Answers to one query, best first."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "no rule speaks for any answer"

    def _repr_html_(self) -> str:
        """A card: scores and names."""
        if not self:
            return card(note("No rule speaks for any answer."))
        best = max(answer.score for answer in self)
        rows = [
            [bar(answer.score / best), f"{answer.score:.3f}", shown(answer.entity), "a known fact" * answer.known]
            for answer in self
        ]
        return card(table(["", "score", "answer", ""], rows, 2))


@dataclass(frozen=True)
class FailedRelation:
    """A relation that could not be learned, and why."""

    relation: str
    reason: str


@dataclass(frozen=True, eq=False)
class CompletionModel(Shown):
    """Rules for every relation, and the graph they read.

    The rules hold no parameter of any entity but their constants.
    """

    name: str
    entities: Vocabulary
    relations: Vocabulary
    triples: Triples  # the facts that bodies read
    mixtures: Mapping[int, Mixture]  # by directed relation
    settings: CompletionSettings
    pinned: Mapping[int, frozenset[Pin]] = field(default_factory=dict)  # what a refit leaves alone
    failed: tuple[FailedRelation, ...] = ()  # relations that have training facts and yet no mixture

    @cached_property
    def graph(self) -> Graph:
        return build_graph(self.triples, len(self.entities), len(self.relations), self.settings.walker)

    @cached_property
    def profiles(self) -> Profiles:
        return Profiles.of(self.graph)

    def mixture(self, relation: int) -> Mixture:
        """The mixture of a directed relation; of one without training facts an empty one."""
        return self.mixtures.get(relation) or Mixture.empty(relation, self.settings.length)

    def rule_count(self, relation: int) -> int:
        """The rules of a directed relation, counted without writing them."""
        mixture = self.mixture(relation)
        weight = dict(zip(COLUMNS, mixture.columns.tolist(), strict=True))
        count = int((mixture.weights > 0).sum())
        count += int((mixture.direct != 0).sum()) + int((mixture.answer[:-1] != 0).sum())
        count += len(mixture.constants) if weight["answer side"] > 0 else 0
        count += len(self.mixture(relation ^ 1).constants) if weight["head side"] > 0 else 0
        return count + (1 if weight["seen"] + weight["frequency"] > 0 else 0)

    def __str__(self) -> str:
        rules = sum(map(self.rule_count, range(2 * len(self.relations))))
        sizes = (len(self.entities), "entities"), (len(self.relations), "relations"), (len(self.triples), "facts")
        return f"{self.name}: " + ", ".join(f"{size:,} {noun}" for size, noun in (*sizes, (rules, "rules")))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def _repr_html_(self) -> str:
        """A card: sizes, and the relations with the most facts, with the rules for either direction."""
        facts = np.bincount(self.triples[:, 1], minlength=len(self.relations))
        listed = np.argsort(-facts, kind="stable")[:SHOWN_RELATIONS].tolist()
        rows = [
            [f"{facts[at]:,}", f"{self.rule_count(2 * at):,}", f"{self.rule_count(2 * at + 1):,}", shown(name)]
            for at, name in ((at, self.relations.names[at]) for at in listed)
        ]
        left = len(self.relations) - len(listed)
        failed = ", ".join(failure.relation for failure in self.failed)
        return card(
            title(shown(self)),
            table(["facts", "rules for tails", "rules for heads", "relation"], rows, 3),
            note(f"{left:,} relations with fewer facts not shown." if left else ""),
            note(f"Not learned: {failed}." if failed else ""),
        )

    def scorer(self, relation: int) -> Scorer:
        """Scores for one directed relation."""
        inverse = self.mixture(relation ^ 1).constants
        settings, mixture = self.settings, self.mixture(relation)
        profiles = self.profiles if mixture.answer.size else None
        return Scorer(self.graph, profiles, mixture, inverse, settings.sharpness, min(settings.most, 1 << 30))

    def rank(self, relation: int, queries: NDArray[np.int64], known: Graph) -> Ranks:
        """The ranks of (head, answer) rows of one directed relation, other known answers left out."""
        queries = np.ascontiguousarray(queries)
        order = np.argsort(queries[:, 0], kind="stable")
        graph, scorer = self.graph, self.scorer(relation)
        counts = np.zeros((len(queries), 2), np.int64)
        rank_queries(
            graph.start, graph.tails, graph.chance, graph.entities, graph.relations, relation, queries[order],
            known.start, known.tails, scorer.arguments(), np.zeros(graph.entities, np.float32), counts,
        )  # fmt: skip
        back = np.empty_like(counts)
        back[order] = counts
        return Ranks(back[:, 0], back[:, 1])

    def predict(self, head: str, relation: str, top: int = 10, include_known: bool = False) -> Answers:
        """The most convincing answers to relation(head, ?); a name with ^-1 behind it asks for relation(?, head)."""
        entity, directed = self.entity_id(head), self.relation_id(relation)
        scores = self.scorer(directed).scores(entity)
        known = set(self.graph.tails_of(entity, directed).tolist())
        order = np.argsort(-scores, kind="stable")
        names = self.entities.names
        found = Answers()
        for place in order.tolist():
            if scores[place] <= 0 or len(found) == top:
                break
            if include_known or place not in known:
                found.append(Answer(names[place], float(scores[place]), place in known))
        return found

    def entity_id(self, name: str) -> int:
        """The id of an entity, or an error with the nearest names."""
        found = self.entities.id(name)
        if found is None:
            raise InputError(f"unknown entity {name}{nearest(name, self.entities.names)}")
        return found

    def relation_id(self, name: str) -> int:
        """The id of a directed relation, or an error with the nearest names."""
        straight = self.relations.id(name)
        if straight is not None:
            return 2 * straight
        inverse = self.relations.id(name.removesuffix(INVERSE)) if name.endswith(INVERSE) else None
        if inverse is None:
            raise InputError(f"unknown relation {name}{nearest(name, self.relations.names)}")
        return 2 * inverse + 1


@njit(cache=True, nogil=True)
def rank_queries(  # type: ignore[no-untyped-def]
    start, tails, chance, entities, relations, relation, queries, known_start, known_tails, arguments, scores, counts
):
    """counts[q] = (entities above, entities level) of every query's answer.

    One scoring serves all queries of a head.
    """
    paths, weights, sharpness, most, column_weights, tables, head_table, direct, standing, work, columns = arguments
    last = -1
    for q in range(queries.shape[0]):
        head, answer = queries[q, 0], queries[q, 1]
        if head != last:
            score_entities(
                start, tails, chance, entities, relations, head, paths, weights, sharpness, most, column_weights,
                tables, head_table, direct, standing, work, columns, scores,
            )  # fmt: skip
            last = head
        row = head * relations + relation
        known = known_tails[known_start[row] : known_start[row + 1]]
        counts[q, 0], counts[q, 1] = count_rank(scores, answer, known)
