"""Prolog-style files of facts, as Prolog, ProbLog and Datalog systems write them.

    parent(ann, bob).  parent(bob, 'Cy Jr').     % any number of arguments, several facts per line
    0.8::likes(ann, bob).                        /* a truth value in front, as in ProbLog */

An atom, a quoted atom and a string of the same text are one constant; a number keeps its spelling. Facts only: a rule,
a directive or a variable is an error.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import FactFormatError
from rulewright.kb.clause import FACT, PLAIN_ATOM, PLAIN_TERM, TERMS, mistake, skipped, unescaped, unquoted
from rulewright.kb.gathering import Gathering, truths_of
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.text_file import DEFAULT_LIMITS, Block, ReadLimits, text_blocks, write_text
from rulewright.logic.terms import quoted


def read_prolog(path: str | Path, *, encoding: str = "utf-8", limits: ReadLimits = DEFAULT_LIMITS) -> KnowledgeBase:
    """Read a file of Prolog-style facts; repeated facts are merged and keep their highest truth."""
    gathering = Gathering()
    unfinished: Block | None = None
    for block in text_blocks(path, encoding, limits):
        if unfinished is not None:
            block = Block(unfinished.text + block.text, unfinished.line, block.source)
        unfinished = gather(block, gathering, limits)
        if unfinished is not None and len(unfinished.text) > limits.line_length:
            raise unfinished.error(f"a fact or comment of {limits.passed('line_length')}", indent(unfinished))
    if unfinished is not None:
        comment = unfinished.text.startswith("/*", indent(unfinished))
        reason = "the comment is not closed by */" if comment else "the fact is not ended by a full stop"
        raise unfinished.error(reason, indent(unfinished))
    return gathering.knowledge_base(path)


def indent(block: Block) -> int:
    """Where the text of a block starts after blanks."""
    return len(block.text) - len(block.text.lstrip())


def gather(block: Block, gathering: Gathering, limits: ReadLimits) -> Block | None:
    """Take the facts of a block; what remains when it ends inside a fact or a comment."""
    start = skipped(block.text, 0)
    found = FACT.findall(block.text, start)
    rest = found.pop()[3] if found and found[-1][3] else ""
    if found:
        FoundFacts.of(block, start, found).gather(gathering, limits)
    if not rest:
        return None
    offset = len(block.text) - len(rest)
    problem = mistake(block, offset)
    if problem is not None:
        raise problem
    return block.rest(offset)


@dataclass(frozen=True)
class FoundFacts:
    """Facts in the order of the text; the constants of all of them in one list."""

    block: Block
    start: int  # where in the block the first of them starts
    truths: Sequence[str]  # as spelt; empty for a fact without
    predicates: list[str]
    constants: list[str]
    arities: list[int]

    @staticmethod
    def of(block: Block, start: int, found: Sequence[tuple[str, ...]]) -> "FoundFacts":
        """Facts from their spelling: (truth, predicate, arguments, ...) each."""
        truths, spelt, arguments, _ = zip(*found, strict=True)
        names = {text: unquoted(text) for text in dict.fromkeys(spelt)}
        constants, arities = constants_of(arguments)
        return FoundFacts(block, start, truths, [names[text] for text in spelt], constants, arities)

    def gather(self, gathering: Gathering, limits: ReadLimits) -> None:
        """Take the facts, arity by arity."""
        self.check_names(limits)
        truths = self.checked_truths()
        if len(set(self.arities)) == 1:
            self.check_arity(range(len(self.arities)), self.arities[0], gathering)
            gathering.add(self.predicates, self.constants, self.arities[0], truths)
            return
        gathering.predicates.add_all(self.predicates)  # ids count in the order of the text all the same
        gathering.constants.add_all(self.constants)
        ends = list(accumulate(self.arities))
        for arity in dict.fromkeys(self.arities):
            rows = [row for row, other in enumerate(self.arities) if other == arity]
            self.check_arity(rows, arity, gathering)
            constants = [name for row in rows for name in self.constants[ends[row] - arity : ends[row]]]
            some_truths = None if truths is None else truths[rows]
            gathering.add([self.predicates[row] for row in rows], constants, arity, some_truths)

    def check_names(self, limits: ReadLimits) -> None:
        """An error at the first fact with a name that is too long."""
        ends = {"predicate": range(1, len(self.predicates) + 1), "constant": list(accumulate(self.arities))}
        for role, names in (("predicate", self.predicates), ("constant", self.constants)):
            if max(map(len, names)) > limits.name_length:
                place = next(place for place, name in enumerate(names) if len(name) > limits.name_length)
                raise self.error(bisect_right(ends[role], place), f"a {role} of {limits.passed('name_length')}")

    def checked_truths(self) -> NDArray[np.float32] | None:
        """The truth values, None when no fact has one; an error at the first that is none."""
        if not any(self.truths):
            return None
        truths = truths_of([text or "1" for text in self.truths])
        if truths is None:
            fact = next(fact for fact, text in enumerate(self.truths) if text and truths_of([text]) is None)
            raise self.error(fact, f"the truth must be a number in [0, 1], not {self.truths[fact]}")
        return truths

    def check_arity(self, rows: Sequence[int], arity: int, gathering: Gathering) -> None:
        """An error at the first of some facts of one arity whose predicate is known with another."""
        clash = gathering.clash([self.predicates[row] for row in rows], arity)
        if clash is not None:
            fact = next(row for row in rows if self.predicates[row] == clash)
            raise self.error(fact, gathering.clash_message(clash, arity))

    def error(self, fact: int, message: str) -> FactFormatError:
        """An error at a fact, whose place is looked up only now."""
        return self.block.error(message, next(islice(FACT.finditer(self.block.text, self.start), fact, None)).start())


def constants_of(arguments: Sequence[str]) -> tuple[list[str], list[int]]:
    """The constants of all facts in one list, and how many each fact has."""
    joined = ",".join(arguments)
    if not any(mark in joined for mark in "'\"%/"):
        names = "".join(joined.split()).split(",")
    elif not any(mark in joined for mark in ("\\", "''", '""')):
        names = [single or double or plain for single, double, plain in TERMS.findall(joined)]
    else:
        names = [
            plain or (unescaped(single, "'") if single else unescaped(double, '"'))
            for single, double, plain in TERMS.findall(joined)
        ]
    if joined.count(",") == len(names) - 1:
        return names, [text.count(",") + 1 for text in arguments]
    return names, [len(TERMS.findall(text)) for text in arguments]  # a comma stands in a name or in a comment


def write_prolog(kb: KnowledgeBase, path: str | Path) -> None:
    """Write all facts, one per line, with their truth in front where it is below 1."""
    write_text(path, facts_text(kb))


def facts_text(kb: KnowledgeBase) -> Iterator[str]:
    """The facts of a knowledge base as lines of Prolog."""
    spelt = [name if PLAIN_TERM.match(name) else quoted(name) for name in kb.constants]
    for name, relation in kb.relations.items():
        predicate = name if PLAIN_ATOM.match(name) else quoted(name)
        for row, truth in zip(relation.facts.tolist(), relation.truths, strict=True):
            prefix = "" if truth == 1 else f"{truth}::"
            yield f"{prefix}{predicate}({', '.join(spelt[id] for id in row)}).\n"
