"""A mixture as rules one can read, strongest first."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.mixture import COLUMNS, Mixture
from rulewright.completion.model import CompletionModel
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Constant, Term, Variable

QUERY, ANSWER, SOMETHING = Variable("X"), Variable("Y"), Variable("A")


@dataclass(frozen=True)
class WeightedRule:
    """One base predicate of a mixture as a rule.

    weight      what it adds to the score of an answer for which it is wholly true
    kind        "path", "constant", "frequency", "direct", "answer"; see completion.mixture
    support     facts of the relation for which the body holds, of those that were looked at; None: not counted
    coverage    the share of them
    confidence  of a path: the mean chance that a walk along it from the query ends on the answer
    """

    rule: Rule
    weight: float
    kind: str
    support: int | None = None
    coverage: float | None = None
    confidence: float | None = None

    @property
    def use(self) -> float:
        """What the rule adds to a true answer's score on average, at most: weight times coverage."""
        return self.weight * (self.coverage or 0.0)

    def __str__(self) -> str:
        return f"{self.weight:.3f}  {self.rule}"


def rules_of(model: CompletionModel, relation: int, top: int | None = None) -> list[WeightedRule]:
    """The rules of one directed relation with a weight other than 0: those of most use first, then by weight."""
    mixture = model.mixture(relation)
    found = [*path_rules(model, mixture), *literal_rules(model, mixture), *constant_rules(model, mixture)]
    found.sort(key=lambda rule: (-rule.use, -rule.weight))
    return found[:top]


def path_rules(model: CompletionModel, mixture: Mixture) -> Iterator[WeightedRule]:
    """r(X, Y) :- s1(X, A), s2(A, B), ..."""
    for place in np.flatnonzero(mixture.weights > 0).tolist():
        weight, support = float(mixture.weights[place]), int(mixture.support[place])
        coverage, confidence = support / max(mixture.sampled, 1), float(mixture.confidence[place])
        rule = path_rule(model, mixture.relation, mixture.paths[place])
        yield WeightedRule(rule, weight, "path", support, coverage, confidence)


def path_rule(model: CompletionModel, relation: int, path: NDArray[np.int32]) -> Rule:
    """A path, padded with -1, as a rule."""
    steps = [step for step in path.tolist() if step >= 0]
    stops = [QUERY, *(Variable("ABCDEFGHIJ"[at]) for at in range(len(steps) - 1)), ANSWER]
    body = (atom(model, step, start, end) for step, start, end in zip(steps, stops, stops[1:], strict=False))
    return Rule(atom(model, relation, QUERY, ANSWER), tuple(map(Literal, body)))


def literal_rules(model: CompletionModel, mixture: Mixture) -> Iterator[WeightedRule]:
    """r(X, Y) :- s(X, Y) and r(X, Y) :- s(Y, A), each or its negation.

    A weight below 0 speaks for the negated literal.
    """
    head = atom(model, mixture.relation, QUERY, ANSWER)
    graph = model.graph
    pairs = graph.pairs(mixture.relation) if mixture.direct.size or mixture.answer.size else np.zeros((0, 2), np.int64)
    keys = pairs[:, 0] * graph.entities + pairs[:, 1]
    for kind, weights in (("direct", mixture.direct), ("answer", mixture.answer[:-1])):
        for relation in np.flatnonzero(weights).tolist():
            weight, edges = float(weights[relation]), graph.pairs(relation)
            if kind == "direct":
                literal, holds = (QUERY, ANSWER), np.isin(keys, edges[:, 0] * graph.entities + edges[:, 1])
            else:
                literal, holds = (ANSWER, SOMETHING), np.isin(pairs[:, 1], edges[:, 0])
            support = int((holds != (weight < 0)).sum())
            body = Literal(atom(model, relation, *literal), negated=weight < 0)
            yield WeightedRule(Rule(head, (body,)), abs(weight), kind, support, support / max(len(pairs), 1))


def constant_rules(model: CompletionModel, mixture: Mixture) -> Iterator[WeightedRule]:
    """r(X, c) :- s(X, d), r(c, Y) :- s(Y, d), and r(X, Y) :- r(A, Y), each table's weight times the rule's own."""
    weights = dict(zip(COLUMNS, mixture.columns.tolist(), strict=True))
    names = model.entities.names
    own, inverse = mixture.constants, model.mixture(mixture.relation ^ 1).constants
    for rules, side in ((own, "answer side"), (inverse, "head side")):
        if weights[side] <= 0:
            continue
        facts = np.repeat(rules.facts, np.diff(rules.starts))
        for fact, answer, weight in zip(facts.tolist(), rules.answer.tolist(), rules.weight.tolist(), strict=True):
            relation, other = divmod(fact, len(names))
            constant = Constant(names[int(rules.answers[answer])])
            if side == "answer side":
                head, subject = atom(model, mixture.relation, QUERY, constant), QUERY
            else:
                head, subject = atom(model, mixture.relation, constant, ANSWER), ANSWER
            body = Literal(atom(model, relation, subject, Constant(names[other])))
            yield WeightedRule(Rule(head, (body,)), weights[side] * weight, "constant")
    if weights["seen"] + weights["frequency"] > 0:
        body = Literal(atom(model, mixture.relation, SOMETHING, ANSWER))
        rule = Rule(atom(model, mixture.relation, QUERY, ANSWER), (body,))
        yield WeightedRule(rule, weights["seen"] + weights["frequency"], "frequency")


def atom(model: CompletionModel, relation: int, start: Term, end: Term) -> Atom:
    """A directed relation between two terms, written with the data's own relation: an inverse swaps its arguments."""
    name = model.relations.names[relation >> 1]
    return Atom(name, (end, start) if relation & 1 else (start, end))
