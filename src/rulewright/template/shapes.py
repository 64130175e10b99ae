"""Templates that people write again and again, ready made.

>>> print(chain(2))
target(X0, X2) :- P1(X0, X1), P2(X1, X2).
P1 in {*, *^-1}.
P2 in {*, *^-1}.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulewright.errors import OptionError
from rulewright.kb.knowledge_base import INVERSE
from rulewright.logic.terms import Atom, Variable
from rulewright.template.syntax import And, Clause, Domain, Formula, Or, Pattern, Template, Use, is_variable

Choices = Sequence[str | Pattern]
"""The predicates that a leaf may stand for: names, globs, or patterns when one is negated or quoted."""

EVERYTHING: Choices = ("*",)


def chain(
    n: int,
    head: str = "target",
    domain: Choices = EVERYTHING,
    inverses: bool = True,
    excluded: Choices = (),
) -> Template:
    """head(X0, Xn) :- P1(X0, X1), ..., Pn(Xn-1, Xn): paths of n steps, each chosen from the domain on its own.

    inverses   a step may also go from right to left.
    excluded   what no step may be; name the head here when its own facts lie in the knowledge base.
    """
    path = linked(n, n, "P")
    return shaped(
        Atom(head, (Variable("X0"), Variable(f"X{n}"))),
        joined(path),
        {use.atom.predicate: domain for use in path},
        inverses,
        excluded,
    )


def chain_up_to(
    n: int,
    head: str = "target",
    domain: Choices = EVERYTHING,
    inverses: bool = True,
    excluded: Choices = (),
) -> Template:
    """head(X0, Xn) :- P1_1(X0, Xn) ; P2_1(X0, X1), P2_2(X1, Xn) ; ...: paths of 1 to n steps.

    >>> print(chain_up_to(2, domain=["likes"], inverses=False))
    target(X0, X2) :- P1_1(X0, X2) ; P2_1(X0, X1), P2_2(X1, X2).
    P1_1 in {likes}.
    P2_1 in {likes}.
    P2_2 in {likes}.
    """
    paths = [linked(length, n, f"P{length}_") for length in range(1, max(n, 1) + 1)]
    body = joined(paths[0]) if n == 1 else Or(tuple(map(joined, paths)))
    choices = {use.atom.predicate: domain for path in paths for use in path}
    return shaped(Atom(head, (Variable("X0"), Variable(f"X{n}"))), body, choices, inverses, excluded)


def pair(
    head: str = "target",
    left: Choices = EVERYTHING,
    right: Choices = EVERYTHING,
    variables: Sequence[str] = ("X", "Y"),
    inverses: bool = False,
    excluded: Choices = (),
) -> Template:
    """head(X, Y) :- P(X, Y), Q(X, Y): two conditions on the same things, of any number.

    >>> print(pair("Stop", ["HasObstacle*"], ["HasTarget*"], variables=["Cell"]))
    Stop(Cell) :- P(Cell), Q(Cell).
    P in {HasObstacle*}.
    Q in {HasTarget*}.
    """
    names = tuple(Variable(name) for name in variables)
    if not names or len(set(names)) < len(names):
        raise OptionError(f"a pair needs distinct variables, e.g. ('X', 'Y'), and got {tuple(variables)}")
    for name in variables:
        if not is_variable(name) or name == "_":
            raise OptionError(f"{name!r} is no variable: a variable is a word with a capital first, e.g. 'X'")
    if inverses and len(names) != 2:
        raise OptionError(f"only binary predicates have inverses; a pair over {len(names)} variables cannot have any")
    body = And((Use(Atom("P", names)), Use(Atom("Q", names))))
    return shaped(Atom(head, names), body, {"P": left, "Q": right}, inverses, excluded)


def linked(length: int, n: int, prefix: str) -> list[Use]:
    """A path of that many steps from X0 to Xn; its steps are prefix1, prefix2, ..."""
    if n < 1:
        raise OptionError(f"a chain has at least one step, and {n} was asked for")
    stops = [Variable(f"X{number}") for number in range(length)] + [Variable(f"X{n}")]
    return [Use(Atom(f"{prefix}{number}", tuple(stops[number - 1 : number + 1]))) for number in range(1, length + 1)]


def joined(uses: Sequence[Use]) -> Formula:
    """The conjunction of one or more atoms."""
    return uses[0] if len(uses) == 1 else And(tuple(uses))


def shaped(head: Atom, body: Formula, choices: Mapping[str, Choices], inverses: bool, excluded: Choices) -> Template:
    """The template with one clause and a domain for every leaf."""
    if head.predicate in choices:
        raise OptionError(
            f"the head cannot be called {head.predicate}: that is the name of one of the choices below it"
        )
    empty = next((name for name, members in choices.items() if not members), None)
    if empty is not None:
        raise OptionError(f"there is nothing to choose from for {empty}; name predicates, or '*' for all")
    without = patterns_of(excluded, inverses)
    domains = [Domain(name, patterns_of(members, inverses), without) for name, members in choices.items()]
    return Template((Clause(head, body),), tuple(domains))


def patterns_of(choices: Choices, inverses: bool) -> tuple[Pattern, ...]:
    """Choices as patterns, each followed by its inverse when asked for."""
    patterns: list[Pattern] = []
    for choice in [choices] if isinstance(choices, str) else choices:
        pattern = Pattern(choice) if isinstance(choice, str) else choice
        patterns.append(pattern)
        if inverses and not pattern.name.endswith(INVERSE):
            patterns.append(replace(pattern, name=pattern.name + INVERSE))
    return tuple(dict.fromkeys(patterns))
