"""explain(model, head, relation, tail): why an answer scores as it does, and where it does.

A fact that is known already is set aside first, as it was while the rules were learned: it may not explain itself.
"""

from collections.abc import Sequence

from rulewright.completion.counterfactual import counterfactual as found_counterfactual
from rulewright.completion.model import CompletionModel
from rulewright.completion.question import Question
from rulewright.rules.explanation import Difference, Explanation, Part, Rival
from rulewright.rules.shown_explanation import ShownExplanation

WITNESSES = 3
RIVALS = 2
DECISIVE = 3  # rules shown for the difference to one rival


def explain(
    model: CompletionModel,
    head: str,
    relation: str,
    tail: str,
    *,
    witnesses: int = WITNESSES,
    detailed: int | None = None,
    rivals: int = RIVALS,
    counterfactual: bool = False,
) -> Explanation:
    """Why a tail is (or is not) an answer to relation(head, ?).

    witnesses       ways shown in which a rule's body holds; all are counted
    detailed        rules that need their ways, those first that add most; None: all
    rivals          candidates shown on either side
    counterfactual  also search for facts without which the answer would fall; it scores a few dozen times
    """
    question = Question.of(model, model.relation_id(relation), model.entity_id(head), model.entity_id(tail))
    known = question.answer in model.graph.tails_of(question.query, question.relation)
    if known:
        question = question.without([question.triple])
    (own,) = question.parts([question.answer], witnesses, detailed)
    near = question.near(rivals)
    return ShownExplanation(
        question.fact(question.answer),
        question.score,
        question.higher,
        question.equal,
        known,
        tuple(own),
        tuple(rival(question, other, own, parts) for other, parts in zip(near, question.parts(near), strict=True)),
        found_counterfactual(question) if counterfactual else None,
    )


def rival(question: Question, other: int, own: Sequence[Part], parts: Sequence[Part]) -> Rival:
    """A candidate, and the rules that set it apart from the answer."""
    here, there = ({part.rule: part.share for part in some} for some in (own, parts))
    apart = [Difference(rule, here.get(rule, 0.0), there.get(rule, 0.0)) for rule in dict.fromkeys([*here, *there])]
    apart = [entry for entry in apart if entry.here != entry.there]
    apart.sort(key=lambda entry: (-abs(entry.there - entry.here), entry.rule))
    score = float(question.scores[other])
    rest = sum(entry.there - entry.here for entry in apart[DECISIVE:])
    return Rival(question.fact(other), score, score - question.score, tuple(apart[:DECISIVE]), rest)
