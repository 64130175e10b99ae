"""A program checked against the network it was read from, and its rules against the labels."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import GroundingTooLargeError
from rulewright.grounding.ground import GroundingLimits
from rulewright.grounding.lineage import Grounding
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.program import Fidelity, LearnedRule, Program
from rulewright.rules.derive import derive
from rulewright.training.labels import Targets


def measured(
    program: Program,
    kb: KnowledgeBase,
    grounding: Grounding,
    truths: NDArray[np.float32],
    targets: Targets,
    limits: GroundingLimits | None = None,
) -> Program:
    """The program with its fidelity, and with every rule's support and confidence on the labels.

    What would take a grounding beyond the limits stays unmeasured: a rule's text may join what the network, which drops
    variables on the way, never holds side by side.
    """
    accepted = marked(program, kb, grounding, limits)
    agreeing = None if accepted is None else int((accepted == (truths >= program.threshold)).sum())
    fidelity = None if agreeing is None else Fidelity(len(grounding), agreeing)
    true = np.zeros(len(grounding), dtype=bool)
    true[targets.positives] = True
    labelled = true.copy()
    labelled[targets.negatives] = True
    rules = []
    for learned in program.rules:
        body = marked(replace(program, rules=(learned,)), kb, grounding, limits)
        rules.append(learned if body is None else counted(learned, body & labelled, true))
    return replace(program, rules=tuple(rules), fidelity=fidelity)


def counted(learned: LearnedRule, fires: NDArray[np.bool_], true: NDArray[np.bool_]) -> LearnedRule:
    """A rule with the number of labelled facts for which its body holds, and the share of true ones among them."""
    support = int(fires.sum())
    return replace(learned, support=support, confidence=float(true[fires].mean()) if support else 0.0)


def marked(
    program: Program, kb: KnowledgeBase, grounding: Grounding, limits: GroundingLimits | None
) -> NDArray[np.bool_] | None:
    """Which head facts of the grounding the program's text accepts; None where finding out would take too much."""
    try:
        rows = grounding.rows_of(derive(program, kb, limits))
    except GroundingTooLargeError:
        return None
    accepted = np.zeros(len(grounding), dtype=bool)
    accepted[rows[rows >= 0]] = True
    return accepted
