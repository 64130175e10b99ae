"""ground(plan, kb): every fact that can arise at every step, with its lineage. Exact, and integers only."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import EmptyGroundingError, GroundingTooLargeError
from rulewright.grounding.join import join
from rulewright.grounding.lineage import Aligned, Groups, Grounding, Lineage, Memberships
from rulewright.grounding.plan import Complement, Disjoin, Join, Plan, Project, Union, View, inputs_of
from rulewright.grounding.tables import Ids, Rows, find, group, product, sorted_unique
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.terms import Constant, Variable


@dataclass(frozen=True)
class GroundingLimits:
    """How large a grounding may grow.

    rows    the most rows that one join, union or universe may have. Each costs about 8 bytes per column and input; the
            default of 100 million is a few gigabytes. Counted before anything is built.
    """

    rows: int = 100_000_000

    def check(self, where: str, rows: int) -> None:
        if rows > self.rows:
            raise GroundingTooLargeError(where, rows, self.rows)


@dataclass(frozen=True)
class Input:
    """A view with its facts: the columns are the view's variables, `rows` their rows in the step."""

    variables: tuple[Variable, ...]
    facts: Ids
    rows: Rows


def ground(
    plan: Plan, kb: KnowledgeBase, limits: GroundingLimits | None = None, heads: Ids | None = None, allow_empty: bool = False
) -> Grounding:
    """The grounding of a plan over a knowledge base.

    `heads` restricts the root to given facts (rows of constant ids), and every join on the way to it likewise, so that a
    batch costs what its own lineage costs. Without it, a root that no fact can reach is an error unless `allow_empty`.
    """
    grounder = Grounder(plan, kb, limits or GroundingLimits(), demands(plan, heads))
    for place in range(len(plan.steps)):
        grounder.ground(place)
    if not len(grounder.facts[-1]) and heads is None and not allow_empty:
        raise EmptyGroundingError(str(plan.head), grounder.why_empty())
    return Grounding(plan, tuple(grounder.facts), tuple(grounder.lineage))


class Grounder:
    """Grounds the steps one after the other; each reads the facts of those before it."""

    def __init__(self, plan: Plan, kb: KnowledgeBase, limits: GroundingLimits, demanded: Mapping[int, Ids]) -> None:
        self.plan, self.kb, self.limits, self.demanded = plan, kb, limits, demanded
        self.facts: list[Ids] = []
        self.lineage: list[Lineage] = []

    def ground(self, place: int) -> None:
        step = self.plan.steps[place]
        match step:
            case Union():
                facts, lineage = self.union(step)
            case Join():
                facts, lineage = self.join(step, self.demanded.get(place))
            case Project():
                facts, lineage = self.project(step)
            case Disjoin():
                facts, lineage = self.disjoin(step)
            case Complement():
                facts, lineage = self.complement(step)
        demanded = self.demanded.get(place)
        if demanded is not None and not isinstance(step, Join):  # a join has used it from the start
            keep = np.flatnonzero(find(facts, demanded) >= 0)
            facts, lineage = facts[keep], lineage.take(keep)
        self.facts.append(facts)
        self.lineage.append(lineage)

    def union(self, step: Union) -> tuple[Ids, Lineage]:
        leaf = step.leaf
        tables = [self.kb[member.predicate] for member in leaf.members]
        universe = self.leaf_universe(step) if any(member.negated for member in leaf.members) else None
        positive = [t.facts for t, m in zip(tables, leaf.members, strict=True) if not m.negated]
        everything = np.concatenate(positive + ([] if universe is None else [universe]))
        self.limits.check(f"union of {leaf.name}", len(everything))
        facts, _, _ = group(everything)
        entries: list[tuple[Rows, int, NDArray[np.float32]]] = []
        for member, (sign, table) in enumerate(zip(leaf.members, tables, strict=True)):
            rows = find(table.facts, facts)
            if sign.negated:
                entries.append((*absent(rows, table.truths, find(facts, universe) >= 0, member),))
            else:
                entries.append((rows, member, table.truths))
        return facts, memberships(entries, len(facts))

    def leaf_universe(self, step: Union) -> Ids:
        leaf = step.leaf
        return self.universe(leaf.universe, [self.kb[member.predicate].facts for member in leaf.members], leaf.name)

    def universe(self, names: tuple[str, ...], tables: list[Ids], where: str) -> Ids:
        """Declared: the facts of the named predicates. Inferred: all combinations of what each position has."""
        if names:
            return group(np.concatenate([self.kb[name].facts for name in names]))[0]
        columns = [sorted_unique(np.concatenate([t[:, c] for t in tables])) for c in range(tables[0].shape[1])]
        self.limits.check(f"universe of {where}", int(np.prod([float(len(column)) for column in columns])))
        return product(columns)

    def join(self, step: Join, demanded: Ids | None) -> tuple[Ids, Lineage]:
        inputs = [self.input(view) for view in step.positives]
        facts, rows = join(step, inputs, self.kb.constants, self.limits.check, demanded)
        chosen = [source.rows[at] for source, at in zip(inputs, rows, strict=True)]
        places = {variable: column for column, variable in enumerate(step.variables)}
        for view in step.negatives:
            negated = self.input(view)
            found = find(facts[:, [places[v] for v in negated.variables]], negated.facts)
            chosen.append(np.where(found < 0, -1, negated.rows[found] if len(negated.rows) else -1))
        return facts, Aligned(np.stack(chosen) if chosen else np.empty((0, len(facts)), dtype=np.int64))

    def project(self, step: Project) -> tuple[Ids, Lineage]:
        source = self.input(step.input)
        columns = [source.variables.index(variable) for variable in step.variables]
        facts, offsets, rows = group(source.facts[:, columns])
        return facts, Groups(offsets, source.rows[rows])

    def disjoin(self, step: Disjoin) -> tuple[Ids, Lineage]:
        inputs = [self.input(view) for view in step.inputs]
        tables = [source.facts[:, [source.variables.index(v) for v in step.variables]] for source in inputs]
        facts, _, _ = group(np.concatenate(tables))
        rows = np.full((len(inputs), len(facts)), -1, dtype=np.int64)
        for line, source, table in zip(rows, inputs, tables, strict=True):
            line[find(table, facts)] = source.rows
        return facts, Aligned(rows)

    def complement(self, step: Complement) -> tuple[Ids, Lineage]:
        source = self.input(step.input)
        tables = [source.facts]
        below = self.plan.steps[step.input.step]
        if isinstance(below, Union) and step.input.terms == step.variables:
            tables = [self.kb[member.predicate].facts for member in below.leaf.members]
        facts = self.universe(step.universe, tables, step.name)
        found = find(facts, source.facts)
        return facts, Aligned(np.where(found < 0, -1, source.rows[found] if len(source.rows) else -1)[None, :])

    def input(self, view: View) -> Input:
        """The facts of a step as a view sees them: constants and repeated variables select, columns take their names."""
        facts = self.facts[view.step]
        keep = np.ones(len(facts), dtype=bool)
        first: dict[Variable, int] = {}
        for column, term in enumerate(view.terms):
            if isinstance(term, Constant):
                id = self.kb.constants.id(term.name)
                keep &= facts[:, column] == (-1 if id is None else id)
            elif term in first:
                keep &= facts[:, column] == facts[:, first[term]]
            else:
                first[term] = column
        rows = np.arange(len(facts)) if keep.all() else np.flatnonzero(keep)
        return Input(tuple(first), facts[np.ix_(rows, list(first.values()))], rows)

    def why_empty(self) -> str:
        """The first step without facts although its inputs have some."""
        for step, facts in zip(self.plan.steps, self.facts, strict=True):
            if not len(facts) and all(len(self.facts[view.step]) for view in inputs_of(step)):
                return f"{step.name} has no facts"
        return ""


def demands(plan: Plan, heads: Ids | None) -> dict[int, Ids]:
    """Which facts each step is asked for when only some heads are wanted.

    The wish goes down from the root through disjunctions and projections as long as a step serves one parent alone and
    keeps the head's columns. A join under a projection is asked for the heads in its leading columns.
    """
    if heads is None:
        return {}
    last = len(plan.steps) - 1
    wanted = {last: heads}
    uses = [view.step for step in plan.steps for view in inputs_of(step)]
    for place in range(last, -1, -1):
        step = plan.steps[place]
        if place not in wanted or not isinstance(step, Project | Disjoin):
            continue
        for view in inputs_of(step):
            below = plan.steps[view.step]
            leading = tuple(view.terms[: len(step.variables)]) == step.variables
            fitting = len(view.terms) == len(step.variables) or isinstance(below, Join)
            if uses.count(view.step) == 1 and leading and fitting and not isinstance(below, Union | Complement):
                wanted[view.step] = wanted[place]
    return wanted


def absent(
    rows: Rows, truths: NDArray[np.float32], inside: NDArray[np.bool_], member: int
) -> tuple[Rows, int, NDArray[np.float32]]:
    """A negated member's entries: 1 - truth at every fact inside the universe, left out where that is 0."""
    negation = inside.astype(np.float32)
    known = rows >= 0
    negation[rows[known]] = np.where(inside[rows[known]], 1 - truths[known], 0)
    at = np.flatnonzero(negation)
    return at, member, negation[at]


def memberships(entries: list[tuple[Rows, int, NDArray[np.float32]]], size: int) -> Memberships:
    """Compressed rows from (fact rows, member, truth) triples."""
    rows = np.concatenate([at for at, _, _ in entries])
    members = np.concatenate([np.full(len(at), member, dtype=np.int64) for at, member, _ in entries])
    truth = np.concatenate([value for _, _, value in entries])
    order = np.argsort(rows, kind="stable")
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.bincount(rows, minlength=size))])
    return Memberships(offsets, members[order], truth[order])


