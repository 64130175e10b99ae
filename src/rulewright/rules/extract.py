"""extract(network): the rules that a trained network stands for.

The Boolean reading is exact where it can be: every operator is monotone and a dropped variable takes the best assignment,
so the output passes the threshold exactly when some smallest set of true (and, under negation, false) atoms makes it pass.
Each such set, with its variables, is one rule. The sets are found bottom up: every node yields its alternatives, each a
body and the value the node has when just that body holds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

import torch
from torch import Tensor

from rulewright.grounding.plan import Complement, Disjoin, Join, Project, Union
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Term, Variable
from rulewright.rules.occurrences import Occurrence, unroll
from rulewright.rules.tree import network_tree
from rulewright.template.bound import Member

TOGETHER = 12  # a mixture's strongest predicates of which pairs and triples are tried where one alone is too weak
COMBINATIONS = 20_000  # of one node's inputs, strongest first
NEGLIGIBLE = 0.02  # a disjunct below this value counts as absent

Body = frozenset[Literal | Comparison]


@dataclass(frozen=True)
class Alternative:
    """A body, and the value of a node when just this body holds."""

    value: float
    body: Body


def extract(network: RuleNetwork, threshold: float = 0.5, most: int = 100) -> Program:
    """The network as a program of at most `most` rules, strongest first."""
    network.eval()
    root = unroll(network.plan)
    reader = Reader(network, threshold)
    with torch.no_grad():
        rules = [LearnedRule(Rule(network.plan.head, written(a.body)), a.value) for a in reader.sufficient(root)]
        tree = network_tree(network, root)
    complete = len(rules) <= most and not reader.cut
    return Program(network.plan.head, tuple(rules[:most]), tree, threshold, tuple(reader.auxiliaries), complete)


class Reader:
    """Collects the alternatives of every occurrence; `auxiliaries` are the rules of negated sub-formulas.

    `need` is the least value that can still lift the output over the threshold while everything beside is at its best;
    weaker alternatives are dropped on the way, which keeps the lists short in a network that has made up its mind.
    """

    def __init__(self, network: RuleNetwork, threshold: float) -> None:
        self.network, self.threshold = network, threshold
        self.auxiliaries: list[Rule] = []
        self.cut = False

    def sufficient(self, at: Occurrence) -> list[Alternative]:
        """The smallest bodies with which the occurrence passes the threshold."""
        return smallest([a for a in self.alternatives(at, self.threshold) if a.value >= self.threshold], by_value=False)

    def alternatives(self, at: Occurrence, need: float) -> list[Alternative]:
        step = self.network.plan.steps[at.place]
        match step:
            case Union():
                return self.choices(at, need)
            case Project():
                return self.alternatives(at.inputs[0], need)
            case Join():
                needs = self.needs(at, need)
                count = len(step.positives)
                positives = [self.alternatives(below, n) for below, n in zip(at.inputs[:count], needs, strict=False)]
                negatives = [self.denials(below, n) for below, n in zip(at.inputs[count:], needs[count:], strict=True)]
                return self.combined(at, [*positives, *negatives], frozenset(at.conditions), need)
            case Disjoin():
                inputs = []
                for below, least in zip(at.inputs, self.needs(at, need), strict=True):
                    found = self.alternatives(below, max(least, NEGLIGIBLE))
                    inputs.append([Alternative(0.0, frozenset()), *found])
                return self.combined(at, inputs, frozenset(), need)
            case Complement():
                return self.denials(at.inputs[0], need)

    def best(self, at: Occurrence) -> float:
        """The occurrence's value when everything speaks for it."""
        step = self.network.plan.steps[at.place]
        match step:
            case Union():
                _, weights, settle = self.mixture(at)
                return float(settle(torch.tensor(sum(weights))))
            case Project():
                return self.best(at.inputs[0])
            case Complement():
                return 1.0
            case Join():
                count = len(step.positives)
                values = [self.best(below) if i < count else 1.0 for i, below in enumerate(at.inputs)]
                return self.operated(at, torch.tensor([values])).item()
            case Disjoin():
                return self.operated(at, torch.tensor([[self.best(below) for below in at.inputs]])).item()

    def needs(self, at: Occurrence, need: float) -> list[float]:
        """For each input the least value with which the node can reach `need`, the other inputs at their best."""
        step = self.network.plan.steps[at.place]
        count = len(step.positives) if isinstance(step, Join) else len(at.inputs)
        best = torch.tensor([self.best(below) if i < count else 1.0 for i, below in enumerate(at.inputs)])
        grid = torch.linspace(0, 1, 1025)
        least = []
        for place in range(len(at.inputs)):
            trials = best.repeat(len(grid), 1)
            trials[:, place] = grid
            reached = torch.nonzero(self.operated(at, trials) >= need - 1e-6)
            least.append(float(grid[max(int(reached[0]) - 1, 0)]) if len(reached) else 2.0)
        return least

    def operated(self, at: Occurrence, values: Tensor) -> Tensor:
        """The node's operator on rows of input values."""
        operator = self.network.operator(at.place)
        results: Tensor = values[:, 0] if operator is None else operator(values)
        return results

    def combined(
        self, at: Occurrence, inputs: list[list[Alternative]], conditions: Body, need: float
    ) -> list[Alternative]:
        """One alternative of each input, joined by the node's operator."""
        while math.prod(map(len, inputs)) > COMBINATIONS:
            self.cut = True
            longest = max(inputs, key=len)
            inputs = [kept[: max(len(kept) // 2, 1)] if kept is longest else kept for kept in inputs]
        chosen = list(product(*inputs))
        if not chosen:
            return []
        values = self.operated(at, torch.tensor([[a.value for a in choice] for choice in chosen]))
        bodies = [conditions.union(*(a.body for a in choice)) for choice in chosen]
        return smallest([Alternative(v, b) for v, b in zip(values.tolist(), bodies, strict=True) if v >= need - 1e-6])

    def choices(self, at: Occurrence, need: float) -> list[Alternative]:
        """A mixture's alternatives: predicates that reach the need alone, and small sets that reach it together."""
        leaf, weights, settle = self.mixture(at)
        alone = settle(torch.tensor(weights)).tolist()
        sets = [(member,) for member in range(len(leaf)) if alone[member] >= need]
        weak = [member for member in range(len(leaf)) if alone[member] < need and weights[member] > 0]
        strongest = sorted(weak, key=lambda member: -weights[member])[:TOGETHER]
        sets += [*combinations(strongest, 2), *combinations(strongest, 3)]
        if not sets:
            return []
        totals = settle(torch.tensor([sum(weights[member] for member in members) for members in sets]))
        return smallest(
            [
                Alternative(value, frozenset(literal(leaf[member], at.terms) for member in members))
                for members, value in zip(sets, totals.tolist(), strict=True)
                if value >= need
            ]
        )

    def denials(self, at: Occurrence, need: float) -> list[Alternative]:
        """The alternatives of a negated occurrence: its heaviest predicates must be false."""
        step = self.network.plan.steps[at.place]
        if isinstance(step, Project) and tuple(step.input.terms) == step.variables:
            return self.denials(at.inputs[0], need)
        if not isinstance(step, Union):
            return [self.auxiliary(at)]
        leaf, weights, settle = self.mixture(at)
        ranked = sorted(range(len(leaf)), key=lambda member: -weights[member])
        falsified = range(len(ranked) + 1)
        totals = settle(torch.tensor([float(sum(weights[member] for member in ranked[count:])) for count in falsified]))
        return smallest(
            [
                Alternative(1 - value, frozenset(literal(leaf[member], at.terms, deny=True) for member in ranked[:count]))
                for count, value in zip(falsified, totals.tolist(), strict=True)
                if 1 - value >= need
            ]
        )

    def auxiliary(self, at: Occurrence) -> Alternative:
        """A negated sub-formula as a predicate of its own, defined by rules at the program's threshold."""
        variables = tuple(dict.fromkeys(term for term in at.terms if isinstance(term, Variable)))
        step = self.network.plan.steps[at.place]
        head = Atom(f"{step.name} holds", variables)
        for found in self.sufficient(at):
            self.auxiliaries.append(Rule(head, written(found.body)))
        if not any(rule.head == head for rule in self.auxiliaries):
            return Alternative(1.0, frozenset())
        return Alternative(1.0, frozenset([Literal(head, negated=True)]))

    def mixture(self, at: Occurrence) -> tuple[tuple[Member, ...], list[float], Callable[[Tensor], Tensor]]:
        step = self.network.plan.steps[at.place]
        assert isinstance(step, Union)
        operator = self.network.mixtures()[step.name]
        return step.leaf.members, operator.weights.tolist(), operator.settle


def smallest(found: list[Alternative], by_value: bool = True) -> list[Alternative]:
    """Alternatives without those that ask for more than another one and, `by_value`, give no more; strongest first."""
    best: dict[Body, float] = {}
    for a in found:
        best[a.body] = max(a.value, best.get(a.body, a.value))
    chosen: list[Alternative] = []
    for body, value in sorted(best.items(), key=lambda entry: len(entry[0])):
        if not any(other.body <= body and (not by_value or value <= other.value) for other in chosen):
            chosen.append(Alternative(value, body))
    return sorted(chosen, key=lambda a: (-round(a.value, 6), len(a.body), sorted(map(str, a.body))))


def literal(member: Member, terms: tuple[Term, ...], deny: bool = False) -> Literal:
    """A member of a leaf as a literal; denied, it must not hold."""
    return Literal(Atom(member.predicate, terms), negated=member.negated != deny)


def written(body: Body) -> tuple[Literal | Comparison, ...]:
    """A body in reading order: atoms by their variables, then negations, then comparisons."""

    def order(part: Literal | Comparison) -> tuple[int, str]:
        if isinstance(part, Comparison):
            return (2, str(part))
        return (int(part.negated), " ".join(map(str, part.atom.terms)) + str(part))

    return tuple(sorted(body, key=order))
