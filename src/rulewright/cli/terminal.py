"""Tables and rules as a person at a terminal sees them: drawn, in colour; a pipe gets plain lines.

rich looks at the terminal and at NO_COLOR, FORCE_COLOR, TERM=dumb and COLUMNS.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rulewright.cli.output import print_text
from rulewright.logic.harmless import harmless

BETWEEN = 3  # blanks between columns
LEAST_ROOM = 20  # for a name or a rule beside the figures

results = Console(highlight=False, markup=False, emoji=False)

# Parts of rules, facts and figures that help the eye; none of them changes a letter.
COLOURS = (
    (r"(?m)^[ │├└─]*[-+]?\d+\.\d+", "bold"),  # the figure that a line begins with
    (r"(?<![\w'\"])[A-Z]\w{0,9}(?=[,)])", "cyan"),  # variables
    (r":-|(?<!\S)not(?=\s)", "magenta"),
)


@dataclass(frozen=True)
class Column:
    """A column's name, and what its cells are: figures stand to the right, rules are coloured, names may be folded."""

    name: str
    kind: str = "name"  # "name", "figure", "rule"


def print_rules(text: str) -> None:
    """Lines that hold rules, facts and figures; a terminal wraps what is too long, and cuts nothing."""
    if results.is_terminal:
        results.print(painted(text), soft_wrap=True)
    else:
        print_text(text)


def print_table(
    columns: Sequence[Column], rows: Iterable[Sequence[str]], plain: Iterable[str], title: str = ""
) -> None:
    """A table for a terminal; elsewhere the plain lines, which say the same."""
    cells = [tuple(map(harmless, row)) for row in rows]
    if not results.is_terminal or is_narrow(columns, cells):
        for line in plain:
            print_rules(line)
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="dim")
    table.title, table.title_justify, table.title_style = Text(harmless(title)) if title else None, "left", "bold"
    for column in columns:
        figure = column.kind == "figure"
        table.add_column(column.name, justify="right" if figure else "left", no_wrap=figure, overflow="fold")
    for row in cells:
        table.add_row(*(painted(c) if k.kind == "rule" else Text(c) for k, c in zip(columns, row, strict=True)))
    results.print(table)


def is_narrow(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> bool:
    """Whether the figures leave so little of the terminal that a name would be folded every few letters."""
    widths = [max(map(len, [column.name, *under])) for column, *under in zip(columns, *cells, strict=True)]
    taken = sum(width for width, column in zip(widths, columns, strict=True) if column.kind == "figure")
    widest = max((width for width, column in zip(widths, columns, strict=True) if column.kind != "figure"), default=0)
    return results.width - taken - BETWEEN * len(columns) < min(widest, LEAST_ROOM)


def painted(text: str) -> Text:
    """The text in colours."""
    shown = Text(harmless(text))
    for pattern, style in COLOURS:
        shown.highlight_regex(pattern, style)
    return shown
