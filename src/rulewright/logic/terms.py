"""Variables, constants and atoms."""

import re
from dataclasses import dataclass
from functools import lru_cache

PLAIN_PREDICATE = re.compile(r"[^\W\d]\w*(\^-1)?\Z")
PLAIN_CONSTANT = re.compile(r"([a-z]\w*|-?\d+(\.\d+)?([eE][-+]?\d+)?)\Z", re.ASCII)
KEYWORDS = frozenset({"not", "in", "over", "except"})


@dataclass(frozen=True)
class Variable:
    """A logical variable; written with a capital or an underscore first."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Constant:
    """An individual of the knowledge base, by name."""

    name: str

    def __str__(self) -> str:
        return self.name if PLAIN_CONSTANT.match(self.name) and self.name not in KEYWORDS else quoted(self.name)


Term = Variable | Constant


@dataclass(frozen=True)
class Atom:
    """A predicate applied to terms, e.g. parent(X, Y)."""

    predicate: str
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{predicate_text(self.predicate)}({', '.join(map(str, self.terms))})"

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The distinct variables, in order of first use."""
        return tuple(dict.fromkeys(t for t in self.terms if isinstance(t, Variable)))


@lru_cache(4096)  # a program repeats a few names in thousands of atoms
def predicate_text(name: str) -> str:
    """A predicate's name as the template language writes it: quoted unless it is a plain word.

    The inverse mark stays outside the quotes, so that 'film/country'^-1 reads as an inverse.
    """
    if PLAIN_PREDICATE.match(name) and name not in KEYWORDS:
        return name
    if name.endswith("^-1"):
        return quoted(name.removesuffix("^-1")) + "^-1"
    return quoted(name)


def quoted(name: str) -> str:
    """A name in single quotes, with backslash escapes for what would end or break it."""
    escaped = (
        name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    )
    return f"'{escaped}'"
