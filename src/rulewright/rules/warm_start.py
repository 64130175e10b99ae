"""warm_start(network, rules): begin from rules that a person wrote or another tool mined.

Each rule is laid over the template: one disjunct at every disjunction, one atom of the rule for every leaf on the way.
The leaves' mixtures then start with the weight of these predicates at 1 and of all others near 0; training may move both.
"""

from collections.abc import Iterator, Mapping, Sequence

import torch

from rulewright.errors import OptionError
from rulewright.grounding.plan import Complement, Disjoin, Join, Plan, Project, Union
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Term, Variable
from rulewright.rules.occurrences import Occurrence, unroll

FAINT = 0.02  # what the other predicates keep, so that training can still turn to them

Path = tuple[tuple[Occurrence, bool], ...]  # leaves on the way, and whether each is negated
Choice = dict[int, int]  # leaf step -> member


def warm_start(network: RuleNetwork, rules: Sequence[Rule]) -> None:
    """Set the leaves' weights so that the network starts out as the rules."""
    chosen: dict[int, set[int]] = {}
    paths = list(ways(unroll(network.plan), network.plan))
    for rule in rules:
        fits = (fitted(rule, path, network.plan) for path in paths)
        choice = next((fit for fit in fits if fit is not None), None)
        if choice is None:
            raise OptionError(f"the rule does not fit the template: {rule}")
        for place, member in choice.items():
            chosen.setdefault(place, set()).add(member)
    for place, members in chosen.items():
        step = network.plan.steps[place]
        assert isinstance(step, Union)
        weights = torch.full((len(step.leaf.members),), FAINT)
        weights[list(members)] = 1.0
        network.mixtures()[step.name].start_from(weights)


def ways(at: Occurrence, plan: Plan, negated: bool = False) -> Iterator[Path]:
    """Every way through the disjunctions, as the leaves it meets."""
    match plan.steps[at.place]:
        case Union():
            yield ((at, negated),)
        case Project():
            yield from ways(at.inputs[0], plan, negated)
        case Complement():
            yield from ways(at.inputs[0], plan, not negated)
        case Disjoin():
            for below in at.inputs:
                yield from ways(below, plan, negated)
        case Join() as step:
            yield from together(at, plan, negated, len(step.positives), 0)


def together(at: Occurrence, plan: Plan, negated: bool, positives: int, start: int) -> Iterator[Path]:
    """Every combination of the ways of a conjunction's inputs."""
    if start == len(at.inputs):
        yield ()
        return
    for first in ways(at.inputs[start], plan, negated != (start >= positives)):
        for rest in together(at, plan, negated, positives, start + 1):
            yield first + rest


def fitted(rule: Rule, path: Path, plan: Plan) -> Choice | None:
    """The members that make the path say the rule, None where it cannot."""
    literals = [part for part in rule.body if isinstance(part, Literal)]
    if len(literals) != len(path) or len(rule.head.terms) != len(plan.head.terms):
        return None
    names: dict[Term, Term] = dict(zip(rule.head.terms, plan.head.terms, strict=True))
    return assigned(literals, list(path), names, {}, plan)


def assigned(
    literals: Sequence[Literal], path: list[tuple[Occurrence, bool]], names: Mapping[Term, Term], choice: Choice, plan: Plan
) -> Choice | None:
    """Place the first literal on some leaf it fits, then the others; names maps the rule's variables to the template's."""
    if not literals:
        return choice
    for place, (leaf, negated) in enumerate(path):
        member = member_of(literals[0], leaf, negated, plan)
        agreed = unified(literals[0].atom.terms, leaf.terms, names)
        if member is None or agreed is None or choice.get(leaf.place, member) != member:
            continue
        rest = path[:place] + path[place + 1 :]
        found = assigned(literals[1:], rest, agreed, {**choice, leaf.place: member}, plan)
        if found is not None:
            return found
    return None


def member_of(literal: Literal, leaf: Occurrence, negated: bool, plan: Plan) -> int | None:
    """Which member of the leaf says the literal."""
    step = plan.steps[leaf.place]
    assert isinstance(step, Union)
    for place, member in enumerate(step.leaf.members):
        if member.predicate == literal.atom.predicate and (member.negated != negated) == literal.negated:
            return place
    return None


def unified(terms: Sequence[Term], others: Sequence[Term], names: Mapping[Term, Term]) -> dict[Term, Term] | None:
    """The renaming extended so that the terms become the others; one variable never becomes two, nor two one."""
    agreed = dict(names)
    for term, other in zip(terms, others, strict=True):
        if not isinstance(term, Variable) or not isinstance(other, Variable):
            if term != other:
                return None
        elif agreed.setdefault(term, other) != other:
            return None
    return agreed if len(set(agreed.values())) == len(agreed) else None
