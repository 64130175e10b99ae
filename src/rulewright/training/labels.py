"""Labels: what is known of the head facts, placed on the rows of a grounding."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, SupportsFloat, get_args

import numpy as np

from rulewright.errors import KnowledgeBaseError, LabelError, OptionError, nearest
from rulewright.grounding.lineage import Grounding
from rulewright.kb.knowledge_base import INVERSE, Fact, KnowledgeBase, names_of
from rulewright.logic.terms import Atom, Constant
from rulewright.template.syntax import Template, predicates_of
from rulewright.training.batches import Rows

Labels = Mapping[Sequence[object], float] | Iterable[Sequence[object]]
Unlisted = Literal["false", "unknown", "auto"]
Impossible = Literal["error", "ignore"]

SHOWN = 5


@dataclass(frozen=True, eq=False)
class Targets:
    """Rows of a grounding's head facts that should be true, and that should be false."""

    positives: Rows
    negatives: Rows
    impossible: tuple[Fact, ...] = ()  # positives that the template cannot generate, left out

    def split(self, share: float, rng: np.random.Generator) -> tuple["Targets", "Targets"]:
        """(training, validation), with a share of both kinds put aside for validation, at least one fact of each."""
        if share and min(len(self.positives), len(self.negatives)) < 2:
            raise LabelError(
                f"there are {len(self.positives)} positive and {len(self.negatives)} negative facts: too few to put "
                f"some of each aside for validation; label more facts, or leave validation at 0"
            )
        positives, positives_aside = divided(self.positives, share, rng)
        negatives, negatives_aside = divided(self.negatives, share, rng)
        return Targets(positives, negatives, self.impossible), Targets(positives_aside, negatives_aside)


def place_labels(
    labels: Labels,
    grounding: Grounding,
    kb: KnowledgeBase,
    unlisted: Unlisted = "auto",
    impossible: Impossible = "error",
) -> Targets:
    """Labels as rows of the grounding.

    labels      head facts, by name; a mapping gives each its truth (at least .5 is positive), a plain list means true
    unlisted    what a generated fact is that no label names: "false", "unknown" (takes no part), or "auto": false when
                no label is negative, unknown otherwise
    impossible  what to do with a positive label that the template cannot generate: "error" or "ignore"
    """
    for what, value, names in (("unlisted", unlisted, Unlisted), ("impossible", impossible, Impossible)):
        if value not in get_args(names):
            raise OptionError(f"{what} must be one of {', '.join(get_args(names))}, not {value!r}")
    truths = checked(labels, grounding.plan.head)
    facts = list(truths)
    rows = grounding.rows_of(kb.encode(facts))
    positive = np.fromiter((truths[fact] >= 0.5 for fact in facts), dtype=bool)
    missing = tuple(fact for fact, row, true in zip(facts, rows, positive, strict=True) if true and row < 0)
    if missing and impossible == "error":
        raise LabelError(cannot_arise(missing, grounding))
    if unlisted == "auto":
        unlisted = "false" if positive.all() else "unknown"
    positives = np.sort(rows[positive & (rows >= 0)])
    if unlisted == "false":
        others = np.ones(len(grounding), dtype=bool)
        others[positives] = False
        negatives = np.flatnonzero(others)
    else:
        negatives = np.sort(rows[~positive & (rows >= 0)])
    if not len(positives):
        raise LabelError("no positive label can arise from the template and these facts")
    return Targets(positives, negatives, missing)


def labels_apart(
    kb: KnowledgeBase, labels: Labels | str | None, template: Template, root: str | None
) -> tuple[KnowledgeBase, Labels]:
    """The knowledge base that bodies may use, and the labels.

    Labels given as a predicate (or not at all: then the predicate that the root is named after) are its facts, and the
    predicate is taken out of the knowledge base, so that no rule can explain a label by itself.
    """
    if labels is not None and not isinstance(labels, str):
        return kb, labels
    name = root or root_of(template) if labels is None else labels
    if not name:
        return kb, ()  # every head is used by some body: binding says what is wrong with that
    if name not in kb:
        raise LabelError(
            f"there are no labels: the facts have no predicate {name}{nearest(name, list(kb.relations))}. "
            f"Give labels, or add facts of {name}."
        )
    facts, truths = kb.facts_of(name), kb[name].truths.tolist()
    straight = name.removesuffix(INVERSE)
    others = kb.without(straight, straight + INVERSE)  # the inverse gives the answer away just as well
    if not len(others):
        raise LabelError(f"besides the labels, facts of {name}, the knowledge base has no facts to learn from")
    return others, dict(zip(facts, truths, strict=True))


def root_of(template: Template) -> str:
    """The first head that no body uses; binding tells what is wrong where there is none or more than one."""
    used = {use for clause in template.clauses for use in predicates_of(clause.body)}
    return next((c.head.predicate for c in template.clauses if c.head.predicate not in used), "")


def checked(labels: Labels, head: Atom) -> dict[Fact, float]:
    """Labels in either form as names with truths; an error for what is no fact of the head or no truth."""
    pairs = labels.items() if isinstance(labels, Mapping) else ((fact, 1.0) for fact in labels)
    truths: dict[Fact, float] = {}
    for given, truth in pairs:
        try:
            fact = names_of(given, f"labels of {head.predicate}")
        except KnowledgeBaseError as mistake:
            raise LabelError(str(mistake)) from mistake
        if len(fact) != len(head.terms):
            shown = Atom(head.predicate, tuple(map(Constant, fact)))
            raise LabelError(f"the label {shown} has {len(fact)} arguments, but the head is {head}")
        if not isinstance(truth, SupportsFloat) or not 0 <= float(truth) <= 1:  # also catches NaN
            shown = Atom(head.predicate, tuple(map(Constant, fact)))
            raise LabelError(f"the label {shown} has truth {truth!r}, which is not a number in [0, 1]")
        truths[fact] = float(truth)
    if not truths:
        raise LabelError("there are no labels: name at least one head fact that should be true")
    return truths


def divided(rows: Rows, share: float, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Rows split at random, each part in order; for a share above 0 neither part is empty where there are two rows."""
    if not share:
        return np.sort(rows), rows[:0]
    shuffled = rng.permutation(rows)
    aside = min(max(round(share * len(rows)), 1), len(rows) - 1)
    return np.sort(shuffled[aside:]), np.sort(shuffled[:aside])


def cannot_arise(missing: tuple[Fact, ...], grounding: Grounding) -> str:
    """The message about positive labels outside the grounding."""
    head = grounding.plan.head.predicate
    shown = ", ".join(str(Atom(head, tuple(map(Constant, fact)))) for fact in missing[:SHOWN])
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    return (
        f"{len(missing)} labelled fact(s) cannot arise from the template and these facts: {shown}{more}. "
        f"Widen the template, add the missing facts, or leave such labels out (impossible='ignore')."
    )
