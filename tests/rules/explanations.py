"""Explanations by hand, with every kind of thing in them, and names that mean harm."""

from rulewright.logic.terms import Atom, Constant
from rulewright.rules.explanation import (
    Counterfactual,
    Difference,
    Input,
    Part,
    Rival,
    SourcedFact,
    Step,
    Witness,
)
from rulewright.rules.shown_explanation import ShownExplanation

EVIL = 'x"];<script>alert(1)</script>\\\n\x1b[31m&\u202e'


def fact(predicate: str, *names: str) -> Atom:
    return Atom(predicate, tuple(map(Constant, names)))


def mixture(name: str = "ann") -> ShownExplanation:
    way = Witness((SourcedFact(fact("likes", name, "bob")), SourcedFact(fact("busy", "bob"), "absent", 0.0)))
    parts = (
        Part("r(X, Y) :- likes(X, Y).", 0.5, 2.0, "path", (way,), 7),
        Part("r(X, bob) :- often", 1.0, 0.25, "path"),
    )
    rival = Rival(fact("r", name, "cy"), 1.5, 0.25, (Difference("r(X, Y) :- likes(X, Y).", 1.0, 1.5),), -0.25)
    undone = Counterfactual("it falls", True, (fact("likes", name, "bob"),), (fact("busy", "bob"),), 0.25, 3, 2, True)
    return ShownExplanation(fact("r", name, "bob"), 1.25, 1, 2, True, parts, (rival,), undone)


def template(name: str = "ann") -> ShownExplanation:
    atom = SourcedFact(fact("p", name), truth=0.75)
    leaf = Step("pred", "P(ann)", 0.75, 0.75, 1.0, (Input(1.0, Step("fact", str(atom), 0.75, 0.75, fact=atom)),))
    absent = Step("not", "not Q(ann)", 1.0, 1.0, None, (Input(None, Step("absent", "Q(ann)", 0.0, 0.0)),))
    root = Step("and", "S(ann)", 0.75, 0.75, 1.0, (Input(1.0, leaf), Input(1.25, absent)))
    part = Part("S(X) :- p(X).", 0.9, None, "rule", (Witness((atom,)),), 1)
    failed = Counterfactual("it falls", False, (fact("p", name),), (), 0.75, 0, 1)
    return ShownExplanation(fact("S", name), 0.75, 0, 1, False, (part,), (), failed, root, 0.5)
