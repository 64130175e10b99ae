"""A report as Markdown."""

import json
import re
from urllib.parse import quote

from rulewright.logic.harmless import harmless
from rulewright.reproduce.circumstances import circumstances_line
from rulewright.reproduce.report import Report, Table

SPECIAL = set("\\`*_[]<>|#&$~")  # of Markdown and of the HTML inside it


def report_to_markdown(report: Report, pictures: str = "", level: int = 1) -> str:
    """The report under a heading of that level; `pictures` is the way from the page to the report's folder."""
    head = "#" * level
    parts = [f"{head} {plain(report.title)}", plain(report.paper), f"Protocol: {plain(report.protocol)}"]
    parts += [table_to_markdown(table, f"{head}#") for table in report.tables]
    parts += [f"![{plain(picture.caption)}]({quote(pictures + picture.file)})" for picture in report.pictures]
    if report.remarks:
        parts.append("\n".join(f"- {plain(remark)}" for remark in report.remarks))
    made = plain(circumstances_line(dict(report.circumstances)))
    parts.append(f"{seeds_line(report)} {report.seconds:,.0f} seconds in all. {made}.")
    settings = json.dumps(report.settings, indent=1)
    parts.append(f"{head}# Settings\n\n```json\n{settings}\n```")
    return "\n\n".join(parts) + "\n"


def seeds_line(report: Report) -> str:
    """The seeds in words."""
    if not report.seeds:
        return "Nothing in it is random."
    return f"{'Seed' if len(report.seeds) == 1 else 'Seeds'} {', '.join(map(str, report.seeds))}."


def table_to_markdown(table: Table, head: str) -> str:
    """A table under its heading, its note below."""
    lines = [f"{head} {plain(table.title)}", "", row_to_markdown(tuple(map(plain, table.columns)))]
    lines.append("|" + "---|" * len(table.columns))
    for row in table.rows:
        cells = (code(cell) if place in table.code else plain(cell) for place, cell in enumerate(row))
        lines.append(row_to_markdown(tuple(cells)))
    return "\n".join([*lines, "", plain(table.note)] if table.note else lines)


def row_to_markdown(cells: tuple[str, ...]) -> str:
    """A row of cells that are Markdown already."""
    return "| " + " | ".join(cells) + " |"


def plain(text: str) -> str:
    r"""Text that means nothing to Markdown, and on one line.

    >>> print(plain("a_b <c> | d"))
    a\_b \<c\> \| d
    """
    return "".join(f"\\{c}" if c in SPECIAL else c for c in visible(text))


def code(text: str) -> str:
    """Text in type of equal width, with a fence longer than any inside it; a bar would end the table's cell."""
    if not text:
        return ""
    text = visible(text).replace("|", "\\|")
    inside = re.findall("`+", text)
    fence, space = "`" * (1 + max(map(len, inside), default=0)), " " if inside else ""
    return f"{fence}{space}{text}{space}{fence}"


def visible(text: str) -> str:
    """The text on one line, with everything that does not print, or would change the direction, as an escape."""
    return harmless(text).replace("\n", " ")
