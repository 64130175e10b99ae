"""explain_fact(network, grounding, kb, program, fact): why a head fact has its truth, from the facts up."""

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import InputError, nearest
from rulewright.grounding.ground import GroundingLimits, ground, why_empty
from rulewright.grounding.lineage import Grounding
from rulewright.grounding.tables import Ids
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.program import Program
from rulewright.logic.terms import Atom, Constant
from rulewright.rules.computed import computed
from rulewright.rules.explanation import Difference, Explanation, Part, Rival
from rulewright.rules.firing import firing
from rulewright.rules.shown_explanation import ShownExplanation
from rulewright.rules.undoing import Undoing

WITNESSES = 3
RIVALS = 2


def explain_fact(
    network: RuleNetwork,
    grounding: Grounding,
    kb: KnowledgeBase,
    program: Program,
    fact: Fact,
    *,
    witnesses: int = WITNESSES,
    rivals: int = RIVALS,
    counterfactual: bool = True,
    limits: GroundingLimits | None = None,
) -> Explanation:
    """Why a head fact is predicted, or not, by a network over a knowledge base and its grounding there.

    witnesses       ways shown in which a rule's body holds, and assignments followed where several are best
    rivals          head facts shown on either side, those first that share a constant
    counterfactual  also search for changes to the facts that would bring a predicted fact below the threshold
    """
    row = row_of(network, grounding, kb, fact, limits)
    truths = network.truths(grounding)
    single = grounding.take(np.array([row]))
    tree = computed(network, kb, single, witnesses).step(len(single.facts) - 1, 0)
    near = neighbours(grounding.roots, truths, row, rivals)
    fired = firing(program, kb, grounding.roots[[row, *near]], witnesses, limits)
    return ShownExplanation(
        atom_of(program, fact),
        float(truths[row]),
        int((truths > truths[row]).sum()),
        int((truths == truths[row]).sum()),
        parts=tuple(fired[0]),
        rivals=tuple(
            Rival(
                atom_of(program, other),
                float(truths[at]),
                float(truths[at] - truths[row]),
                differences(fired[0], there),
            )
            for at, other, there in zip(near, kb.decode(grounding.roots[near]), fired[1:], strict=True)
        ),
        counterfactual=Undoing(network, kb, fact, program.threshold, limits).search() if counterfactual else None,
        arithmetic=tree,
        threshold=program.threshold,
    )


def atom_of(program: Program, fact: Fact) -> Atom:
    """A head fact as an atom."""
    return Atom(program.head.predicate, tuple(map(Constant, fact)))


def neighbours(roots: Ids, truths: NDArray[np.float32], row: int, count: int) -> list[int]:
    """Head facts of the nearest other truths, at most so many on either side, best first.

    Those first that share a constant in its place, since they are the ones that a reader would compare.
    """
    shared = (roots == roots[row]).any(axis=1)
    distance = np.abs(truths - truths[row])
    order = np.lexsort((np.arange(len(roots)), distance, ~shared))
    above = [at for at in order[truths[order] > truths[row]].tolist()[:count]]
    below = [at for at in order[truths[order] < truths[row]].tolist()[:count]]
    return sorted([*above, *below], key=lambda at: (-float(truths[at]), at))


def differences(here: list[Part], there: list[Part]) -> tuple[Difference, ...]:
    """The rules that fire for one of two facts alone, the strongest first."""
    mine, others = ({part.rule: part.truth for part in parts} for parts in (here, there))
    apart = [
        Difference(rule, mine.get(rule, 0.0), others.get(rule, 0.0))
        for rule in {**mine, **others}
        if (rule in mine) != (rule in others)
    ]
    return tuple(sorted(apart, key=lambda entry: (-max(entry.here, entry.there), entry.rule)))


def row_of(
    network: RuleNetwork, grounding: Grounding, kb: KnowledgeBase, fact: Fact, limits: GroundingLimits | None
) -> int:
    """The row of a head fact; an error that says why it cannot arise."""
    head = network.plan.head
    if len(fact) != len(head.terms):
        raise InputError(f"{head} has {len(head.terms)} arguments, not {len(fact)}: {', '.join(fact) or 'none'}")
    for name in fact:
        if name not in kb.constants:
            raise InputError(f"unknown constant {name}{nearest(name, kb.constants.names)}")
    ids = kb.encode([fact])
    (row,) = grounding.rows_of(ids).tolist()
    if row < 0:
        attempt = ground(network.plan, kb, limits, ids)
        shown = Atom(head.predicate, tuple(map(Constant, fact)))
        raise InputError(
            f"{shown} cannot arise from the template and the facts: {why_empty(network.plan, attempt.facts)}. "
            f"Its truth is 0 whatever the weights are."
        )
    return int(row)
