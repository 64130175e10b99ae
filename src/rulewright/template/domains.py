"""Domains and universes, resolved to predicates of the knowledge base."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from rulewright.kb.knowledge_base import INVERSE
from rulewright.logic.terms import predicate_text
from rulewright.template.bound import BoundLeaf, Member
from rulewright.template.operator_options import LEAF_NORMS, operator_of
from rulewright.template.predicates import Need, Predicates, Report, counted
from rulewright.template.syntax import And, Domain, Formula, Not, Or, Pattern, variables_of


def bound_leaf(
    domain: Domain, arity: int | None, predicates: Predicates, heads: Collection[str], report: Report
) -> BoundLeaf:
    """The choice that a domain declares; `arity` comes from its uses and is None when there are none.

    What a member names is always a predicate of the knowledge base, even when a clause has the same name.
    """
    name = predicate_text(domain.name)
    need = Need(arity, f"{name} is used with {counted(arity or 0, 'argument')}" if arity else f"{name} is not used")
    members = members_of(domain, need, predicates, heads, report)
    universe = predicate_names(domain.universe, need, predicates, "over", report)
    if domain.universe and not any(pattern.negated for pattern in domain.patterns):
        report(f"over is for negated members, and {name} has none", domain.universe[0].place)
    operator = operator_of(domain.options, LEAF_NORMS, "a domain", report)
    return BoundLeaf(domain.name, arity or 0, members, universe, operator)


def members_of(
    domain: Domain, need: Need, predicates: Predicates, heads: Collection[str], report: Report
) -> tuple[Member, ...]:
    """The members of a domain, each once, in the order of the text."""
    # The labelled predicate is often kept apart from the facts, so `except` may name a head that has no facts.
    absent = [p for p in domain.excluded if p.name.removesuffix(INVERSE) in heads and predicates.arity(p.name) is None]
    excluded = predicate_names([p for p in domain.excluded if p not in absent], need, predicates, "except", report)
    found = predicates.matching(domain.patterns, need, report)
    members = tuple(dict.fromkeys(Member(name, pattern.negated) for pattern, name in found if name not in excluded))
    if found and not members:
        report(f"except leaves no member for {predicate_text(domain.name)}", domain.place)
    return members


def predicate_names(
    patterns: Sequence[Pattern], need: Need, predicates: Predicates, word: str, report: Report
) -> tuple[str, ...]:
    """What `over` or `except` names, each predicate once."""
    for pattern in patterns:
        if pattern.negated:
            report(f"after {word} come plain names and globs; not cannot stand there", pattern.place)
    return tuple(dict.fromkeys(name for _, name in predicates.matching(patterns, need, report)))


def with_universes(formula: Formula, predicates: Predicates, report: Report) -> Formula:
    """The formula with the predicates of every declared universe by their exact names."""
    match formula:
        case Not(child, universe):
            variables = variables_of(child)
            listed = f" ({', '.join(map(str, variables))})" if variables else ""
            need = Need(len(variables), f"the negated formula has {counted(len(variables), 'variable')}{listed}")
            names = predicate_names(universe, need, predicates, "over", report)
            exact = tuple(Pattern(name, exact=True) for name in names)
            return replace(formula, child=with_universes(child, predicates, report), universe=exact)
        case And(children):
            return And(tuple(with_universes(child, predicates, report) for child in children))
        case Or(children):
            return Or(tuple(with_universes(child, predicates, report) for child in children))
        case _:
            return formula
