"""groundings(model, table, row): the pairs for which the body of a rule holds, with the facts that make it hold.

A rule can hold for millions of pairs, so they come page by page: a place says where to go on, and every page costs
about the same. Facts count as they stand in the run; the pair's own fact is not taken out.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.model import CompletionModel
from rulewright.completion.rule_table import ANSWER, DIRECT, FREQUENCY, HEAD_SIDE, PATH, RuleTable
from rulewright.completion.rules import SOMETHING, atom
from rulewright.logic.terms import Atom, Constant, Term
from rulewright.paths.between import walks_between
from rulewright.paths.walk import new_work, walk_ends

HEADS_PER_PAGE = 200  # walked from, at most; a page may end early where few of them match


@dataclass(frozen=True)
class Holding:
    """One pair for which the body holds; the head is None where the body says nothing of it."""

    head: int | None
    answer: int
    facts: tuple[Atom, ...]
    known: bool


@dataclass(frozen=True)
class Place:
    """Where a page begins: the number of a head in its order, and how many of its answers come before."""

    head: int = 0
    answer: int = 0


@dataclass(frozen=True)
class Groundings:
    """One page of pairs, and the place of the next; None at the end."""

    holdings: tuple[Holding, ...]
    following: Place | None
    negated: bool  # the facts shown are those that break the body, which holds everywhere else


def groundings(
    model: CompletionModel,
    table: RuleTable,
    row: int,
    place: Place | None = None,
    limit: int = 25,
    known: bool | None = None,
) -> Groundings:
    """A page of the pairs for which a rule's body holds; `known` keeps those that are facts already, or are not."""
    source = int(table.source[row])
    steps = [step for step in table.relations[row].tolist() if step >= 0]
    place = place or Place()
    if source in (PATH, DIRECT):
        found = joined(model, table.relation, steps, place, limit, known)
    else:
        found = listed(model, table, row, steps[0], place, limit, known)
    return Groundings(found[0], found[1], bool(table.weight[row] < 0))


Page = tuple[tuple[Holding, ...], Place | None]


def joined(
    model: CompletionModel, relation: int, steps: list[int], place: Place, limit: int, known: bool | None
) -> Page:
    """Pairs that a walk joins, head by head."""
    graph = model.graph
    path = np.array([steps], np.int32)
    work = new_work(len(steps), graph.entities)
    starts = graph.start[steps[0] :: graph.relations][: graph.entities]
    ends = graph.start[steps[0] + 1 :: graph.relations][: graph.entities]
    heads = np.flatnonzero(ends > starts)
    found: list[Holding] = []
    for number in range(place.head, min(len(heads), place.head + HEADS_PER_PAGE)):
        head = int(heads[number])
        reached = np.sort(
            walk_ends(graph.start, graph.tails, graph.chance, graph.relations, head, path, graph.entities, work)
        )
        facts = np.isin(reached, graph.tails_of(head, relation))
        keep = np.ones(len(reached), bool) if known is None else facts == known
        reached, facts = reached[keep], facts[keep]
        first = place.answer if number == place.head else 0
        for at in range(first, len(reached)):
            if len(found) == limit:
                return tuple(found), Place(number, at)
            (walk,) = walks_between(graph, steps, head, int(reached[at]), 1)
            found.append(Holding(head, int(reached[at]), walked(model, steps, walk), bool(facts[at])))
    reached_end = place.head + HEADS_PER_PAGE >= len(heads)
    return tuple(found), None if reached_end else Place(place.head + HEADS_PER_PAGE)


def walked(model: CompletionModel, steps: list[int], walk: list[int]) -> tuple[Atom, ...]:
    """The facts of a walk."""
    stops = [Constant(model.entities.names[entity]) for entity in walk]
    return tuple(atom(model, step, start, end) for step, start, end in zip(steps, stops, stops[1:], strict=False))


def listed(
    model: CompletionModel, table: RuleTable, row: int, step: int, place: Place, limit: int, known: bool | None
) -> Page:
    """Pairs of a rule whose body speaks of one side alone, in the order of that side."""
    graph, names, relation = model.graph, model.entities.names, table.relation
    source = int(table.source[row])
    sides, constant, other = sides_of(model, table, row, step)
    if known is not None and constant is not None:
        way = relation ^ 1 if source != HEAD_SIDE else relation
        sides = sides[np.isin(sides, graph.tails_of(constant, way)) == known]
    chosen = sides[place.head : place.head + limit].tolist()
    found = []
    for side in chosen:
        end: Term = SOMETHING if other is None else Constant(names[other])
        subject = Constant(names[side])
        start, stop = (end, subject) if source == FREQUENCY else (subject, end)
        facts = (atom(model, step, start, stop),)
        if constant is None:
            found.append(Holding(None, side, facts, False))
        elif source == HEAD_SIDE:
            found.append(Holding(constant, side, facts, side in graph.tails_of(constant, relation).tolist()))
        else:
            found.append(Holding(side, constant, facts, constant in graph.tails_of(side, relation).tolist()))
    after = place.head + limit
    return tuple(found), Place(after) if after < len(sides) else None


def sides_of(
    model: CompletionModel, table: RuleTable, row: int, step: int
) -> tuple[NDArray[np.int64], int | None, int | None]:
    """The entities the body holds for, the constant of the head, and that of the body."""
    graph, source = model.graph, int(table.source[row])
    if source == ANSWER:
        return np.unique(graph.pairs(step)[:, 0]), None, None
    if source == FREQUENCY:
        answers, counts = np.unique(graph.pairs(table.relation)[:, 1], return_counts=True)
        return answers[np.argsort(-counts, kind="stable")], None, None
    constant, other = table.entities[row].tolist()
    return graph.tails_of(other, step ^ 1).astype(np.int64), constant, other
