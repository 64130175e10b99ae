"""Rules as Rulewright prints them, in and out: `r(X, Y) :- s(X, A), t(A, Y).`, with a weight in front if one is known.

    0.812  grandparent(X, Z) :- parent(X, Y), parent(Y, Z).
    visits(X, Y) :- friend(X, Y), not ill(Y).        % a comment

The grammar is that of templates without their domains, so a rule may run over several lines.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulewright.errors import InputError
from rulewright.kb.text_file import DEFAULT_LIMITS, ReadLimits, text_blocks
from rulewright.logic.rated import RatedRule, figure
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.template.parser import parse_template
from rulewright.template.syntax import And, Clause, Compare, Formula, Not, Use

WEIGHT = re.compile(r"^[ \t]*([0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)[ \t]+(?=['\w])(?![0-9.]+%)", re.ASCII)
AT_ONCE = 2_000  # lines parsed together: the parser takes a text of limited length


def parse_rules(text: str, first_line: int = 1) -> list[RatedRule]:
    """The rules in a text.

    >>> for rated in parse_rules("0.8  g(X, Z) :- p(X, Y), p(Y, Z).  g(X, Y) :- 'my friend'(X, Y)."):
    ...     print(rated)
    0.800  g(X, Z) :- p(X, Y), p(Y, Z).
    g(X, Y) :- 'my friend'(X, Y).
    """
    weights: dict[int, float] = {}
    lines = text.split("\n")
    for place, line in enumerate(lines):
        match = WEIGHT.match(line)
        if match is not None:
            weights[place + 1] = weight_of(match[1], first_line + place)
            lines[place] = " " * match.end() + line[match.end() :]
    template = parse_template("\n".join(lines))
    if template.domains:
        place = template.domains[0].place.line + first_line - 1
        raise InputError(f"line {place}: {template.domains[0]} belongs to a template; rules name their predicates")
    found = []
    for clause in template.clauses:  # a weight belongs to the first rule of its line
        weight = weights.pop(clause.place.line, None)
        found.append(RatedRule(Rule(clause.head, tuple(body(clause, first_line))), weight))
    return found


def weight_of(text: str, line: int) -> float:
    """A weight in front of a rule."""
    try:
        return figure(text)
    except ValueError:
        raise InputError(f"line {line}: {text[:20]}... is too large for a weight") from None


def body(clause: Clause, first_line: int) -> Iterator[Literal | Comparison]:
    """The parts of a conjunction."""
    for part in clause.body.children if isinstance(clause.body, And) else (clause.body,):
        yield literal(part, clause, first_line)


def literal(part: Formula, clause: Clause, first_line: int) -> Literal | Comparison:
    """An atom, its negation, or a comparison."""
    match part:
        case Use(atom):
            return Literal(atom)
        case Not(Use(atom), ()):
            return Literal(atom, negated=True)
        case Compare():
            return Comparison(part.left, part.operator, part.right)
        case _:
            line = clause.place.line + first_line - 1
            raise InputError(
                f"line {line}: a rule's body is a list of atoms, negated atoms and comparisons, and {part} is none; "
                f"write one rule for every alternative"
            )


def read_rule_text(path: str | Path, limits: ReadLimits = DEFAULT_LIMITS) -> Iterator[RatedRule]:
    """The rules of a file, some thousand lines at a time."""
    waiting: list[str] = []
    first = 1
    for block in text_blocks(Path(path), "utf-8", limits):
        for line in block.text.removesuffix("\n").split("\n"):
            waiting.append(line)
            if len(waiting) >= AT_ONCE and line.rstrip().endswith("."):
                yield from some_rules(waiting, first)
                first, waiting = first + len(waiting), []
    yield from some_rules(waiting, first)


def some_rules(lines: list[str], first: int) -> Iterator[RatedRule]:
    """The rules in some lines, which may all be blank or comments."""
    if any(line.strip() and not line.lstrip().startswith(("%", "#")) for line in lines):
        yield from parse_rules("\n".join(lines), first)


def to_rule_text(rules: Iterable[RatedRule]) -> Iterator[str]:
    """One rule to a line; a weight stands in front."""
    for rated in rules:
        weight = "" if rated.weight is None else f"{rated.weight!r}  "
        yield f"{weight}{rated.rule}\n"
