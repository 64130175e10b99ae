"""Explanations as frozen data: what a prediction rests on, for templates and for the mixtures of a knowledge graph.

A mixture's score is the sum of its parts' shares. A template's truth follows from the facts through `arithmetic`, a
tree in which every step's value follows from its inputs by a stated formula, see `rules.arithmetic`; its parts are the
rules of the program that fire, each with the truth it gives by itself.

No numpy and no torch: an explanation can be stored, sent and drawn where nothing is learned.
"""

from dataclasses import dataclass
from typing import Literal

from rulewright.logic.terms import Atom

Source = Literal["facts", "derived", "absent"]
"""Where a ground atom comes from: it is among the facts that the run reads, it follows by an auxiliary rule of the
program, or it is counted as not being there.

Nothing closer is known: a run keeps the facts, and not the files and lines that they were read from.
"""

StepKind = Literal["fact", "absent", "pred", "attention", "and", "or", "not", "exists", "same"]


@dataclass(frozen=True)
class SourcedFact:
    """A ground atom and where it comes from; `truth` is the fact's own, 0 where it is absent."""

    atom: Atom
    source: Source = "facts"
    truth: float = 1.0

    def __str__(self) -> str:
        return f"not {self.atom}" if self.source == "absent" else str(self.atom)


@dataclass(frozen=True)
class Witness:
    """One way in which a rule's body holds: the facts that stand for its literals, in the body's order."""

    facts: tuple[SourcedFact, ...]


@dataclass(frozen=True)
class Part:
    """One rule, or what stands for one, and what it says of the fact that is explained.

    kind        "path", "constant", "frequency", "direct", "answer" in a mixture, see `completion.rules`; "rule" of a
                template's program
    weight      of a mixture's part; None for a rule of a template, whose weights are in the arithmetic
    truth       how true its body is; for a rule of a template the truth that the rule gives by itself
    witnesses   some of the ways in which the body holds
    count       how many ways there are in all; 0 where the part rests on no single facts
    """

    rule: str
    truth: float
    weight: float | None = None
    kind: str = "rule"
    witnesses: tuple[Witness, ...] = ()
    count: int = 0

    @property
    def share(self) -> float:
        """What it adds to the score of a mixture; a rule of a template is not added up and gives its truth."""
        return self.truth if self.weight is None else self.weight * self.truth

    @property
    def facts(self) -> tuple[Atom, ...]:
        """The atoms of the first way in which the body holds."""
        return tuple(fact.atom for fact in self.witnesses[0].facts) if self.witnesses else ()


@dataclass(frozen=True)
class Difference:
    """A rule that says more for one of two candidates: its share here, and there."""

    rule: str
    here: float
    there: float


@dataclass(frozen=True)
class Rival:
    """A candidate near it in rank, and the rules that make the difference, the most decisive first.

    In a mixture the differences of all rules add up to the difference of the scores; `rest` is that of those not
    listed.
    """

    fact: Atom
    score: float
    difference: float  # its score less that of the fact explained
    differences: tuple[Difference, ...] = ()
    rest: float = 0.0

    @property
    def higher(self) -> bool:
        return self.difference > 0


@dataclass(frozen=True)
class Counterfactual:
    """Facts without which (or, under negation, with which) the prediction would fall, and what is left of it then.

    goal        what was asked for, in words
    reached     whether it was; otherwise this is how far the search came
    removed     facts taken away
    added       facts put in, which only a rule with a negation can mind
    score, higher, equal   of the same fact afterwards, computed anew on the changed facts
    needed      True: giving back any one of them undoes it, so that none is idle. A smaller set of other facts may
                still exist, since the search is greedy; it cannot where there is a single fact.
    """

    goal: str
    reached: bool
    removed: tuple[Atom, ...]
    added: tuple[Atom, ...]
    score: float
    higher: int
    equal: int
    needed: bool = False


@dataclass(frozen=True)
class Input:
    """An input of a step and its weight; None where the operator has no weights."""

    weight: float | None
    step: "Step"


@dataclass(frozen=True)
class Step:
    """One value in the arithmetic from the facts to the truth.

    kind     "fact": a fact of the knowledge base, or its negation; "absent": no fact can arise here, which counts as 0;
             "pred", "attention": a mixture of predicates; "and", "or", "not"; "exists": the best assignment counts;
             "same": the value of its only input, which passed the conditions
    label    the ground atom or formula that the value is of
    raw      the value before it is brought back into [0, 1]
    norm     of "and" and "or": "lnn", "product", "lukasiewicz"
    ways     "exists": how many assignments there are
    tied     "exists": how many of them reach the value; `inputs` shows some of these
    fact     "fact": the fact itself; with `negated` the value is 1 less its truth
    """

    kind: StepKind
    label: str
    value: float
    raw: float
    bias: float | None = None
    inputs: tuple[Input, ...] = ()
    norm: str = "lnn"
    ways: int = 1
    tied: int = 1
    fact: SourcedFact | None = None
    negated: bool = False


@dataclass(frozen=True)
class Explanation:
    """Why a fact scores as it does.

    score            the sum of a mixture's parts, or a template's truth
    higher, equal    candidates with a higher score, and with the same one, itself included; what is already among the
                     facts is not a candidate
    known            the fact is itself among the facts; it was set aside, so that it does not explain itself
    parts            largest share first
    rivals           the nearest candidates, best first
    counterfactual   None where none was asked for
    arithmetic       of a template; None: the score is the sum of the parts' shares
    threshold        of a template: the truth from which on a fact is predicted
    """

    fact: Atom
    score: float
    higher: int
    equal: int
    known: bool = False
    parts: tuple[Part, ...] = ()
    rivals: tuple[Rival, ...] = ()
    counterfactual: Counterfactual | None = None
    arithmetic: Step | None = None
    threshold: float | None = None
