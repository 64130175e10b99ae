"""What each fact is worth to an answer's score: where a search for facts to take away begins.

Every part's share is dealt out evenly among some of its ways, and each way's to all of its facts. These are the parts
that `parts.py` writes; here they stay numbers, since a search weighs thousands of facts and names a handful.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.firing import fired_constants, path_truths
from rulewright.completion.question import Question, Triple
from rulewright.paths.between import walks_along

DIGITS = 6  # of a worth that count, so that the order in which shares are added makes no difference

Numbers = NDArray[Any] | int
Shares = tuple[NDArray[np.int64], NDArray[np.float64]]  # facts as numbers, and what each of them gets


def most_worth(question: Question, rival: int | None, ways: int, count: int) -> list[Triple]:
    """The facts that do the answer most good, less the good they do its rival, best first; none that does no good."""
    answers = [question.answer, *([] if rival is None else [rival])]
    truths = path_truths(question.scorer, question.query, answers)
    own, *other = [worths(question, answer, row, ways) for answer, row in zip(answers, truths, strict=True)]
    facts = np.concatenate([own[0], *(facts for facts, _ in other)])
    shares = np.concatenate([own[1], *(-shares for _, shares in other)])
    facts, worth = added(facts, shares)
    worth = np.round(worth, DIGITS)
    best = np.lexsort((facts, -worth))[:count]
    return [triple(question, fact) for fact in facts[best[worth[best] > 0]].tolist()]


def worths(question: Question, answer: int, truths: NDArray[np.float32], ways: int) -> Shares:
    """The facts that an answer's score rests on, and what each is worth; `truths` are those of the paths."""
    paths, weights = question.scorer.parts[:2]
    direct, score = direct_shares(question, answer), float(truths @ weights)
    found = [path_shares(question, answer, truths.astype(np.float64) * weights, paths, ways), direct]
    if score + direct[1].sum() > 0:  # as in the scorer: only then does it count what the answer takes part in
        found += standing_shares(question, answer, ways)
    for fired in fired_constants(question.model, question.mixture, question.graph, question.query, answer):
        relations, ends = np.divmod(fired.facts, question.graph.entities)
        found.append((numbers(question, fired.subject, relations, ends), fired.weights))
    return added(np.concatenate([facts for facts, _ in found]), np.concatenate([shares for _, shares in found]))


def added(facts: NDArray[np.int64], shares: NDArray[np.float64]) -> Shares:
    """Every fact once, with all that it gets."""
    facts, place = np.unique(facts, return_inverse=True)
    worth = np.zeros(len(facts))
    np.add.at(worth, place, shares)
    return facts, worth


def path_shares(
    question: Question, answer: int, shares: NDArray[np.float64], paths: NDArray[np.int32], ways: int
) -> Shares:
    """What the paths that lead to the answer give the facts along some of their walks."""
    used = np.flatnonzero(shares > 0)
    walks, path = walks_along(question.graph, paths[used], question.query, answer, ways)
    steps, share = paths[used][path], shares[used] / np.maximum(np.bincount(path, minlength=len(used)), 1)
    facts = np.where(steps >= 0, numbers(question, walks[:, :-1], steps, walks[:, 1:]), -1)
    facts.sort(axis=1)  # a fact that a walk passes twice gets its share once
    counted = facts >= 0
    counted[:, 1:] &= facts[:, 1:] != facts[:, :-1]
    return facts[counted], np.repeat(share[path], counted.sum(axis=1))


def direct_shares(question: Question, answer: int) -> Shares:
    """What else holds between the query and the answer."""
    weights = question.mixture.direct
    used = [s for s in np.flatnonzero(weights).tolist() if answer in question.graph.tails_of(question.query, s)]
    relations = np.array(used, np.int64)
    return numbers(question, question.query, relations, answer), weights[relations].astype(np.float64)


def standing_shares(question: Question, answer: int, ways: int) -> Iterator[Shares]:
    """What the answer takes part in."""
    profiles, weights = question.scorer.profiles, question.mixture.answer
    if profiles is None or not weights.size:
        return
    for relation in profiles.relations[profiles.starts[answer] : profiles.starts[answer + 1]].tolist():
        ends = question.graph.tails_of(answer, relation)[:ways]
        yield numbers(question, answer, relation, ends), np.full(len(ends), float(weights[relation]) / len(ends))


def numbers(question: Question, start: Numbers, relation: Numbers, end: Numbers) -> NDArray[np.int64]:
    """Facts of the data behind directed edges, as numbers in the order of (head, relation, tail)."""
    start, relation, end = (np.asarray(part, np.int64) for part in (start, relation, end))
    inverse, graph = relation & 1, question.graph
    head, tail = np.where(inverse, end, start), np.where(inverse, start, end)
    fact: NDArray[np.int64] = (head * (graph.relations >> 1) + (relation >> 1)) * graph.entities + tail
    return fact


def triple(question: Question, fact: int) -> Triple:
    """The fact behind a number."""
    rest, tail = divmod(fact, question.graph.entities)
    head, relation = divmod(rest, question.graph.relations >> 1)
    return head, relation, tail
