"""A learned program: rules one can read, beside the weighted network they were read from."""

from dataclasses import dataclass
from typing import Literal as Choice

from rulewright.logic.rule import Rule
from rulewright.logic.terms import Atom

Kind = Choice["predicate", "pred", "attention", "and", "or", "not", "exists"]


@dataclass(frozen=True)
class Edge:
    """An input of a node and the weight on the edge to it; None where the operator has no weights."""

    weight: float | None
    node: "Node"


@dataclass(frozen=True)
class Node:
    """One node of the network as a tree, as in the paper's figures: weights on edges, the bias at the node.

    kind    "predicate": a predicate of the knowledge base; "pred" (LNN-pred) and "attention": a mixture of predicates;
            "and", "or", "not": connectives; "exists": variables dropped, the best assignment counts
    norm    of a connective: "lnn", "product", "lukasiewicz"
    """

    kind: Kind
    label: str
    bias: float | None = None
    inputs: tuple[Edge, ...] = ()
    norm: str = "lnn"
    negated: bool = False  # of a predicate that enters a mixture negated


@dataclass(frozen=True)
class LearnedRule:
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


@dataclass(frozen=True)
class Program:
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
