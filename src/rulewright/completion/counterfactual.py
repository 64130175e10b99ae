"""Which facts, taken away, would bring an answer down.

The search is greedy: what the parts of the score say each fact is worth picks a few suspects, every suspect is tried by
scoring anew without it, and the best stays away. Nothing in the outcome is estimated. Rules and weights stay as they
were learned.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from rulewright.completion.model import CompletionModel
from rulewright.completion.question import Question, Triple
from rulewright.logic.terms import Atom, Constant
from rulewright.rules.explanation import Counterfactual, Part

GOAL = "one more candidate scores higher, or the score falls to 0"
MOST_FACTS = 6
SUSPECTS = 3  # tried exactly in one round
WALKS = 8  # of one path, looked at for suspects


def counterfactual(question: Question, most: int = MOST_FACTS) -> Counterfactual | None:
    """A set of at most so many facts without which the answer falls; None where it scores nothing anyway."""
    if question.score <= 0:
        return None
    start, removed, now = question.higher, list[Triple](), question
    offsets = np.empty_like(question.model.graph.start)  # one trial after the other is made in the same memory
    behind = question.candidates & (question.scores <= question.scores[question.answer])
    behind[question.answer] = False

    def falls(tried: Question) -> bool:
        return tried.score <= 0 or tried.higher > start

    def lead(tried: Question) -> float:
        """How far the answer is ahead of all that it led in the beginning, 0 at least."""
        best = float(tried.scores[behind].max()) if behind.any() else 0.0
        return tried.score - max(best, 0.0)

    def trial(triple: Triple) -> tuple[bool, float, Triple]:
        tried = question.without([*removed, triple], offsets)
        return not falls(tried), lead(tried), triple

    while not falls(now) and len(removed) < most:
        rival = int(np.flatnonzero(behind)[now.scores[behind].argmax()]) if behind.any() else None
        trials = [trial(triple) for triple in suspects(now, rival)[:SUSPECTS]]
        if not trials:
            break
        stands, ahead, triple = min(trials, key=lambda tried: tried[:2])
        if stands and ahead >= lead(now):
            break
        removed.append(triple)
        now = question.without(removed, offsets)
    reached = falls(now)
    while reached:
        fewer = [[other for other in removed if other != triple] for triple in removed]
        enough = next((facts for facts in fewer if falls(question.without(facts, offsets))), None)
        if enough is None:
            break
        removed = enough
    now = question.without(removed, offsets)
    facts = tuple(named(question.model, triple) for triple in removed)
    return Counterfactual(GOAL, reached, facts, (), now.score, now.higher, now.equal, needed=reached)


def suspects(question: Question, rival: int | None) -> list[Triple]:
    """Facts by what the answer would lose without them, less what its rival would lose; only those that do harm."""
    answers = [question.answer, *([] if rival is None else [rival])]
    own, *others = question.parts(answers, WALKS)
    worth = worths(question.model, own)
    for fact, loss in (worths(question.model, others[0]) if others else {}).items():
        worth[fact] -= loss
    return sorted((fact for fact, value in worth.items() if value > 0), key=lambda fact: (-worth[fact], fact))


def worths(model: CompletionModel, parts: Iterable[Part]) -> defaultdict[Triple, float]:
    """Every part's share dealt out evenly among its ways, and each way's to all of its facts."""
    found: defaultdict[Triple, float] = defaultdict(float)
    for part in parts:
        for witness in part.witnesses:
            for fact in {fact.atom for fact in witness.facts}:
                found[coded(model, fact)] += part.share / len(part.witnesses)
    return found


def coded(model: CompletionModel, fact: Atom) -> Triple:
    """A fact of the data as ids."""
    head, tail = (model.entity_id(term.name) for term in fact.terms)
    relation = model.relations.id(fact.predicate)
    assert relation is not None
    return head, relation, tail


def named(model: CompletionModel, triple: Sequence[int]) -> Atom:
    """A fact of the data by name."""
    head, relation, tail = triple
    names = model.entities.names
    return Atom(model.relations.names[relation], (Constant(names[head]), Constant(names[tail])))
