"""extract(network): the rules that a trained network stands for.

Every operator is monotone and a dropped variable takes the best assignment, so the output passes the threshold exactly
when some smallest set of true (and, under negation, false) atoms makes it pass. Each such set, with its variables, is
one rule. The sets are found bottom up: every node yields its alternatives, each a body and the value that the node has
when just this body holds.

The text then accepts exactly the facts that the network accepts, on every knowledge base, provided that

    the facts are crisp     truths strictly between 0 and 1 are read as 1 from 0.5 on and as 0 below
    the lists are complete  `Program.complete` says so; a network that has not made up its mind may have too many sets
    universes can be said   that of a negated sub-formula (other than a leaf), where it is not declared with `over`, is
                            inferred anew from the text

and except for facts whose truth is within rounding error of the threshold. Where one of these fails the text comes
near; how near is measured, see `measure.py`.
"""

import math

import torch
from torch import Tensor

from rulewright.grounding.plan import Complement, Disjoin, Join, Project, Union
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom
from rulewright.rules.alternatives import NEARLY, Alternative, Body, smallest, strongest, written
from rulewright.rules.auxiliaries import Auxiliaries
from rulewright.rules.choices import joint_choices
from rulewright.rules.occurrences import Occurrence, unroll, unroll_step
from rulewright.rules.tree import network_tree

MOST_SETS = 1_000  # of one leaf's predicates
MOST_COMBINATIONS = 200_000  # of one node's inputs
MOST_ALTERNATIVES = 1_000  # of one node
SLIGHT = 0.02  # leaf weights and disjuncts below this count as 0 where exact lists would become too long


def extract(network: RuleNetwork, threshold: float = 0.5, most: int = 100) -> Program:
    """The network as a program of at most `most` rules, strongest first."""
    network.eval()
    with torch.no_grad():
        root = unroll(network.plan)
        reader = Reader(network, 0.0)
        rules = reader.rules(root, threshold)
        if reader.cut:
            reader = Reader(network, SLIGHT)
            rules = reader.rules(root, threshold)
        tree = network_tree(network, root)
    shown = rules[:most]
    return Program(
        network.plan.head,
        tuple(LearnedRule(Rule(network.plan.head, written(a.body, network.plan.head)), a.value) for a in shown),
        tree,
        threshold,
        reader.auxiliaries.used_by([a.body for a in shown]),
        complete=len(shown) == len(rules) and not reader.cut,
    )


class Reader:
    """Collects the alternatives of every occurrence.

    `need` is the least value that can still lift the output over the threshold while everything beside is at its best;
    weaker alternatives are dropped on the way, which keeps the lists short in a network that has made up its mind.
    """

    def __init__(self, network: RuleNetwork, slight: float) -> None:
        self.network, self.slight = network, slight
        self.auxiliaries = Auxiliaries(network.plan, self.everything)
        self.shortened = False

    @property
    def cut(self) -> bool:
        """Whether a list became too long and lost its weakest entries."""
        return self.shortened or self.auxiliaries.cut

    def rules(self, root: Occurrence, threshold: float) -> list[Alternative]:
        """The smallest bodies with which the root passes the threshold."""
        found = [a for a in self.alternatives(root, threshold) if a.value >= threshold]
        found = smallest(found, by_value=False)
        return smallest(
            (Alternative(a.value, body) for a in found for body in self.auxiliaries.spelt(a.body)), by_value=False
        )

    def everything(self, place: int) -> list[Alternative]:
        """The alternatives of a step by itself, down to the faintest."""
        return self.alternatives(unroll_step(self.network.plan, place), max(self.slight, NEARLY))

    def alternatives(self, at: Occurrence, need: float) -> list[Alternative]:
        """The bodies that give the occurrence at least the value `need`."""
        step = self.network.plan.steps[at.place]
        match step:
            case Union():
                return self.choices(at, need)
            case Project():
                return self.alternatives(at.inputs[0], need)
            case Complement():
                universe = frozenset(self.auxiliaries.universe(at))
                denials = self.auxiliaries.denials(at.inputs[0])
                return [Alternative(a.value, a.body | universe) for a in denials if a.value >= need - NEARLY]
            case Join():
                count = len(step.positives)
                needs = self.needs(at, need)
                positives = [self.alternatives(below, n) for below, n in zip(at.inputs[:count], needs, strict=False)]
                negatives = [self.auxiliaries.denials(below) for below in at.inputs[count:]]
                return self.combined(at, [*positives, *negatives], frozenset(at.conditions), need)
            case Disjoin():
                inputs = []
                for below, least in zip(at.inputs, self.needs(at, need), strict=True):
                    found = self.alternatives(below, max(least, self.slight, NEARLY))
                    inputs.append([*found, Alternative(0.0, Body())])  # absent, or as good as
                return [a for a in self.combined(at, inputs, Body(), need) if a.body]

    def best(self, at: Occurrence) -> float:
        """The occurrence's value when everything speaks for it."""
        step = self.network.plan.steps[at.place]
        match step:
            case Union():
                mixture = self.network.mixtures()[step.name]
                return float(mixture.settle(mixture.weights.sum()))
            case Project():
                return self.best(at.inputs[0])
            case Complement():
                return 1.0
            case Join() | Disjoin():
                return self.operated(at, torch.tensor([self.best_inputs(at)])).item()

    def best_inputs(self, at: Occurrence) -> list[float]:
        """The values of a node's inputs when everything speaks for it: negated ones are false."""
        step = self.network.plan.steps[at.place]
        count = len(step.positives) if isinstance(step, Join) else len(at.inputs)
        return [self.best(below) for below in at.inputs[:count]] + [1.0] * (len(at.inputs) - count)

    def needs(self, at: Occurrence, need: float) -> list[float]:
        """For each input the least value with which the node can reach `need`, the other inputs at their best."""
        best = torch.tensor(self.best_inputs(at))
        grid = torch.linspace(0, 1, 1025)
        least = []
        for place in range(len(at.inputs)):
            trials = best.repeat(len(grid), 1)
            trials[:, place] = grid
            reached = torch.nonzero(self.operated(at, trials) >= need - NEARLY)
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
        while math.prod(map(len, inputs)) > MOST_COMBINATIONS:
            self.shortened = True
            longest = max(inputs, key=len)
            inputs = [strongest(found, len(found) // 2) if found is longest else found for found in inputs]
        if not all(inputs):
            return []
        places = torch.cartesian_prod(*(torch.arange(len(found)) for found in inputs)).reshape(-1, len(inputs))
        columns = [torch.tensor([a.value for a in found])[places[:, at]] for at, found in enumerate(inputs)]
        values = self.operated(at, torch.stack(columns, dim=1))
        enough = torch.nonzero(values >= need - NEARLY)[:, 0]
        if len(enough) > MOST_ALTERNATIVES:
            self.shortened = True
            enough = enough[values[enough].argsort(descending=True, stable=True)[:MOST_ALTERNATIVES]]
        return smallest(
            Alternative(value, conditions.union(*(found[place].body for found, place in zip(inputs, row, strict=True))))
            for value, row in zip(values[enough].tolist(), places[enough].tolist(), strict=True)
        )

    def choices(self, at: Occurrence, need: float) -> list[Alternative]:
        """A leaf's alternatives: sets of its predicates, and the value that they have together."""
        step = self.network.plan.steps[at.place]
        assert isinstance(step, Union)
        mixture = self.network.mixtures()[step.name]
        weights = [weight if weight > self.slight else 0.0 for weight in mixture.weights.tolist()]
        joint, complete = joint_choices(weights, mixture.settle, need, MOST_SETS)
        self.shortened |= not complete
        # A fact of the leaf exists where one of its predicates holds, be its weight 0, and in a negation's universe.
        negated = {place for place, member in enumerate(step.leaf.members) if member.negated}
        sets = [*([()] if negated else []), *((place,) for place in range(len(weights))), *joint]
        values = mixture.settle(torch.tensor([sum(weights[place] for place in members) for members in sets])).tolist()
        universe = self.auxiliaries.universe(at) if negated else []
        found = []
        for members, value in zip(sets, values, strict=True):
            if value >= need - NEARLY:
                chosen = [step.leaf.members[place] for place in members]
                body = [Literal(Atom(member.predicate, at.terms), member.negated) for member in chosen]
                within = universe if not members or negated.intersection(members) else []
                found.append(Alternative(value, frozenset([*body, *within])))
        return smallest(found)
