"""What a score is made of: one part for every rule that speaks for an answer, rules with constants one by one.

The parts are exactly the terms the scorer adds up, so they sum to the score up to float rounding.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from rulewright.completion.firing import fired_constants, path_truths
from rulewright.completion.mixture import COLUMNS, FREQUENCY_SCALE, Mixture, Scorer
from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import ANSWER, QUERY, SOMETHING, atom, path_rule
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Constant
from rulewright.paths.between import walks_between
from rulewright.paths.graph import Graph
from rulewright.paths.walk import count_walks
from rulewright.rules.explanation import Part, SourcedFact, Witness


def answer_parts(
    model: CompletionModel,
    mixture: Mixture,
    scorer: Scorer,
    query: int,
    answers: Sequence[int],
    witnesses: int = 0,
    detailed: int | None = None,
) -> list[list[Part]]:
    """The parts of several answers' scores, each with at most so many witnesses.

    detailed  parts that need witnesses, largest share first; None: all. To find ways and to write them takes longest.
    """
    paths = path_parts(model, mixture, scorer, query, answers, witnesses, detailed)
    found = []
    for answer, parts in zip(answers, paths, strict=True):
        parts += direct_parts(model, mixture, scorer.graph, query, answer, witnesses)
        if sum(part.share for part in parts) > 0:  # as in the scorer: only then does it count what it takes part in
            parts += standing_parts(model, mixture, scorer, answer, witnesses)
        parts += constant_parts(model, mixture, scorer.graph, query, answer, witnesses)
        parts += frequency_parts(model, mixture, answer)
        kept = [part for part in parts if part.share != 0]
        found.append(sorted(kept, key=lambda part: (-part.share, part.rule)))
    return found


def path_parts(
    model: CompletionModel,
    mixture: Mixture,
    scorer: Scorer,
    query: int,
    answers: Sequence[int],
    witnesses: int,
    detailed: int | None,
) -> list[list[Part]]:
    """For each answer the paths that lead to it from the query."""
    graph, (paths, weights, _, most, _) = scorer.graph, scorer.parts
    truths = path_truths(scorer, query, answers)
    counts = np.zeros(truths.shape)
    place = np.full(graph.entities, -1, np.int32)
    place[list(answers)] = np.arange(len(answers))
    count_walks(graph.start, graph.tails, graph.relations, query, paths, most, place, counts)
    found: list[list[Part]] = []
    for answer, row, ways in zip(answers, truths, counts, strict=True):
        parts, shares = [], row * weights
        least = 0.0 if detailed is None or detailed >= len(row) else np.partition(shares, -detailed)[-detailed]
        for at in np.flatnonzero(row > 0).tolist():
            steps = [step for step in paths[at].tolist() if step >= 0]
            walks = walks_between(graph, steps, query, answer, witnesses) if witnesses and shares[at] >= least else []
            shown = tuple(walked(model, steps, walk) for walk in walks)
            rule = str(path_rule(model, mixture.relation, paths[at]))
            parts.append(Part(rule, float(row[at]), float(weights[at]), "path", shown, int(ways[at])))
        found.append(parts)
    return found


def walked(model: CompletionModel, steps: Sequence[int], walk: Sequence[int]) -> Witness:
    """A walk as the facts it goes along."""
    return Witness(
        tuple(edge_fact(model, *edge) for edge in zip(walk, steps, walk[1:], strict=False))  # one step less than stops
    )


def edge_fact(model: CompletionModel, start: int, relation: int, end: int) -> SourcedFact:
    """The fact behind a directed edge."""
    names = model.entities.names
    return SourcedFact(atom(model, relation, Constant(names[start]), Constant(names[end])))


def direct_parts(
    model: CompletionModel, mixture: Mixture, graph: Graph, query: int, answer: int, witnesses: int
) -> Iterator[Part]:
    """What else holds between the query and the answer; a weight below 0 belongs to the negated literal."""
    head = atom(model, mixture.relation, QUERY, ANSWER)
    for relation in np.flatnonzero(mixture.direct).tolist():
        if answer in graph.tails_of(query, relation):
            weight = float(mixture.direct[relation])
            body = Literal(atom(model, relation, QUERY, ANSWER), negated=weight < 0)
            shown = (Witness((edge_fact(model, query, relation, answer),)),) if witnesses else ()
            yield Part(str(Rule(head, (body,))), 1.0, weight, "direct", shown, 1)


def standing_parts(
    model: CompletionModel, mixture: Mixture, scorer: Scorer, answer: int, witnesses: int
) -> Iterator[Part]:
    """What the answer takes part in."""
    profiles = scorer.profiles
    if not scorer.standing.size or profiles is None:
        return
    head = atom(model, mixture.relation, QUERY, ANSWER)
    total = 0.0
    for relation in profiles.relations[profiles.starts[answer] : profiles.starts[answer + 1]].tolist():
        weight = float(mixture.answer[relation])
        total += weight
        body = Literal(atom(model, relation, ANSWER, SOMETHING), negated=weight < 0)
        ends = scorer.graph.tails_of(answer, relation)
        shown = tuple(Witness((edge_fact(model, answer, relation, end),)) for end in ends[:witnesses].tolist())
        yield Part(str(Rule(head, (body,))), 1.0, weight, "answer", shown, len(ends))
    weight, degree = float(mixture.answer[-1]), float(profiles.degree[answer])
    total += weight * degree
    yield Part(f"{head} :- the answer takes part in much", degree, weight, "answer")
    yield Part(f"{head} :- a path reaches the answer", 1.0, float(scorer.standing[answer]) - total, "answer")


def constant_parts(
    model: CompletionModel, mixture: Mixture, graph: Graph, query: int, answer: int, witnesses: int
) -> Iterator[Part]:
    """The rules with constants that fire."""
    names = model.entities.names
    for fired in fired_constants(model, mixture, graph, query, answer):
        constant, variable = Constant(names[fired.about]), QUERY if fired.side == "answer side" else ANSWER
        ends = (QUERY, constant) if fired.side == "answer side" else (constant, ANSWER)
        head = atom(model, mixture.relation, *ends)
        for fact, weight in zip(fired.facts.tolist(), fired.weights.tolist(), strict=True):
            relation, other = divmod(fact, len(names))
            body = Literal(atom(model, relation, variable, Constant(names[other])))
            shown = (Witness((edge_fact(model, fired.subject, relation, other),)),) if witnesses else ()
            yield Part(str(Rule(head, (body,))), 1.0, weight, "constant", shown, 1)


def frequency_parts(model: CompletionModel, mixture: Mixture, answer: int) -> Iterator[Part]:
    """How often the answer was one in what was learned from; facts taken away later do not change it."""
    rules = mixture.constants
    at = np.searchsorted(rules.answers, answer)
    if at == len(rules.answers) or rules.answers[at] != answer:
        return
    weights = dict(zip(COLUMNS, mixture.columns.tolist(), strict=True))
    answered = atom(model, mixture.relation, QUERY, Constant(model.entities.names[answer]))
    if weights["frequency"] > 0:
        often = (float(rules.prior[at]) + 0.1) / FREQUENCY_SCALE
        yield Part(f"{answered} :- it is often the answer", often, weights["frequency"], "frequency")
    if weights["seen"] > 0:
        yield Part(f"{answered} :- it has been an answer", 1.0, weights["seen"], "frequency")
