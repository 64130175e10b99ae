"""The syntax tree of a template: frozen, with source places, and `str()` that parses back to the same tree.

    S(X, Z) @alpha(0.9) :- R(X, Z) ; O(X, Z).          a Clause; its body is a Formula
    R(X, Z) :- P(X, Y), not Q(Y, Z) over {C}, X != Z.
    P in {A, B*, not C}.   Q in * except {S}.          a Domain each

Places are left out of comparisons, so two trees are equal when they say the same.
"""

import re
from dataclasses import dataclass, field
from typing import ClassVar

from rulewright.logic.terms import Atom, Term, Variable, predicate_text


@dataclass(frozen=True)
class Place:
    """Where something stands in the template text; line and column count from 1, 0 means nowhere."""

    line: int = 0
    column: int = 0


NOWHERE = Place()
GLOB_MARKS = frozenset("*?")
WORD = re.compile(r"[^\W\d]\w*\Z")


@dataclass(frozen=True)
class Use:
    """An atom in a body: a node of the template or a predicate of the knowledge base, applied to terms."""

    atom: Atom
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return str(self.atom)


@dataclass(frozen=True)
class Compare:
    """A condition between bound variables or constants, e.g. Y < W; it filters and carries no truth value."""

    OPERATORS: ClassVar[tuple[str, ...]] = ("<", "<=", ">", ">=", "=", "!=")

    left: Term
    operator: str
    right: Term
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True)
class Pattern:
    """Predicates by name or glob (`HasObstacle*`); `exact` marks a name in which * and ? (when quoted) mean themselves.

    A name without * and ? is always exact. A name that ends in ^-1 reads binary facts from right to left.
    """

    name: str
    negated: bool = False
    exact: bool = False
    place: Place = field(default=NOWHERE, compare=False)

    def __post_init__(self) -> None:
        # So that A and 'A', which say the same, are equal; the class is frozen, hence the detour.
        object.__setattr__(self, "exact", self.exact or not GLOB_MARKS.intersection(self.name))

    def __str__(self) -> str:
        return ("not " if self.negated else "") + (predicate_text(self.name) if self.exact else self.name)


@dataclass(frozen=True)
class Not:
    """Negation. `universe` names the predicates whose facts are the assignments to consider; empty means inferred."""

    child: "Formula"
    universe: tuple[Pattern, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        inner = f"({self.child})" if isinstance(self.child, And | Or | Not) else str(self.child)
        return f"not {inner}" + (f" over {braced(self.universe)}" if self.universe else "")


@dataclass(frozen=True)
class And:
    """Conjunction of two or more formulas."""

    children: tuple["Formula", ...]

    def __str__(self) -> str:
        return ", ".join(f"({child})" if isinstance(child, And | Or) else str(child) for child in self.children)


@dataclass(frozen=True)
class Or:
    """Disjunction of two or more formulas."""

    children: tuple["Formula", ...]

    def __str__(self) -> str:
        return " ; ".join(f"({child})" if isinstance(child, Or) else str(child) for child in self.children)


Formula = Use | Compare | Not | And | Or


@dataclass(frozen=True)
class Option:
    """A per-node option: @alpha(0.9), @attention, @product, @lukasiewicz, @lnn, @fixed."""

    name: str
    value: float | None = None
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"@{self.name}" + ("" if self.value is None else f"({self.value!r})")


@dataclass(frozen=True)
class Clause:
    """head @options :- body."""

    head: Atom
    body: Formula
    options: tuple[Option, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{spaced(str(self.head), self.options)} :- {self.body}."


@dataclass(frozen=True)
class Domain:
    """name in {patterns} except {patterns} over {patterns} @options."""

    name: str
    patterns: tuple[Pattern, ...]
    excluded: tuple[Pattern, ...] = ()
    universe: tuple[Pattern, ...] = ()
    options: tuple[Option, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        text = f"{predicate_text(self.name)} in {braced(self.patterns)}"
        text += f" except {braced(self.excluded)}" if self.excluded else ""
        text += f" over {braced(self.universe)}" if self.universe else ""
        return spaced(text, self.options) + "."


@dataclass(frozen=True)
class Template:
    """Clauses and domains, in the order of the text."""

    clauses: tuple[Clause, ...]
    domains: tuple[Domain, ...] = ()
    text: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.clauses, *self.domains)))


def is_variable(word: str) -> bool:
    """Whether a word is a variable: its first letter is a capital or an underscore.

    >>> is_variable("X"), is_variable("_x"), is_variable("x")
    (True, True, False)
    """
    return WORD.match(word) is not None and (word[0] == "_" or word[0].isupper())


def variables_of(formula: Formula) -> tuple[Variable, ...]:
    """The distinct variables of a formula, in order of first use."""
    match formula:
        case Use(atom):
            return atom.variables
        case Compare(left, _, right):
            return tuple(dict.fromkeys(t for t in (left, right) if isinstance(t, Variable)))
        case Not(child):
            return variables_of(child)
        case And(children) | Or(children):
            return tuple(dict.fromkeys(v for child in children for v in variables_of(child)))


def predicates_of(formula: Formula) -> tuple[str, ...]:
    """The names that a formula's atoms use, with repetitions, from left to right."""
    match formula:
        case Use(atom):
            return (atom.predicate,)
        case Compare():
            return ()
        case Not(child):
            return predicates_of(child)
        case And(children) | Or(children):
            return tuple(name for child in children for name in predicates_of(child))


def braced(patterns: tuple[Pattern, ...]) -> str:
    """Patterns between braces."""
    return "{" + ", ".join(map(str, patterns)) + "}"


def spaced(text: str, options: tuple[Option, ...]) -> str:
    """A text followed by its options."""
    return " ".join([text, *map(str, options)])
