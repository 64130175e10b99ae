"""Which facts, taken away or under a negation put in, would bring a predicted head fact below the threshold.

Greedy: the facts that the best assignments rest on are suspects, each is tried by grounding the head anew, and the best
change stays. Nothing in the outcome is estimated; the network stays as it was trained.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.plan import Union
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.terms import Atom
from rulewright.rules.changed_facts import changed, looked_up
from rulewright.rules.computed import computed
from rulewright.rules.explanation import Counterfactual, Step
from rulewright.rules.lineage_tree import LineageTree

MOST_FACTS = 6
SUSPECTS = 12  # tried in one round
FOLLOWED = 8  # of the assignments that tie, at every variable dropped
SLIGHT = 0.02  # members of a leaf below this weight are not worth putting a fact in


@dataclass(frozen=True)
class Change:
    """A fact to take away, or to put in."""

    fact: Atom
    added: bool


@dataclass(frozen=True, eq=False)
class Undoing:
    """The search for one head fact."""

    network: RuleNetwork
    kb: KnowledgeBase
    head: Fact
    threshold: float
    limits: GroundingLimits | None = None

    def search(self, most: int = MOST_FACTS) -> Counterfactual | None:
        """A set of at most so many changes; None where the fact is not predicted anyway."""
        changes: list[Change] = []
        truth = self.truth(changes)
        if truth < self.threshold:
            return None
        while truth >= self.threshold and len(changes) < most:
            suspects = self.suspects(changes)
            trials = [(self.truth([*changes, one]), place) for place, one in enumerate(suspects)]
            if not trials:
                break
            truth, best = min(trials)
            changes.append(suspects[best])
        reached = truth < self.threshold
        while reached:
            fewer = [[other for other in changes if other != one] for one in changes]
            enough = next((some for some in fewer if self.truth(some) < self.threshold), None)
            if enough is None:
                break
            changes = enough
        return self.outcome(changes, reached)

    def after(self, changes: Sequence[Change]) -> KnowledgeBase:
        """The knowledge base with the changes."""
        removed = [change.fact for change in changes if not change.added]
        return changed(self.kb, removed, [change.fact for change in changes if change.added])

    def truth(self, changes: Sequence[Change]) -> float:
        """The head fact's truth after the changes, 0 where it no longer arises."""
        kb = self.after(changes)
        grounding = ground(self.network.plan, kb, self.limits, kb.encode([self.head]))
        return float(self.network.truths(grounding)[0]) if len(grounding) else 0.0

    def suspects(self, changes: Sequence[Change]) -> list[Change]:
        """Changes that can lower the truth, those first that most of the best assignments rest on."""
        kb = self.after(changes)
        grounding = ground(self.network.plan, kb, self.limits, kb.encode([self.head]))
        tree = computed(self.network, kb, grounding, FOLLOWED)
        counts = Counter(harmful(tree, tree.step(len(grounding.facts) - 1, 0), True))
        ordered = sorted(counts, key=lambda change: (-counts[change], change.added, str(change.fact)))
        undone = {Change(change.fact, not change.added) for change in changes}
        return [change for change in ordered if change not in undone][:SUSPECTS]

    def outcome(self, changes: Sequence[Change], reached: bool) -> Counterfactual:
        """What is left of the fact, among all head facts of the changed knowledge base."""
        kb = self.after(changes)
        whole = ground(self.network.plan, kb, self.limits, allow_empty=True)
        truths = self.network.truths(whole)
        (row,) = whole.rows_of(kb.encode([self.head])).tolist()
        own = float(truths[row]) if row >= 0 else 0.0
        higher, equal = int((truths > np.float32(own)).sum()), int((truths == np.float32(own)).sum())
        removed = tuple(change.fact for change in changes if not change.added)
        added = tuple(change.fact for change in changes if change.added)
        goal = f"the truth falls below {self.threshold:g}"
        return Counterfactual(goal, reached, removed, added, own, higher, max(equal, 1), needed=reached)


def harmful(tree: LineageTree, step: Step, wanted: bool) -> Iterator[Change]:
    """Changes to single facts below a step that can lower it, or raise it where it is not wanted."""
    if step.label in tree.leaves and step.kind in ("pred", "attention", "absent"):
        yield from leaf_changes(tree, step.label, wanted)
        return
    for entry in step.inputs:
        yield from harmful(tree, entry.step, wanted != (step.kind == "not"))


def leaf_changes(tree: LineageTree, label: str, wanted: bool) -> Iterator[Change]:
    """Facts of a leaf's predicates that speak for it, to be taken away, or that would, to be put in."""
    place, names = tree.leaves[label]
    planned = tree.grounding.plan.steps[place]
    assert isinstance(planned, Union)
    for member, weight in zip(planned.leaf.members, tree.weighings[place].weights, strict=True):
        if weight < SLIGHT:
            continue
        fact = looked_up(tree.kb, member.predicate, names)
        if wanted != member.negated and fact.truth > 0:
            yield Change(fact.atom, added=False)
        if wanted == member.negated and fact.truth < 1:
            yield Change(fact.atom, added=True)
