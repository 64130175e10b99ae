"""explain(model, head, relation, tail): an answer's score as the sum of what each rule adds, with facts to look at.

The parts are exactly the terms the scorer adds up, so they sum to the score. For a path one walk is shown that makes it
true: the facts a person would check first.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rulewright.completion.mixture import COLUMNS, Mixture, Scorer, fill_columns
from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import ANSWER, QUERY, SOMETHING, atom, path_rules
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Constant
from rulewright.paths.graph import Graph
from rulewright.paths.walk import fill_path_truths

COLUMN_WORDS = {
    "frequency": "how often the answer occurs",
    "answer side": "rules with this answer as a constant",
    "head side": "rules with the query's entity as a constant",
    "seen": "the answer has been one before",
}


@dataclass(frozen=True)
class Part:
    """One term of a score: the rule or what stands for one, its weight and truth, and facts that make it true."""

    rule: str
    weight: float
    truth: float
    facts: tuple[Atom, ...] = ()

    @property
    def share(self) -> float:
        """What it adds to the score."""
        return self.weight * self.truth


@dataclass(frozen=True)
class Explanation:
    """An answer's score, its place among all entities, and the parts of the score, largest first."""

    fact: Atom
    score: float
    higher: int  # entities that score higher
    equal: int  # entities that score the same, itself included
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        tied = f", level with {self.equal - 1} others" if self.equal > 1 else ""
        lines = [f"{self.fact}: score {self.score:.3f}, {self.higher} entities above it{tied}"]
        for part in self.parts:
            lines.append(f"{part.share:+9.3f} = {part.weight:.3f} x {part.truth:.3f}  {part.rule}")
            lines += [f"{'':12}{fact}" for fact in part.facts]
        return "\n".join(lines)


def explain(model: CompletionModel, head: str, relation: str, tail: str) -> Explanation:
    """Why a tail is (or is not) an answer to relation(head, ?)."""
    query, answer, directed = model.entity_id(head), model.entity_id(tail), model.relation_id(relation)
    mixture, scorer = model.mixture(directed), model.scorer(directed)
    scores = scorer.scores(query)
    parts = [*path_parts(model, mixture, scorer, query, answer), *literal_parts(model, mixture, query, answer)]
    if sum(part.share for part in parts) > 0:  # as in the scorer: only then does it count what the answer takes part in
        parts += standing_parts(model, mixture, scorer, answer)
    parts += column_parts(model, mixture, scorer, query, answer)
    own = scores[answer]
    return Explanation(
        atom(model, directed, Constant(head), Constant(tail)),
        float(own),
        int((scores > own).sum()),
        int((scores == own).sum()),
        tuple(sorted((part for part in parts if part.share != 0), key=lambda part: (-part.share, part.rule))),
    )


def path_parts(model: CompletionModel, mixture: Mixture, scorer: Scorer, query: int, answer: int) -> Iterator[Part]:
    """The paths that lead from the query to the answer."""
    graph, settings = model.graph, model.settings
    used = np.flatnonzero(mixture.weights > 0)
    paths = np.ascontiguousarray(mixture.paths[used])
    place = np.full(graph.entities, -1, np.int32)
    place[answer] = 0
    truths = np.zeros((1, len(paths)), np.float32)
    edges = (graph.start, graph.tails, graph.chance, graph.relations)
    most = min(settings.most, graph.entities)
    fill_path_truths(*edges, query, paths, settings.sharpness, most, place, scorer.work, truths)
    names = model.entities.names
    for path, rule, truth in zip(paths, path_rules(model, mixture), truths[0].tolist(), strict=True):
        if truth > 0:
            steps = [step for step in path.tolist() if step >= 0]
            stops = [Constant(names[stop]) for stop in witness(graph, steps, query, answer)]
            facts = tuple(
                atom(model, step, start, end) for step, start, end in zip(steps, stops, stops[1:], strict=False)
            )
            yield Part(str(rule.rule), rule.weight, truth, facts)


def witness(graph: Graph, steps: list[int], query: int, answer: int) -> list[int]:
    """One walk along the steps from the query to the answer that does not come back to the query."""
    behind = [{answer}]
    for step in reversed(steps[1:]):
        behind.append({t for e in behind[-1] for t in graph.tails_of(e, step ^ 1).tolist() if t != query})
    walk = [query]
    for step, allowed in zip(steps, reversed(behind), strict=True):
        walk.append(next(tail for tail in graph.tails_of(walk[-1], step).tolist() if tail in allowed))
    return walk


def literal_parts(model: CompletionModel, mixture: Mixture, query: int, answer: int) -> Iterator[Part]:
    """What else holds between the query and the answer; a weight below 0 belongs to the negated literal."""
    names = model.entities.names
    head = atom(model, mixture.relation, QUERY, ANSWER)
    for relation in np.flatnonzero(mixture.direct).tolist():
        if answer in model.graph.tails_of(query, relation).tolist():
            weight = float(mixture.direct[relation])
            body = Literal(atom(model, relation, QUERY, ANSWER), negated=weight < 0)
            fact = atom(model, relation, Constant(names[query]), Constant(names[answer]))
            yield Part(str(Rule(head, (body,))), weight, 1.0, (fact,))


def standing_parts(model: CompletionModel, mixture: Mixture, scorer: Scorer, answer: int) -> Iterator[Part]:
    """What the answer takes part in."""
    if not scorer.standing.size:
        return
    head = atom(model, mixture.relation, QUERY, ANSWER)
    profiles, total = model.profiles, 0.0
    for relation in profiles.relations[profiles.starts[answer] : profiles.starts[answer + 1]].tolist():
        weight = float(mixture.answer[relation])
        total += weight
        body = Literal(atom(model, relation, ANSWER, SOMETHING), negated=weight < 0)
        yield Part(str(Rule(head, (body,))), weight, 1.0)
    weight, degree = float(mixture.answer[-1]), float(profiles.degree[answer])
    total += weight * degree
    yield Part(f"{head} :- the answer takes part in much", weight, degree)
    yield Part(f"{head} :- a path reaches the answer", float(scorer.standing[answer]) - total, 1.0)


def column_parts(model: CompletionModel, mixture: Mixture, scorer: Scorer, query: int, answer: int) -> Iterator[Part]:
    """The tables of rules with constants, and frequency."""
    if not mixture.columns.max() > 0:
        return
    graph = model.graph
    edges = (graph.start, graph.tails, graph.entities, graph.relations)
    fill_columns(*edges, query, *scorer.tables[:2], scorer.columns)
    for place, (name, weight) in enumerate(zip(COLUMNS, mixture.columns.tolist(), strict=True)):
        if weight > 0:
            yield Part(COLUMN_WORDS[name], weight, float(scorer.columns[place, answer]))
