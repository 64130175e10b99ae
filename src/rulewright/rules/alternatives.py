"""Alternatives: bodies that make a node true to some degree, and how they are combined, thinned out and written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.logic.rule import Comparison, Literal
from rulewright.logic.terms import Atom, Term, Variable

Part = Literal | Comparison
Body = frozenset[Part]

NEARLY = 1e-6  # values closer than this are one value: sums of float32 differ by the order of their terms


@dataclass(frozen=True)
class Alternative:
    """A body, and the value that a node has at least when this body holds."""

    value: float
    body: Body


def smallest(found: Iterable[Alternative], by_value: bool = True) -> list[Alternative]:
    """Alternatives without those that ask for more than another one and, `by_value`, give no more; strongest first."""
    best: dict[Body, float] = {}
    for a in found:
        best[a.body] = max(a.value, best.get(a.body, a.value))
    bodies = sorted(best, key=len)
    masks = bit_masks(bodies)
    values = np.array([best[body] for body in bodies])
    kept: list[int] = []
    for place, value in enumerate(values):
        no_more = ~(masks[kept] & ~masks[place]).any(axis=1)
        if by_value:
            no_more &= values[kept] >= value - NEARLY
        if not no_more.any():
            kept.append(place)
    chosen = [Alternative(best[bodies[place]], bodies[place]) for place in kept]
    return sorted(chosen, key=lambda a: (-round(a.value, 6), len(a.body), sorted(map(str, a.body))))


def bit_masks(bodies: Sequence[Body]) -> NDArray[np.uint64]:
    """A row of bits per body, one for each part that occurs in any: comparing the bodies themselves takes longer."""
    places = {part: place for place, part in enumerate(dict.fromkeys(part for body in bodies for part in body))}
    masks = np.zeros((len(bodies), len(places) // 64 + 1), dtype=np.uint64)
    for row, body in zip(masks, bodies, strict=True):
        for part in body:
            row[places[part] // 64] |= np.uint64(1 << places[part] % 64)
    return masks


def strongest(found: Sequence[Alternative], most: int) -> list[Alternative]:
    """The alternatives with the highest values."""
    return sorted(found, key=lambda a: (-a.value, len(a.body)))[:most]


def distinct_values(found: Sequence[Alternative]) -> list[float]:
    """The distinct values, lowest first; of values that are nearly one the highest stands for all."""
    distinct: list[float] = []
    for value in sorted(a.value for a in found):
        if distinct and value - distinct[-1] <= NEARLY:
            distinct[-1] = value
        else:
            distinct.append(value)
    return distinct


def substituted(body: Iterable[Part], names: dict[Variable, Term]) -> Body:
    """The body with other terms for some variables."""

    def of(term: Term) -> Term:
        return names.get(term, term) if isinstance(term, Variable) else term

    return frozenset(
        Comparison(of(part.left), part.operator, of(part.right))
        if isinstance(part, Comparison)
        else Literal(Atom(part.atom.predicate, tuple(map(of, part.atom.terms))), part.negated)
        for part in body
    )


def written(body: Body, head: Atom | None = None) -> tuple[Part, ...]:
    """A body in reading order: atoms, then negations, then comparisons.

    From the head's first variable on, every atom is about something named before it, so that a chain reads as one.
    """

    def order(part: Part) -> tuple[int, str, str]:
        if isinstance(part, Comparison):
            return (2, str(part), "")
        return (int(part.negated), " ".join(map(str, part.atom.terms)), str(part))

    parts = sorted(body, key=order)
    atoms = [part for part in parts if isinstance(part, Literal) and not part.negated]
    conditions = parts[len(atoms) :]
    named = set(() if head is None else head.variables[:1])
    chained: list[Part] = []
    while atoms:
        following = next((atom for atom in atoms if not named.isdisjoint(atom.variables)), atoms[0])
        atoms.remove(following)
        named.update(following.variables)
        chained.append(following)
    return (*chained, *conditions)
