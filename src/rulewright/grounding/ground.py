"""ground(plan, kb): every fact that can arise at every step, with its lineage. Exact, and integers only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import EmptyGroundingError, GroundingTooLargeError
from rulewright.grounding.demand import Demand, demands
from rulewright.grounding.join import join
from rulewright.grounding.leaves import Leaves
from rulewright.grounding.lineage import Aligned, Grounding, Groups, Lineage, Memberships
from rulewright.grounding.plan import Complement, Disjoin, Join, Plan, Project, Step, Union, View, inputs_of
from rulewright.grounding.tables import Ids, Matches, Rows, find, group, match, picked, places, product, sorted_unique
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.terms import Constant, Variable
from rulewright.template.bound import BoundLeaf

# A row of a join with a few columns and inputs, the copies made on the way, and what other steps keep meanwhile.
BYTES_PER_ROW = 256


@dataclass(frozen=True)
class GroundingLimits:
    """How large a grounding may grow.

    rows    the most rows that one join, union or universe may have. Each costs about 8 bytes per column and input; the
            default of 100 million is a few gigabytes. Counted before anything is built. Rows on the way to a join that
            ends smaller may be up to 20 times as many: they are made in slices.
    """

    rows: int = 100_000_000

    @staticmethod
    def within(memory: int) -> "GroundingLimits":
        """Limits that suit so many bytes of free memory."""
        return GroundingLimits(max(memory // BYTES_PER_ROW, 1))

    def check(self, where: str, rows: int) -> None:
        if rows > self.rows:
            raise GroundingTooLargeError(where, rows, self.rows)


@dataclass(frozen=True)
class Input:
    """A view with its facts: the columns are the view's variables, `rows` their rows in the step."""

    name: str
    variables: tuple[Variable, ...]
    facts: Ids
    rows: Rows
    leaves: Leaves | None = None  # where the facts are a whole leaf that is kept

    def matches(self, left: Ids, columns: Sequence[int]) -> Matches:
        """Which facts agree in some columns with the rows of another table."""
        if self.leaves is not None:
            return self.leaves.index(self.facts, tuple(columns)).match(left)
        return match(left, self.facts[:, list(columns)])


def ground(
    plan: Plan,
    kb: KnowledgeBase,
    limits: GroundingLimits | None = None,
    heads: Ids | None = None,
    allow_empty: bool = False,
    leaves: Leaves | None = None,
) -> Grounding:
    """The grounding of a plan over a knowledge base.

    `heads` restricts the root to given facts (rows of constant ids), and every step on the way to it likewise as far as
    `demand` says, so that a batch costs what the joins around it cost. Without it, a root that no fact can reach is an
    error unless `allow_empty`. `leaves` keeps what many batches over one knowledge base have in common.
    """
    grounder = Grounder(plan, kb, limits or GroundingLimits(), demands(plan, heads), leaves)
    for place in range(len(plan.steps)):
        grounder.ground(place)
    if not len(grounder.facts[-1]) and heads is None and not allow_empty:
        raise EmptyGroundingError(str(plan.head), why_empty(plan, grounder.facts))
    whole = Grounding(plan, tuple(grounder.facts), tuple(grounder.lineage))
    return whole if leaves is None else whole.take(np.arange(len(whole)))  # kept leaves are whole; a batch needs less


class Grounder:
    """Grounds the steps one after the other; each reads the facts of those before it."""

    def __init__(
        self,
        plan: Plan,
        kb: KnowledgeBase,
        limits: GroundingLimits,
        demanded: Mapping[int, Demand],
        leaves: Leaves | None = None,
    ) -> None:
        self.plan, self.kb, self.limits, self.demanded, self.leaves = plan, kb, limits, demanded, leaves
        self.own_leaves = Leaves()
        self.facts: list[Ids] = []
        self.lineage: list[Lineage] = []

    def ground(self, place: int) -> None:
        step = self.plan.steps[place]
        match step:
            case Union():
                facts, lineage = self.leaf(step)
            case Join():
                facts, lineage = self.join(step, self.demanded.get(place))
            case Project():
                facts, lineage = self.project(step)
            case Disjoin():
                facts, lineage = self.disjoin(step)
            case Complement():
                facts, lineage = self.complement(step)
        demanded = self.demanded.get(place)
        used = isinstance(step, Join) or (isinstance(step, Union) and self.leaves is not None)
        if demanded is not None and not used:  # a join has used it from the start, a kept leaf stays whole
            keep = demanded.met_by(facts)
            facts, lineage = picked(facts, keep), lineage.take(keep)
        self.facts.append(facts)
        self.lineage.append(lineage)

    def leaf(self, step: Union) -> tuple[Ids, Lineage]:
        """A leaf's facts; leaves that choose among the same predicates are united once."""
        return (self.leaves or self.own_leaves).leaf(step.leaf, lambda: self.union(step))

    def union(self, step: Union) -> tuple[Ids, Lineage]:
        leaf = step.leaf
        members = [(member, self.kb[member.predicate]) for member in leaf.members]
        universe = self.leaf_universe(leaf) if any(member.negated for member in leaf.members) else None
        parts = [np.empty((0, leaf.arity), dtype=np.int64) if m.negated else t.facts for m, t in members]
        parts += [] if universe is None else [universe]
        self.limits.check(f"the union of {leaf.name}", sum(map(len, parts)))
        everything = np.concatenate(parts)
        facts, offsets, order = group(everything)
        fact_of = np.split(places(offsets, order), np.cumsum([len(part) for part in parts[:-1]]))
        entries: list[tuple[Rows, int, NDArray[np.float32]]] = []
        for number, ((member, table), rows) in enumerate(zip(members, fact_of, strict=False)):
            if member.negated:
                entries.append(absent(find(table.facts, facts), table.truths, fact_of[-1], len(facts), number))
            else:
                entries.append((rows, number, table.truths))
        return facts, memberships(entries, len(facts))

    def leaf_universe(self, leaf: BoundLeaf) -> Ids:
        if leaf.universe:
            return self.declared(leaf.universe)
        return self.inferred([self.members(leaf, [place]) for place in range(leaf.arity)], leaf.name)

    def members(self, leaf: BoundLeaf, places: Sequence[int]) -> list[Ids]:
        """What the facts of a leaf's predicates have at some positions."""
        return [self.kb[member.predicate].facts[:, place] for member in leaf.members for place in places]

    def declared(self, names: Sequence[str]) -> Ids:
        """A declared universe: the facts of the named predicates."""
        return group(np.concatenate([self.kb[name].facts for name in names]))[0]

    def inferred(self, columns: Sequence[Sequence[Ids]], where: str) -> Ids:
        """An inferred universe: all combinations of what was found for each of its columns."""
        values = [sorted_unique(np.concatenate(found)) for found in columns]
        self.limits.check(f"the universe of {where}", prod(map(len, values)))
        return product(values)

    def join(self, step: Join, demanded: Demand | None) -> tuple[Ids, Lineage]:
        inputs = [self.input(view) for view in step.positives]
        facts, rows = join(step, inputs, self.kb.constants, self.limits, demanded)
        chosen = [source.rows[at] for source, at in zip(inputs, rows, strict=True)]
        places = {variable: column for column, variable in enumerate(step.variables)}
        for view in step.negatives:
            negated = self.input(view)
            found = find(facts[:, [places[v] for v in negated.variables]], negated.facts)
            chosen.append(np.where(found < 0, -1, negated.rows[found] if len(negated.rows) else -1))
        return facts, Aligned(np.stack(chosen) if chosen else np.empty((0, len(facts)), dtype=np.int64))

    def project(self, step: Project) -> tuple[Ids, Lineage]:
        source = self.input(step.input)
        facts, offsets, rows = group(ordered(source, step.variables))
        return facts, Groups(offsets, source.rows[rows])

    def disjoin(self, step: Disjoin) -> tuple[Ids, Lineage]:
        inputs = [self.input(view) for view in step.inputs]
        tables = [ordered(source, step.variables) for source in inputs]
        facts, offsets, order = group(np.concatenate(tables))
        rows = np.full((len(inputs), len(facts)), -1, dtype=np.int64)
        ends = np.cumsum([len(table) for table in tables])
        for line, source, at in zip(rows, inputs, np.split(places(offsets, order), ends[:-1]), strict=True):
            line[at] = source.rows
        return facts, Aligned(rows)

    def complement(self, step: Complement) -> tuple[Ids, Lineage]:
        source = self.input(step.input)
        if step.universe:
            facts = self.declared(step.universe)
        else:
            facts = self.inferred(self.columns(step), f"not {source.name}")
        found = find(facts, source.facts)
        return facts, Aligned(np.where(found < 0, -1, source.rows[found] if len(source.rows) else -1)[None, :])

    def columns(self, step: Complement) -> list[list[Ids]]:
        """For each variable of a negation what its positions have, whatever stands at the other positions."""
        view, below = step.input, self.plan.steps[step.input.step]
        found = []
        for variable in step.variables:
            places = [place for place, term in enumerate(view.terms) if term == variable]
            if isinstance(below, Union):
                found.append(self.members(below.leaf, places))
            else:
                found.append([self.facts[view.step][:, place] for place in places])
        return found

    def input(self, view: View) -> Input:
        """The facts of a step as a view sees them: constants and repeated variables select, columns get names."""
        facts, name = self.facts[view.step], f"{self.plan.steps[view.step].name}({', '.join(map(str, view.terms))})"
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
        if keep.all():
            whole = len(first) == facts.shape[1]
            kept = self.leaves if whole and isinstance(self.plan.steps[view.step], Union) else None
            columns = facts if whole else facts[:, list(first.values())]
            return Input(name, tuple(first), columns, np.arange(len(facts)), kept)
        rows = np.flatnonzero(keep)
        return Input(name, tuple(first), picked(facts, rows, list(first.values())), rows)


def ordered(source: Input, variables: tuple[Variable, ...]) -> Ids:
    """The input's columns for some variables, without a copy where they lead already."""
    if source.variables[: len(variables)] == variables:
        return source.facts[:, : len(variables)]
    return source.facts[:, [source.variables.index(variable) for variable in variables]]


def why_empty(plan: Plan, facts: Sequence[Ids]) -> str:
    """The step that is to blame for a root without facts: it has none, although its inputs have some."""
    step = plan.steps[-1]
    while empty := [view.step for view in needed_by(step) if not len(facts[view.step])]:
        step = plan.steps[empty[0]]
    if isinstance(step, Join):
        return f"the parts of {step.name} have facts, but none that fit together"
    return f"{step.name} has no facts"


def needed_by(step: Step) -> tuple[View, ...]:
    """The inputs without which a step has no facts."""
    return step.positives if isinstance(step, Join) else inputs_of(step)


def absent(
    rows: Rows, truths: NDArray[np.float32], universe: Rows, size: int, member: int
) -> tuple[Rows, int, NDArray[np.float32]]:
    """A negated member's entries: 1 - truth at every fact of the universe, left out where that is 0."""
    negation = np.zeros(size, dtype=np.float32)
    negation[universe] = 1
    known = rows >= 0
    negation[rows[known]] *= 1 - truths[known]
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
