"""A mixture as rules one can read, strongest first."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.model import CompletionModel
from rulewright.completion.rule_table import ANSWER as ANSWERS
from rulewright.completion.rule_table import ANSWER_SIDE, DIRECT, FREQUENCY, HEAD_SIDE, PATH, RuleTable, rule_table
from rulewright.logic.markup import Shown, bar, card, code, note, percent, table
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Constant, Term, Variable

QUERY, ANSWER, SOMETHING = Variable("X"), Variable("Y"), Variable("A")
SHOWN_RULES = 30  # in a notebook; the others are counted
# What a rule of each source is called, in the order of rule_table.SOURCES.
KINDS = ("path", "direct", "answer", "constant", "constant", "frequency")


@dataclass(frozen=True)
class WeightedRule(Shown):
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


class WeightedRules(list[WeightedRule], Shown):
    """Rules in order, one below the other."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        """A card: weights, what is known of each rule's worth, and the rules."""
        listed = self[:SHOWN_RULES]
        left = len(self) - len(listed)
        heaviest = max((rule.weight for rule in listed), default=1.0)
        rows = [
            [
                bar(rule.weight / heaviest),
                f"{rule.weight:.3f}",
                percent(rule.coverage),
                percent(rule.confidence),
                code(rule.rule),
            ]
            for rule in listed
        ]
        head = ["", "weight", "coverage", "confidence", "rule"]
        return card(table(head, rows, 4), note(f"{left:,} more rules" if left else ""))


def figures_of(rule: WeightedRule) -> list[str]:
    """Weight, coverage and confidence as text; nothing where one is not known."""
    return [f"{rule.weight:.3f}", percent(rule.coverage), percent(rule.confidence)]


def rules_of(model: CompletionModel, relation: int, top: int | None = None) -> WeightedRules:
    """The rules of one directed relation with a weight other than 0: those of most use first, then by weight."""
    table = rule_table(model, relation)
    return WeightedRules(rule_at(model, table, row) for row in table.by_use()[:top].tolist())


def rule_at(model: CompletionModel, table: RuleTable, row: int) -> WeightedRule:
    """One row of a relation's table as a rule."""
    support, coverage, confidence = (
        None if np.isnan(figures[row]) else float(figures[row])
        for figures in (table.support, table.coverage, table.confidence)
    )
    return WeightedRule(
        written_rule(model, table, row),
        abs(float(table.weight[row])),
        KINDS[int(table.source[row])],
        None if support is None else int(support),
        coverage,
        confidence,
    )


def written_rule(model: CompletionModel, table: RuleTable, row: int) -> Rule:
    """The rule behind a row, in the data's names."""
    source, relation = int(table.source[row]), table.relation
    first = int(table.relations[row, 0])
    negated = bool(table.weight[row] < 0)
    if source == PATH:
        return path_rule(model, relation, table.relations[row])
    if source in (ANSWER_SIDE, HEAD_SIDE):
        constant, other = (Constant(model.entities.names[entity]) for entity in table.entities[row].tolist())
        if source == ANSWER_SIDE:
            return Rule(atom(model, relation, QUERY, constant), (Literal(atom(model, first, QUERY, other)),))
        return Rule(atom(model, relation, constant, ANSWER), (Literal(atom(model, first, ANSWER, other)),))
    start, end = {DIRECT: (QUERY, ANSWER), ANSWERS: (ANSWER, SOMETHING), FREQUENCY: (SOMETHING, ANSWER)}[source]
    return Rule(atom(model, relation, QUERY, ANSWER), (Literal(atom(model, first, start, end), negated),))


def path_rule(model: CompletionModel, relation: int, path: NDArray[np.int32]) -> Rule:
    """A path, padded with -1, as r(X, Y) :- s1(X, A), s2(A, B), ..."""
    steps = [step for step in path.tolist() if step >= 0]
    stops = [QUERY, *(Variable("ABCDEFGHIJ"[at]) for at in range(len(steps) - 1)), ANSWER]
    body = (atom(model, step, start, end) for step, start, end in zip(steps, stops, stops[1:], strict=False))
    return Rule(atom(model, relation, QUERY, ANSWER), tuple(map(Literal, body)))


def atom(model: CompletionModel, relation: int, start: Term, end: Term) -> Atom:
    """A directed relation between two terms, written with the data's own relation: an inverse swaps its arguments."""
    name = model.relations.names[relation >> 1]
    return Atom(name, (end, start) if relation & 1 else (start, end))
