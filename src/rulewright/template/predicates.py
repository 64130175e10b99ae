"""The predicates of a knowledge base, found by the names, globs and inverses that a template writes."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rulewright.errors import nearest
from rulewright.kb.knowledge_base import INVERSE
from rulewright.logic.terms import predicate_text
from rulewright.template.syntax import Pattern, Place

Report = Callable[[str, Place], None]
"""Where every check sends what it finds: a message and the place in the template."""


@dataclass(frozen=True)
class Need:
    """How many arguments a predicate must have, and why; None when nothing says so yet."""

    arity: int | None
    why: str


@dataclass(frozen=True)
class Predicates:
    """The arity of every predicate of a knowledge base, by name."""

    arities: Mapping[str, int]

    def arity(self, name: str) -> int | None:
        """How many arguments a predicate (or the inverse of a binary one) has; None when there is no such predicate."""
        straight = name.removesuffix(INVERSE)
        if name not in self.arities and straight != name and self.arities.get(straight) == 2:
            return 2
        return self.arities.get(name)

    def matching(self, patterns: Sequence[Pattern], need: Need, report: Report) -> list[tuple[Pattern, str]]:
        """Every pattern with each predicate that it names; patterns that name none are reported."""
        found: list[tuple[Pattern, str]] = []
        for pattern in patterns:
            names = self.named(pattern, need, report) if pattern.exact else self.globbed(pattern, need, report)
            found += [(pattern, name) for name in names]
        return found

    def named(self, pattern: Pattern, need: Need, report: Report) -> list[str]:
        """The one predicate that a plain or quoted name stands for."""
        arity = self.arity(pattern.name)
        if arity is None:
            report(f"unknown predicate {predicate_text(pattern.name)}{self.hint(pattern.name)}", pattern.place)
            return []
        if need.arity not in (None, arity):
            report(f"{predicate_text(pattern.name)} has {counted(arity, 'argument')}, but {need.why}", pattern.place)
            return []
        return [pattern.name]

    def globbed(self, pattern: Pattern, need: Need, report: Report) -> list[str]:
        """The predicates that a glob stands for, in the order of the knowledge base.

        A glob takes an inverse only where it ends in ^-1, or where the knowledge base has that inverse as a relation.
        """
        whole = glob(pattern.name)
        stem = glob(pattern.name.removesuffix(INVERSE)) if pattern.name.endswith(INVERSE) else None
        found = []
        for name, arity in self.arities.items():
            if need.arity not in (None, arity):
                continue
            if whole.fullmatch(name):
                found.append(name)
            elif stem is not None and arity == 2 and stem.fullmatch(name):
                found.append(name + INVERSE)
        if not found:
            size = "" if need.arity is None else f" with {counted(need.arity, 'argument')}"
            report(f"{pattern.name} matches no predicate{size}, and {need.why}", pattern.place)
        return list(dict.fromkeys(found))

    def hint(self, name: str) -> str:
        """What may have been meant by a name that is not known."""
        straight = name.removesuffix(INVERSE)
        if straight in self.arities:
            size = counted(self.arities[straight], "argument")
            return f": {predicate_text(straight)} has {size}, and only binary predicates have an inverse"
        return nearest(name, list(self.arities))


def glob(text: str) -> re.Pattern[str]:
    """A pattern in which * is any run of characters and ? is any one; everything else is itself."""
    parts = re.split(r"([*?])", text)
    return re.compile("".join({"*": ".*", "?": "."}.get(part, re.escape(part)) for part in parts), re.DOTALL)


def counted(number: int, noun: str) -> str:
    """A number and a noun: 1 argument, 2 arguments."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
