"""AMIE's rules, in: triples of a body, => and the triple of the head, with figures behind, separated by tabs.

    ?a  parent  ?f  ?f  parent  ?b   => ?a  grandparent  ?b     0.5     0.8     0.9     98      123     ...

Asked for its Datalog notation, it writes the head first, and names without the angle brackets that they may have:

    grandparent(?a, ?b) <= parent(?a, ?f), parent(?f, ?b)       0.5     0.8     0.9     98      123     ...

The figures are head coverage, standard confidence, PCA confidence, positive examples and body size; a line that names
the columns, and what AMIE says of its own run, are passed over.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.kb.text_file import DEFAULT_LIMITS, Block, ReadLimits, text_blocks
from rulewright.logic.rated import RatedRule, figure
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Constant, Term, Variable

ARROW, BACKWARDS = "=>", "<="
ATOM = re.compile(r"([^(]+)\((?:(\?\w+), (.+)|(.+), (\?\w+))\)\Z")
DATALOG = re.compile(r"[^(\t]+\([^\t]*\?\w+[^\t]*\) *<=")
BETWEEN = re.compile(r"(?<=\)), +")
WIDE = re.compile(r"\s{2,}")
FIGURES = ("head coverage", "standard confidence", "PCA confidence", "positive examples", "body size")


def read_amie(path: str | Path, limits: ReadLimits = DEFAULT_LIMITS) -> Iterator[RatedRule]:
    """The rules of a file that AMIE wrote, one after the other."""
    for block in text_blocks(Path(path), "utf-8", limits):
        for offset, line in block.lines():
            text, *figures = line.split("\t")
            if DATALOG.match(text):
                head, body = text.split(BACKWARDS, 1)
                heads, parts = (
                    [atom(one, block, offset) for one in BETWEEN.split(side.strip())] for side in (head, body)
                )
            elif ARROW in text:
                body, head = text.split(ARROW, 1)
                heads, parts = atoms(head, block, offset), atoms(body, block, offset)
            else:
                continue
            if len(heads) != 1 or not parts:
                raise block.error("a rule of AMIE is: triples => triple, their parts two blanks apart", offset)
            yield rated(Rule(heads[0], tuple(map(Literal, parts))), figures, block, offset)


def atoms(text: str, block: Block, offset: int) -> list[Atom]:
    """Triples one after the other. AMIE puts two blanks between their parts, since a name may hold one."""
    words = WIDE.split(text.strip()) if "  " in text.strip() else text.split()
    if len(words) % 3:
        raise block.error(f"{text.strip()!r} does not come in triples", offset)
    return [Atom(words[at + 1], (term(words[at]), term(words[at + 2]))) for at in range(0, len(words), 3)]


def atom(text: str, block: Block, offset: int) -> Atom:
    """An atom of the Datalog notation."""
    match = ATOM.match(text)
    if match is None:
        raise block.error(f"{text!r} is no atom: relation(?a, ?b) with a question mark before variables", offset)
    predicate, first, second, other_first, other_second = match.groups()
    return Atom(predicate, (term(first or other_first), term(second or other_second)))


def term(text: str) -> Term:
    """?a is a variable; what has no question mark a constant."""
    return Variable(text[1:].upper()) if text.startswith("?") and len(text) > 1 else Constant(text)


def rated(rule: Rule, figures: list[str], block: Block, offset: int) -> RatedRule:
    """The rule with what its columns say; a file cut down to the rules has none."""
    found: dict[str, float] = {}
    for name, written in zip(FIGURES, figures, strict=False):
        try:
            found[name] = figure(written.replace(",", ".")) if written.strip() else 0.0
        except ValueError:
            raise block.error(
                f"{written!r} is no number; the columns behind a rule are {', '.join(FIGURES)}", offset
            ) from None
    correct, size = found.get("positive examples"), found.get("body size")
    return RatedRule(
        rule,
        None,
        None if size is None else int(size),
        None if correct is None else int(correct),
        found.get("standard confidence"),
    )
