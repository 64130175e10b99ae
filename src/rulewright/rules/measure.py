"""A program checked against the network it was read from, and its rules against the labels."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

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
    """The program with its fidelity, and with every rule's support and confidence on the labels."""
    accepted = marked(program, kb, grounding, limits)
    fidelity = Fidelity(len(grounding), int((accepted == (truths >= program.threshold)).sum()))
    labelled = np.zeros(len(grounding), dtype=bool)
    labelled[targets.positives] = labelled[targets.negatives] = True
    true = np.zeros(len(grounding), dtype=bool)
    true[targets.positives] = True
    rules = []
    for learned in program.rules:
        fires = marked(replace(program, rules=(learned,)), kb, grounding, limits) & labelled
        support = int(fires.sum())
        share = float(true[fires].mean()) if support else 0.0
        rules.append(LearnedRule(learned.rule, learned.truth, support, share))
    return replace(program, rules=tuple(rules), fidelity=fidelity)


def marked(
    program: Program, kb: KnowledgeBase, grounding: Grounding, limits: GroundingLimits | None
) -> NDArray[np.bool_]:
    """Which head facts of the grounding the program's text accepts."""
    rows = grounding.rows_of(derive(program, kb, limits))
    accepted = np.zeros(len(grounding), dtype=bool)
    accepted[rows[rows >= 0]] = True
    return accepted
