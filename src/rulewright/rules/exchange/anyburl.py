"""AnyBURL's rule text, in and out: predicted, correct, confidence and rule, separated by tabs.

    123     98      0.797   grandparent(X,Y) <= parent(X,A), parent(A,Y)
    40      38      0.95    speaks(X,french) <= lives_in(X,paris)

A single capital letter is a variable, everything else a constant. The format knows no quotes: a constant may hold
brackets and commas, since the term beside it is a variable, but a name that would be read back as another one cannot be
written, and neither can negation, comparisons, or atoms of other than two arguments.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from string import ascii_uppercase

from rulewright.kb.text_file import DEFAULT_LIMITS, Block, ReadLimits, text_blocks
from rulewright.logic.rated import RatedRule, figure
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Constant, Term, Variable

ARROW = "<="
ROW = re.compile(r"(\d{1,18})\t(\d{1,18})\t([-+.\deE]+)\t(.*?) *<= *(.*?) *\Z", re.ASCII)
ATOM = re.compile(r"([^(]+)\((?:([A-Z]),(.+)|(.+),([A-Z]))\)\Z")
BETWEEN = re.compile(r"(?<=\)), *")
HEAD_NAMES = "XY"
BODY_NAMES = [letter for letter in ascii_uppercase if letter not in HEAD_NAMES]


def read_anyburl(path: str | Path, limits: ReadLimits = DEFAULT_LIMITS) -> Iterator[RatedRule]:
    """The rules of a file that AnyBURL wrote, one after the other."""
    atoms: dict[str, Atom] = {}
    for block in text_blocks(Path(path), "utf-8", limits):
        for offset, line in block.lines():
            row = ROW.match(line)
            if row is None:
                raise block.error("a rule of AnyBURL is: predicted, correct, confidence, head <= body", offset)
            predicted, correct, confidence, head, body = row.groups()
            texts = [head, *(BETWEEN.split(body) if body else [])]
            parts = [atoms.get(text) or known(text, atoms, block, offset) for text in texts]
            rule = Rule(parts[0], tuple(map(Literal, parts[1:])))
            yield RatedRule(rule, None, int(predicted), int(correct), number(confidence, block, offset))


def known(text: str, atoms: dict[str, Atom], block: Block, offset: int) -> Atom:
    """An atom, which the next rule that holds it will share: large files repeat theirs."""
    match = ATOM.match(text)
    if match is None:
        raise block.error(f"{text!r} is no atom: relation(X,Y) with a capital letter for a variable", offset)
    predicate, first, second, other_first, other_second = match.groups()
    atoms[text] = Atom(predicate, (term(first or other_first), term(second or other_second)))
    return atoms[text]


def term(text: str) -> Term:
    """A variable where the text is a single capital letter."""
    return Variable(text) if len(text) == 1 and "A" <= text <= "Z" else Constant(text)


def number(text: str, block: Block, offset: int) -> float:
    """A confidence."""
    try:
        return figure(text)
    except ValueError:
        raise block.error(f"{text} is no number", offset) from None


def to_anyburl(rules: Iterable[RatedRule], left_out: list[RatedRule] | None = None) -> Iterator[str]:
    """The lines of a rule file; what the format cannot say goes to `left_out`."""
    for rated in rules:
        text = anyburl_rule(rated.rule)
        if text is not None:
            yield f"{rated.predicted or 0}\t{rated.correct or 0}\t{rated.confidence or 0.0!r}\t{text}\n"
        elif left_out is not None:
            left_out.append(rated)


def anyburl_rule(rule: Rule) -> str | None:
    """A rule as AnyBURL writes it, None where it cannot."""
    free = chain(BODY_NAMES)
    names: dict[Variable, str] = {}
    for place, found in enumerate(rule.head.terms[:2]):
        if isinstance(found, Variable):
            names.setdefault(found, HEAD_NAMES[place])
    texts = []
    for part in (Literal(rule.head), *rule.body):
        if not isinstance(part, Literal) or part.negated or len(part.atom.terms) != 2:
            return None
        for variable in part.variables:
            if variable not in names and (name := next(free, None)):
                names[variable] = name
        written = [names.get(t) if isinstance(t, Variable) else t.name for t in part.atom.terms]
        text = f"{part.atom.predicate}({','.join(name or '' for name in written)})"
        if not reads_back(text, part.atom, names):
            return None
        texts.append(text)
    return f"{texts[0]} {ARROW} {', '.join(texts[1:])}"


def reads_back(text: str, atom: Atom, names: dict[Variable, str]) -> bool:
    """Whether reading the text gives this atom."""
    match = ATOM.match(text)
    if match is None or not text.isprintable() or len(BETWEEN.split(text)) > 1 or ARROW in text or text != text.strip():
        return False
    predicate, first, second, other_first, other_second = match.groups()
    expected = tuple(Variable(names.get(t, "")) if isinstance(t, Variable) else t for t in atom.terms)
    return predicate == atom.predicate and (term(first or other_first), term(second or other_second)) == expected
