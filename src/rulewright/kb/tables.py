"""A folder with one CSV or TSV file per predicate: parent.csv holds the facts of parent, one row of constants each.

Any number of columns. In .csv files "..." quotes a constant and blanks before a constant are dropped; in .tsv files
tabs separate and everything else is data. A header is recognised by its mark: the first row is a header when its first
cell starts with # or its last is the word truth. Under a header, a last column named truth holds truth values.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from rulewright.errors import FactFormatError, KnowledgeBaseError
from rulewright.kb.gathering import Gathering, truths_of
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.text_file import DEFAULT_LIMITS, ReadLimits, text_blocks, unreadable

DELIMITERS = {".csv": ",", ".tsv": "\t"}
TRUTH = "truth"
LABELS = "labels"
ROWS_AT_A_TIME = 10_000


def read_tables(
    folder: str | Path,
    *,
    header: bool | None = None,
    encoding: str = "utf-8",
    limits: ReadLimits = DEFAULT_LIMITS,
) -> KnowledgeBase:
    """Read every .csv and .tsv file of a folder as the facts of one predicate, named like the file.

    header  True: every file starts with a header; False: none does; None: look for the mark described above
    """
    files = tables_in(folder)
    if not files:
        raise KnowledgeBaseError(f"{folder} holds no .csv and no .tsv file, so there is no predicate to read")
    for first, second in pairwise(files):
        if first.stem == second.stem:
            raise KnowledgeBaseError(f"{first} and {second.name} hold the same predicate; join or rename them")
    gathering = Gathering()
    for file in files:
        Table(file, encoding, limits).gather(header, gathering)
    return gathering.knowledge_base(folder)


def tables_in(folder: str | Path) -> list[Path]:
    """The files of a folder that hold a predicate each, by name; hidden ones and labels.* are left out.

    A folder may hold a whole problem: then the labels are what is to be learned and must not be among the facts.
    """
    try:
        files = sorted(Path(folder).iterdir())
    except OSError as failure:
        raise unreadable(Path(folder), failure) from failure
    tables = [file for file in files if file.suffix.lower() in DELIMITERS and file.is_file()]
    return [file for file in tables if file.name[0] != "." and file.stem != LABELS]


@dataclass
class Table:
    """One file of rows."""

    path: Path
    encoding: str
    limits: ReadLimits
    line: int = field(default=0, init=False)  # where the last row that was read ends

    def gather(self, header: bool | None, gathering: Gathering) -> None:
        """Take all rows as facts."""
        rows = self.rows()
        first = next(rows, None)
        if first is None:
            return
        if header is None:
            header = first[0].startswith("#") or first[-1] == TRUTH
        width, with_truth = len(first), header and first[-1] == TRUTH
        if width - with_truth < 1:
            raise self.error("a table needs a column of constants besides the truth", first)
        cells = [] if header else self.checked(first, width, with_truth)
        for row in rows:
            cells += self.checked(row, width, with_truth)
            if len(cells) >= ROWS_AT_A_TIME * width:
                self.flush(cells, width, with_truth, gathering)
        if cells:
            self.flush(cells, width, with_truth, gathering)

    def flush(self, cells: list[str], width: int, with_truth: bool, gathering: Gathering) -> None:
        """Take the rows read so far and empty the list."""
        truths = None
        if with_truth:
            truths = truths_of(cells[width - 1 :: width])
            del cells[width - 1 :: width]
        arity = width - with_truth
        gathering.add([self.path.stem] * (len(cells) // arity), cells, arity, truths)
        cells.clear()

    def rows(self) -> Iterator[list[str]]:
        """The rows that are not blank."""
        delimiter = DELIMITERS[self.path.suffix.lower()]
        if delimiter == "\t":
            reader = csv.reader(self.lines(), delimiter=delimiter, quoting=csv.QUOTE_NONE)
        else:
            reader = csv.reader(self.lines(), delimiter=delimiter, skipinitialspace=True, strict=True)
        try:
            for row in reader:
                self.line = reader.line_num
                if row and (len(row) > 1 or row[0].strip(" ")):
                    yield row
        except csv.Error as mistake:
            raise FactFormatError(f"this is not CSV: {mistake}", self.path, reader.line_num) from mistake

    def lines(self) -> Iterator[str]:
        """The lines of the file with their ends, which a quoted cell may hold."""
        for block in text_blocks(self.path, self.encoding, self.limits):
            for line in block.text.split("\n")[:-1]:
                yield line + "\n"

    def checked(self, row: list[str], width: int, with_truth: bool) -> list[str]:
        """The row, or an error that says what is wrong with it."""
        if len(row) != width:
            raise self.error(f"expected {width} columns, as in the first row, but found {len(row)}", row)
        if not all(row):
            raise self.error(f"column {row.index('') + 1} is empty", row)
        if max(map(len, row)) > self.limits.name_length:
            raise self.error(f"a name of {self.limits.passed('name_length')}", row)
        if with_truth and truths_of(row[-1:]) is None:
            raise self.error(f"the truth must be a number in [0, 1], not {row[-1]!r}", row)
        return row

    def error(self, message: str, row: Sequence[str]) -> FactFormatError:
        """An error about the row that was read last; its cells stand for the text, which may span lines."""
        return FactFormatError(message, self.path, self.line, 1, DELIMITERS[self.path.suffix.lower()].join(row))
