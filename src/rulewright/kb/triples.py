r"""Triples, one per line: head, relation, tail, and optionally the truth of the fact.

    ann <tab> parent <tab> bob
    bob <tab> likes <tab> cy <tab> 0.8

Lines end in \n or \r\n and blank lines are skipped. Every other line is a fact: # is data, since names of knowledge
graphs hold it. The first fact decides whether there is a truth column.
"""

import csv
import re
from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.errors import FactFormatError, KnowledgeBaseError, OptionError
from rulewright.kb.gathering import Gathering, truths_of
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.text_file import BYTE_ORDER_MARK, DEFAULT_LIMITS, Block, ReadLimits, text_blocks, write_text

ORDER = "head relation tail"
UNWRITABLE = re.compile(rf"[\t\r\n{BYTE_ORDER_MARK}]|\A\Z")
SEPARATORS = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars", " ": "blanks"}


def read_triples(
    path: str | Path,
    *,
    order: str = ORDER,
    separator: str = "\t",
    quotes: bool = False,
    header: bool | None = False,
    encoding: str = "utf-8",
    limits: ReadLimits = DEFAULT_LIMITS,
) -> KnowledgeBase:
    """Read a file of triples; repeated facts are merged and keep their highest truth.

    order      the columns, e.g. "head tail relation"; a fourth column is always the truth
    separator  what stands between columns
    quotes     read "..." as CSV does: a quoted column may hold the separator; blanks before a column are dropped
    header     whether the first line names the columns; None: when it says exactly head, relation, tail (as in `order`)
    """
    if sorted(order.split()) != sorted(ORDER.split()):
        raise OptionError(f"order must name head, relation and tail once each, e.g. {ORDER!r}, not {order!r}")
    if not separator or set(separator) & set('\r\n"') or (quotes and len(separator) > 1):
        raise OptionError(f"separator {separator!r} must be a text without line ends; one character where quotes=True")
    layout = Layout(tuple(order.split()), separator, quotes, limits)
    gathering = Gathering()
    for number, block in enumerate(text_blocks(path, encoding, limits)):
        facts = layout.without_header(block, header) if number == 0 else block
        layout = layout.measured(facts)
        if layout.width:
            layout.gather(facts, gathering)
    return gathering.knowledge_base(path)


@dataclass(frozen=True)
class Layout:
    """How the columns of a line are told apart, and which is which."""

    order: tuple[str, ...]
    separator: str
    quotes: bool
    limits: ReadLimits
    width: int = 0  # columns per line: 3, or 4 with a truth; 0 as long as no fact has been seen

    def without_header(self, block: Block, header: bool | None) -> Block:
        """The first block of a file from its first fact on."""
        end = block.text.index("\n") + 1
        if header is None:
            header = self.columns(block, 0, block.text[: end - 1])[:4] in ([*self.order], [*self.order, "truth"])
        return block.rest(end) if header else block

    def measured(self, block: Block) -> "Layout":
        """The layout with its width, taken from the first fact of the block unless it is known."""
        first = None if self.width else next(block.lines(), None)
        if first is None:
            return self
        width = len(self.columns(block, *first))
        if width not in (3, 4):
            raise self.wrong_width(block, *first, width, "3 columns (head, relation, tail) or 4 (and the truth)")
        return replace(self, width=width)

    def gather(self, block: Block, gathering: Gathering) -> None:
        """Take all facts of a block."""
        fields = self.fast_fields(block.text)
        if fields is None:  # something is out of the ordinary: a blank line, a quote, a mistake
            fields = [column for offset, line in block.lines() for column in self.checked_columns(block, offset, line)]
        truths = None
        if self.width == 4:
            truths = truths_of(fields[3::4])
            del fields[3::4]
        relation = self.order.index("relation")
        relations = fields[relation::3]
        del fields[relation::3]
        if self.order.index("tail") < self.order.index("head"):
            fields[0::2], fields[1::2] = fields[1::2], fields[0::2]
        gathering.add(relations, fields, 2, truths)

    def fast_fields(self, text: str) -> list[str] | None:
        """All columns of all lines in one flat list; None when a line needs a closer look.

        One split for the whole block: each line end becomes a column of its own, so that the lines have the right
        width exactly when every (width + 1)-th column is a line end and no other is.
        """
        if self.quotes and ('"' in text or re.search(rf"(?:\A|\n|{re.escape(self.separator)}) ", text)):
            return None
        lines, step = text.count("\n"), self.width + 1
        fields = text.replace("\n", f"{self.separator}\n{self.separator}").split(self.separator)
        del fields[-1]  # what follows the last line end
        if len(fields) != lines * step or fields[self.width :: step].count("\n") != lines:
            return None
        del fields[self.width :: step]
        lengths = set(map(len, fields))
        if 0 in lengths or max(lengths, default=0) > self.limits.name_length:
            return None
        return None if self.width == 4 and truths_of(fields[3::4]) is None else fields

    def columns(self, block: Block, offset: int, line: str) -> list[str]:
        """The columns of one line."""
        if not self.quotes:
            return line.split(self.separator)
        try:
            return next(csv.reader([line], delimiter=self.separator, skipinitialspace=True, strict=True))
        except csv.Error as mistake:
            raise block.error(f"this is not a line of CSV: {mistake}", offset) from mistake

    def checked_columns(self, block: Block, offset: int, line: str) -> list[str]:
        """The columns of one line, or an error that says what is wrong with it."""
        columns = self.columns(block, offset, line)
        if len(columns) != self.width:
            raise self.wrong_width(block, offset, line, len(columns), f"{self.width} columns, as in the first fact")
        for role, text in zip((*self.order, "truth"), columns, strict=False):
            if not text:
                raise block.error(f"the {role} is empty", offset)
            if len(text) > self.limits.name_length:
                raise block.error(f"the {role} has {self.limits.passed('name_length')}", offset)
            if role == "truth" and truths_of([text]) is None:
                raise block.error(f"the truth must be a number in [0, 1], not {text!r}", offset)
            # Quotes shift the columns; then the error points to the line as a whole.
            offset += 0 if self.quotes else len(text) + len(self.separator)
        return columns

    def wrong_width(self, block: Block, offset: int, line: str, width: int, expected: str) -> FactFormatError:
        """The error for a line with too many or too few columns."""
        kind = SEPARATORS.get(self.separator, repr(self.separator))
        other = next((s for s in SEPARATORS if s != self.separator and len(line.split(s)) in (3, 4)), None)
        advice = "" if other is None else f"; for columns separated by {SEPARATORS[other]} pass separator={other!r}"
        return block.error(f"expected {expected}, separated by {kind}, but found {width}{advice}", offset)


def write_triples(kb: KnowledgeBase, path: str | Path) -> None:
    """Write binary facts as triples, with a fourth column when any fact has a truth below 1."""
    for name, relation in kb.relations.items():
        if relation.arity != 2:
            raise KnowledgeBaseError(f"{name} has {relation.arity} arguments, triples have two; write_prolog takes any")
    for name in (*kb.relations, *kb.constants):
        if UNWRITABLE.search(name):
            raise KnowledgeBaseError(f"a file of triples cannot hold the name {name!r}; write_prolog takes any")
    with_truth = any(relation.truth is not None for relation in kb.relations.values())
    write_text(
        path,
        (
            f"{head}\t{name}\t{tail}" + (f"\t{truth}\n" if with_truth else "\n")
            for name, relation in kb.relations.items()
            for (head, tail), truth in zip(kb.facts_of(name), relation.truths, strict=True)
        ),
    )
