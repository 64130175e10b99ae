"""Rules: a head, and a body of literals and comparisons."""

from dataclasses import dataclass

from rulewright.logic.markup import Shown, card, code
from rulewright.logic.terms import Atom, Term, Variable

OPERATORS = ("<", "<=", ">", ">=", "=", "!=")


@dataclass(frozen=True)
class Literal:
    """An atom or its negation."""

    atom: Atom
    negated: bool = False

    def __str__(self) -> str:
        return f"not {self.atom}" if self.negated else str(self.atom)

    @property
    def variables(self) -> tuple[Variable, ...]:
        return self.atom.variables


@dataclass(frozen=True)
class Comparison:
    """A condition between two terms; operator is one of OPERATORS."""

    left: Term
    operator: str
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(t for t in (self.left, self.right) if isinstance(t, Variable))


@dataclass(frozen=True)
class Rule(Shown):
    """head :- body: the head holds for its variables if some values of the others make the whole body true.

    >>> from rulewright.logic.terms import Atom, Variable
    >>> x, y = Variable("X"), Variable("Y")
    >>> print(Rule(Atom("child", (y, x)), (Literal(Atom("parent", (x, y))),)))
    child(Y, X) :- parent(X, Y).
    """

    head: Atom
    body: tuple[Literal | Comparison, ...]

    def __str__(self) -> str:
        return f"{self.head} :- {', '.join(map(str, self.body))}."

    def _repr_html_(self) -> str:
        return card(code(self))

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The distinct variables, the head's first."""
        return tuple(dict.fromkeys((*self.head.variables, *(v for part in self.body for v in part.variables))))
