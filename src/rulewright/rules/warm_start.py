"""warm_start(network, rules): begin from rules that a person wrote or another tool mined.

Each rule is laid over the template: one disjunct at every disjunction, one atom of the rule for every leaf on the way.
The leaves' mixtures then start with these predicates at weight 1 and all others near 0; training may move both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from rulewright.errors import OptionError
from rulewright.grounding.plan import Complement, Disjoin, Join, Plan, Project, Union
from rulewright.kb.knowledge_base import INVERSE
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Term, Variable
from rulewright.rules.occurrences import Occurrence, unroll

FAINT = 0.02  # what another predicate keeps at most, so that training can still turn to it
FAINT_TOGETHER = 0.2  # what all others of a leaf keep at most
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}

Choice = dict[int, int]  # leaf step -> member


@dataclass(frozen=True)
class Way:
    """One way through the disjunctions: the leaves it meets, whether each is negated, and the conditions."""

    leaves: tuple[tuple[Occurrence, bool], ...] = ()
    conditions: tuple[Comparison, ...] = ()

    def and_then(self, other: "Way") -> "Way":
        return Way(self.leaves + other.leaves, self.conditions + other.conditions)


def warm_start(network: RuleNetwork, rules: Sequence[Rule]) -> None:
    """Set the leaves' weights so that the network starts out as the rules; OptionError for one that does not fit.

    Where a rule fits more than one way, it takes the one that other rules have taken least.
    """
    plan = network.plan
    chosen: dict[int, set[int]] = {place: set() for place, step in enumerate(plan.steps) if isinstance(step, Union)}
    tree = unroll(plan)
    for rule in rules:
        found = fits_of(rule, tree, plan)
        if not found:
            raise OptionError(
                f"the rule does not fit the template: {rule} Its head, its atoms and its comparisons have to be those "
                f"of the template for some choice of predicates"
            )
        least = min(found, key=lambda fit: sum(bool(chosen[place] - {member}) for place, member in fit.items()))
        for place, member in least.items():
            chosen[place].add(member)
    for place, members in chosen.items():
        step = plan.steps[place]
        assert isinstance(step, Union)
        if step.leaf.operator.fixed and not members:
            continue  # it would never come back from there
        count = len(step.leaf.members)
        weights = torch.full((count,), min(FAINT, FAINT_TOGETHER / count))
        weights[sorted(members)] = 1.0
        network.mixtures()[step.name].start_from(weights)


def fits(rule: Rule, plan: Plan) -> bool:
    """Whether the template that was planned can say a rule."""
    return bool(fits_of(rule, unroll(plan), plan))


def fits_of(rule: Rule, tree: Occurrence, plan: Plan) -> list[Choice]:
    """The choices of predicates that make the template say the rule."""
    return [fit for way in ways(tree, plan) if (fit := fitted(rule, way, plan)) is not None]


def ways(at: Occurrence, plan: Plan, negated: bool = False) -> Iterator[Way]:
    """Every way to make the occurrence true; or false, which takes all of a disjunction and one of a conjunction."""
    match plan.steps[at.place]:
        case Union():
            yield Way(((at, negated),))
        case Project():
            yield from ways(at.inputs[0], plan, negated)
        case Complement():
            yield from ways(at.inputs[0], plan, not negated)
        case Disjoin():
            signs = [negated] * len(at.inputs)
            yield from together(at, signs, plan) if negated else apart(at, signs, plan)
        case Join() as step:
            signs = [negated != (place >= len(step.positives)) for place in range(len(at.inputs))]
            found = apart(at, signs, plan) if negated else together(at, signs, plan)
            yield from (Way((), at.conditions).and_then(way) for way in found)


def apart(at: Occurrence, signs: Sequence[bool], plan: Plan) -> Iterator[Way]:
    """The ways of one input or another."""
    for below, negated in zip(at.inputs, signs, strict=True):
        yield from ways(below, plan, negated)


def together(at: Occurrence, signs: Sequence[bool], plan: Plan, start: int = 0) -> Iterator[Way]:
    """Every combination of the ways of all inputs."""
    if start == len(at.inputs):
        yield Way()
        return
    for first in ways(at.inputs[start], plan, signs[start]):
        for rest in together(at, signs, plan, start + 1):
            yield first.and_then(rest)


def fitted(rule: Rule, way: Way, plan: Plan) -> Choice | None:
    """The members that make the way say the rule, None where it cannot."""
    literals = [part for part in rule.body if isinstance(part, Literal)]
    comparisons = [part for part in rule.body if isinstance(part, Comparison)]
    if len(literals) != len(way.leaves) or len(rule.head.terms) != len(plan.head.terms):
        return None
    names = unified(rule.head.terms, plan.head.terms, {})
    wanted = {written(condition, {}) for condition in way.conditions}

    def assigned(left: Sequence[Literal], free: Way, names: Mapping[Term, Term], choice: Choice) -> Choice | None:
        """Place the first literal on some leaf that it fits, then the others."""
        if not left:
            return choice if {written(c, names) for c in comparisons} == wanted else None
        for place, (leaf, negated) in enumerate(free.leaves):
            rest = Way(free.leaves[:place] + free.leaves[place + 1 :])
            for member, terms in spellings(left[0], leaf, negated, plan):
                agreed = unified(terms, leaf.terms, names)
                if agreed is None or choice.get(leaf.place, member) != member:
                    continue
                found = assigned(left[1:], rest, agreed, {**choice, leaf.place: member})
                if found is not None:
                    return found
        return None

    return None if names is None else assigned(literals, way, names, {})


def spellings(literal: Literal, leaf: Occurrence, negated: bool, plan: Plan) -> Iterator[tuple[int, tuple[Term, ...]]]:
    """The members of a leaf that say the literal, with the terms they say it of: p(X, Y) is also p^-1(Y, X)."""
    step = plan.steps[leaf.place]
    assert isinstance(step, Union)
    name = literal.atom.predicate
    turned = name.removesuffix(INVERSE) if name.endswith(INVERSE) else name + INVERSE
    for place, member in enumerate(step.leaf.members):
        if (member.negated != negated) != literal.negated or len(literal.atom.terms) != step.leaf.arity:
            continue
        if member.predicate == name:
            yield place, literal.atom.terms
        elif member.predicate == turned and step.leaf.arity == 2:
            yield place, literal.atom.terms[::-1]


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


def written(condition: Comparison, names: Mapping[Term, Term]) -> Comparison:
    """A condition under the template's variables, in the one of its two directions that comes first."""
    left, right = (names.get(term, term) for term in (condition.left, condition.right))
    return min(
        Comparison(left, condition.operator, right), Comparison(right, MIRRORED[condition.operator], left), key=str
    )
