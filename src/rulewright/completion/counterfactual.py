"""Which facts, taken away, would bring an answer down.

The search is greedy: what the parts of the score say each fact is worth picks a few suspects, every suspect is tried by
scoring anew without it, and the best stays away. Nothing in the outcome is estimated. Rules and weights stay as they
were learned.
"""

from collections.abc import Sequence

import numpy as np

from rulewright.completion.model import CompletionModel
from rulewright.completion.question import Question, Triple
from rulewright.completion.worth import most_worth
from rulewright.logic.terms import Atom, Constant
from rulewright.rules.explanation import Counterfactual

GOAL = "one more candidate scores higher, or the score falls to 0"
MOST_FACTS = 6
SUSPECTS = 3  # tried exactly in one round
WALKS = 8  # of one path, looked at for suspects


def counterfactual(question: Question, most: int = MOST_FACTS) -> Counterfactual | None:
    """A set of at most so many facts without which the answer falls; None where it scores nothing anyway."""
    if question.score <= 0:
        return None
    start, removed, now = question.higher, list[Triple](), question
    # The graphs of the best trial and of the next one are made in the same memory, turn about.
    held, spare = (np.empty_like(question.graph.start) for _ in range(2))
    behind = question.candidates & (question.scores <= question.scores[question.answer])
    behind[question.answer] = False
    stood = {frozenset(removed)}  # sets of facts that were not enough

    def falls(tried: Question) -> bool:
        return tried.score <= 0 or tried.higher > start

    def lead(tried: Question) -> float:
        """How far the answer is ahead of all that it led in the beginning, 0 at least."""
        best = float(tried.scores[behind].max()) if behind.any() else 0.0
        return tried.score - max(best, 0.0)

    while not falls(now) and len(removed) < most:
        rival = int(np.flatnonzero(behind)[now.scores[behind].argmax()]) if behind.any() else None
        best: tuple[bool, float] | None = None
        for triple in most_worth(now, rival, WALKS, SUSPECTS):
            tried = question.without([*removed, triple], spare)
            outcome = not falls(tried), lead(tried)
            if best is None or outcome < best:
                best, chosen, found, held, spare = outcome, triple, tried, spare, held
        if best is None or (best[0] and best[1] >= lead(now)):
            break
        removed, now = [*removed, chosen], found
        if not falls(now):
            stood.add(frozenset(removed))
    reached = falls(now)
    while reached:
        for fewer in [[other for other in removed if other != triple] for triple in removed]:
            if frozenset(fewer) not in stood and falls(tried := question.without(fewer, spare)):
                removed, now = fewer, tried
                break
        else:
            break
    facts = tuple(named(question.model, triple) for triple in removed)
    return Counterfactual(GOAL, reached, facts, (), now.score, now.higher, now.equal, needed=reached)


def named(model: CompletionModel, triple: Sequence[int]) -> Atom:
    """A fact of the data by name."""
    head, relation, tail = triple
    names = model.entities.names
    return Atom(model.relations.names[relation], (Constant(names[head]), Constant(names[tail])))
