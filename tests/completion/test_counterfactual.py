"""The search for facts that matter finds what a plain one does, which writes every part and builds every graph anew."""

from dataclasses import replace

import numpy as np
import pytest

from rulewright.completion.counterfactual import MOST_FACTS, SUSPECTS, WALKS, counterfactual, named
from rulewright.completion.firing import path_truths
from rulewright.completion.model import CompletionModel
from rulewright.completion.question import Question, Triple
from rulewright.completion.worth import DIGITS, triple, worths
from rulewright.logic.terms import Atom


def questions(model: CompletionModel, count: int, known: bool) -> list[Question]:
    """Facts, each set aside, or random questions, in both directions."""
    rng = np.random.default_rng(3)
    found = []
    for head, relation, tail in model.triples[rng.permutation(len(model.triples))[:count]].tolist():
        end = tail if known else int(rng.integers(len(model.entities)))
        ends = (head, end) if rng.random() < 0.5 else (end, head)
        asked = Question.of(model, 2 * relation + int(ends[0] != head), *ends)
        found.append(asked.without([asked.triple]) if known else asked)
    return found


def plain_worths(question: Question, answer: int) -> dict[Triple, float]:
    """What each fact is worth, read off the parts that are shown to people."""
    found: dict[Triple, float] = {}
    (parts,) = question.parts([answer], WALKS)
    for part in parts:
        for witness in part.witnesses:
            for fact in {fact.atom for fact in witness.facts}:
                key = coded(question.model, fact)
                found[key] = found.get(key, 0.0) + part.share / len(part.witnesses)
    return found


def coded(model: CompletionModel, fact: Atom) -> Triple:
    head, tail = (model.entity_id(term.name) for term in fact.terms)
    return head, model.relation_id(fact.predicate) >> 1, tail


def anew(question: Question, removed: list[Triple]) -> Question:
    """The question over a graph that is built from the facts that are left."""
    left = np.array([fact for fact in facts_in(question) if fact not in removed])
    return replace(question, scorer=replace(question.model, triples=left).scorer(question.relation))


def facts_in(question: Question) -> list[Triple]:
    """The facts of the question's graph."""
    pairs = [(relation, question.graph.pairs(relation)) for relation in range(0, question.graph.relations, 2)]
    return [(head, relation >> 1, tail) for relation, found in pairs for head, tail in found.tolist()]


def plain_search(question: Question) -> tuple[bool, list[Triple]]:
    """The greedy search as one would write it down."""
    behind = question.candidates & (question.scores <= question.score)
    behind[question.answer] = False

    def falls(removed: list[Triple]) -> bool:
        tried = anew(question, removed)
        return tried.score <= 0 or tried.higher > question.higher

    def lead(removed: list[Triple]) -> float:
        tried = anew(question, removed)
        return tried.score - max(float(tried.scores[behind].max(initial=0.0)), 0.0)

    removed: list[Triple] = []
    while not falls(removed) and len(removed) < MOST_FACTS:
        now = anew(question, removed)
        worth = plain_worths(now, now.answer)
        if behind.any():
            rival = int(np.flatnonzero(behind)[now.scores[behind].argmax()])
            for fact, loss in plain_worths(now, rival).items():
                worth[fact] = worth.get(fact, 0.0) - loss
        best = sorted((-round(value, DIGITS), fact) for fact, value in worth.items() if round(value, DIGITS) > 0)
        trials = [(not falls([*removed, fact]), lead([*removed, fact]), fact) for _, fact in best[:SUSPECTS]]
        if not trials:
            break
        stands, ahead, chosen = min(trials, key=lambda trial: trial[:2])
        if stands and ahead >= lead(removed):
            break
        removed.append(chosen)
    reached = falls(removed)
    while reached:
        smaller = [[other for other in removed if other != fact] for fact in removed]
        enough = next((facts for facts in smaller if falls(facts)), None)
        if enough is None:
            break
        removed = enough
    return reached, removed


@pytest.mark.parametrize("known", [True, False])
def test_a_fact_is_worth_its_part_of_what_the_shown_parts_add(nations: CompletionModel, known: bool) -> None:
    met = 0
    for question in questions(nations, 15, known):
        answers = [question.answer, *question.near(1)]
        for answer, truths in zip(answers, path_truths(question.scorer, question.query, answers), strict=True):
            facts, shares = worths(question, answer, truths, WALKS)
            found = {triple(question, fact): share for fact, share in zip(facts.tolist(), shares.tolist(), strict=True)}
            expected = plain_worths(question, answer)
            assert {fact: share for fact, share in found.items() if fact not in expected and share != 0} == {}
            assert {fact: found.get(fact, 0.0) for fact in expected} == pytest.approx(expected, abs=1e-6)
            met += len(expected)
    assert met > 100


@pytest.mark.parametrize("known", [True, False])
def test_the_search_finds_what_the_plain_one_finds(nations: CompletionModel, known: bool) -> None:
    sizes = set()
    for question in questions(nations, 8, known):
        found = counterfactual(question)
        assert (found is None) == (question.score <= 0)
        if found is None:
            continue
        reached, removed = plain_search(question)
        after = anew(question, removed)
        assert (found.reached, list(found.removed)) == (reached, [named(nations, fact) for fact in removed])
        assert (found.score, found.higher, found.equal) == (after.score, after.higher, after.equal)
        sizes.add(len(removed))
    assert max(sizes) > 1
