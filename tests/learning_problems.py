"""Small problems with one rule behind them, or two, and facts that have nothing to do with it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from rulewright.kb.knowledge_base import Fact, KnowledgeBase


@dataclass(frozen=True)
class Problem:
    kb: KnowledgeBase
    template: str
    labels: Sequence[Fact]
    rules: tuple[str, ...]


def some(rng: random.Random, count: int, *columns: Sequence[str]) -> list[Fact]:
    """So many different rows, no constant twice in one."""
    rows = [row for row in product(*columns) if len(set(row)) == len(row)]
    return sorted(rng.sample(rows, count))


def people(count: int) -> list[str]:
    return [f"p{number}" for number in range(count)]


def composed(first: Sequence[Fact], second: Sequence[Fact]) -> list[Fact]:
    return sorted({(a, c) for a, b in first for other, c in second if b == other})


def grandparent() -> Problem:
    rng, names = random.Random(1), people(16)
    parent = some(rng, 18, names, names)
    others = {name: some(rng, 18, names, names) for name in ("likes", "knows", "employs")}
    return Problem(
        KnowledgeBase.of({"parent": parent, **others}),
        "grandparent(X, Z) :- P(X, Y), Q(Y, Z). P in *. Q in *.",
        composed(parent, parent),
        ("grandparent(X, Z) :- parent(X, Y), parent(Y, Z).",),
    )


def negation() -> Problem:
    rng, names = random.Random(2), people(14)
    likes, knows = some(rng, 40, names, names), some(rng, 30, names, names)
    tall, busy, rich = (some(rng, 6, names) for _ in range(3))
    return Problem(
        KnowledgeBase.of({"likes": likes, "knows": knows, "tall": tall, "busy": busy, "rich": rich}),
        "invites(X, Y) :- P(X, Y), not Q(Y). P in {likes, knows}. Q in {tall, busy, rich}.",
        [(x, y) for x, y in likes if (y,) not in busy],
        ("invites(X, Y) :- likes(X, Y), not busy(Y).",),
    )


def three_arguments() -> Problem:
    rng, names, things = random.Random(3), people(8), [f"t{number}" for number in range(6)]
    gave, lent, showed = (some(rng, 22, names, names, things) for _ in range(3))
    kinds = {"toy": things[:3], "book": things[2:5], "food": [things[5], things[0]]}
    return Problem(
        KnowledgeBase.of(
            {"gave": gave, "lent": lent, "showed": showed, **{name: [(t,) for t in kinds[name]] for name in kinds}}
        ),
        "plays_with(Y, T) :- P(X, Y, T), Q(T). P in *. Q in *.",
        sorted({(y, t) for _, y, t in gave if t in kinds["toy"]}),
        ("plays_with(Y, T) :- gave(X, Y, T), toy(T).",),
    )


def comparison() -> Problem:
    rng, names = random.Random(4), people(12)
    age, height = ({name: rng.randint(1, 60) for name in names} for _ in range(2))
    friend, neighbour = some(rng, 30, names, names), some(rng, 30, names, names)
    return Problem(
        KnowledgeBase.of(
            {"age": list(age.items()), "height": list(height.items()), "friend": friend, "neighbour": neighbour}
        ),
        "looks_up_to(X, Y) :- P(X, Y), Q(X, N), R(Y, M), N < M. "
        "P in {friend, neighbour}. Q in {age, height}. R in {age, height}.",
        [(x, y) for x, y in friend if age[x] < age[y]],
        ("looks_up_to(X, Y) :- age(X, N), friend(X, Y), age(Y, M), N < M.",),
    )


def disjunction() -> Problem:
    rng, names = random.Random(6), people(14)
    parent, married = some(rng, 16, names, names), some(rng, 8, names, names)
    others = {name: some(rng, 14, names, names) for name in ("knows", "likes")}
    return Problem(
        KnowledgeBase.of({"parent": parent, "married": married, **others}),
        "visits(X, Z) :- P(X, Z) ; Q(X, Y), R(Y, Z). P in *. Q in *. R in *.",
        sorted({*married, *composed(parent, parent)}),
        ("visits(X, Z) :- married(X, Z).", "visits(X, Z) :- parent(X, Y), parent(Y, Z)."),
    )


PROBLEMS = {make.__name__: make() for make in (grandparent, negation, three_arguments, comparison, disjunction)}


def noisy() -> Problem:
    """One label in ten is missing, and as many are wrong."""
    rng, names = random.Random(9), people(30)
    facts = {f"r{number}": some(rng, 60, names, names) for number in range(6)}
    true = composed(facts["r3"], facts["r1"])
    reachable = {pair for first in facts.values() for second in facts.values() for pair in composed(first, second)}
    missing, wrong = rng.sample(true, len(true) // 10), rng.sample(sorted(reachable - set(true)), len(true) // 10)
    return Problem(
        KnowledgeBase.of(facts),
        "t(X, Z) :- P(X, Y), Q(Y, Z). P in *. Q in *.",
        sorted((set(true) - set(missing)) | set(wrong)),
        ("t(X, Z) :- r3(X, Y), r1(Y, Z).",),
    )
