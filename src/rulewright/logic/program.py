"""A learned program: rules one can read, beside the weighted network they were read from."""

from dataclasses import dataclass

from rulewright.logic.markup import Shown, card, code, folded, note, percent, shown, table, title
from rulewright.logic.node import Node, tree_lines
from rulewright.logic.rule import Rule
from rulewright.logic.terms import Atom

SHOWN_RULES = 30  # in a notebook; the others are counted


@dataclass(frozen=True)
class LearnedRule(Shown):
    """A rule of the Boolean reading and the truth the network gives a fact for which just this body holds.

    support     head facts for which the body holds; None where it was not counted
    confidence  the share of them that are labelled true
    """

    rule: Rule
    truth: float
    support: int | None = None
    confidence: float | None = None

    def __str__(self) -> str:
        return f"{self.truth:.3f}  {self.rule}"


@dataclass(frozen=True)
class Fidelity:
    """How well the text agrees with the network: over how many facts, and on how many both give the same answer."""

    facts: int
    agreeing: int

    @property
    def share(self) -> float:
        return self.agreeing / self.facts if self.facts else 1.0

    def __str__(self) -> str:
        return f"the text agrees with the network on {self.share:.2%} of {self.facts:,} facts"


@dataclass(frozen=True)
class Program(Shown):
    """What was learned for one head.

    rules        the Boolean reading: a head fact is accepted when the body of at least one rule holds
    auxiliaries  rules that define predicates used only inside the program (negated sub-formulas)
    threshold    the truth from which on the network's output counts as true
    complete     False when there were more rules than were asked for, and the weakest were left out
    fidelity     the reading checked against the network on the facts it was learned from
    """

    head: Atom
    rules: tuple[LearnedRule, ...]
    tree: Node
    threshold: float = 0.5
    auxiliaries: tuple[Rule, ...] = ()
    complete: bool = True
    fidelity: Fidelity | None = None

    def __str__(self) -> str:
        lines = [str(learned) for learned in self.rules] or [f"(no rule for {self.head} passes {self.threshold:g})"]
        return "\n".join([*lines, *(f"       {rule}" for rule in self.auxiliaries)])

    def _repr_html_(self) -> str:
        """A card: the rules with their figures, how far they can be trusted, and the network when it is opened."""
        return card(program_html(self))


def program_html(program: Program) -> str:
    """A program as HTML, without the frame."""
    listed = program.rules[:SHOWN_RULES]
    left = len(program.rules) - len(listed)
    more = f"{left:,} weaker rules not shown. " if left else "" if program.complete else "Weaker rules were left out. "
    trust = "" if program.fidelity is None else f"{program.fidelity} (threshold {program.threshold:g}).".capitalize()
    defined = ", ".join(map(code, program.auxiliaries))
    return "\n".join(
        [
            title(f"Rules for {code(program.head)}"),
            rules_table(listed) if listed else note(f"No rule reaches truth {program.threshold:g}."),
            f"<p>where {defined}</p>" if defined else "",
            note(more + trust),
            folded("The network: weights before inputs, biases in parentheses", network_html(program.tree)),
        ]
    )


def rules_table(rules: tuple[LearnedRule, ...]) -> str:
    """Rules with their truth; with what they are right about, where that was counted."""
    if all(learned.support is None for learned in rules):
        return table(["truth", "rule"], [[f"{entry.truth:.3f}", code(entry.rule)] for entry in rules], 1)
    rows = [
        [
            f"{entry.truth:.3f}",
            "" if entry.support is None else f"{entry.support:,}",
            percent(entry.confidence),
            code(entry.rule),
        ]
        for entry in rules
    ]
    return table(["truth", "support", "confidence", "rule"], rows, 3)


def network_html(tree: Node) -> str:
    """The tree, line by line."""
    return "<pre>" + "\n".join(map(shown, tree_lines(tree))) + "</pre>"
