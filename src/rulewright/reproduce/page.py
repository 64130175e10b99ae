"""One page with every result there is, as HTML that needs no other file, and as Markdown.

Everything is drawn from the reports, whose text may hold names out of data: all of it is escaped.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from rulewright.logic.harmless import harmless
from rulewright.reproduce.circumstances import circumstances_line
from rulewright.reproduce.markdown import plain, report_to_markdown, row_to_markdown, seeds_line
from rulewright.reproduce.report import Picture, Report, Table
from rulewright.reproduce.style import STYLE
from rulewright.reproduce.write import write_file

TITLE = "The paper, reproduced"
INTRODUCTION = (
    "Sen, de Carvalho, Riegel, Gray: Neuro-Symbolic Inductive Logic Programming with Logical Neural Networks (AAAI "
    "2022). Every experiment, from data to table or figure, beside the paper's own values. Made by the command "
    "rulewright reproduce."
)
SHORT = 26  # characters: a mean with its range stays on one line
TYPES = {".png": "image/png", ".svg": "image/svg+xml", ".gif": "image/gif"}


def write_page(reports: Sequence[Report], missing: Mapping[str, str], folder: Path) -> Path:
    """index.html and index.md in the folder of the results; `missing` says of what was not run why."""
    page = folder / "index.html"
    write_file(page, page_to_html(reports, missing, folder))
    write_file(folder / "index.md", page_to_markdown(reports, missing))
    return page


def page_to_markdown(reports: Sequence[Report], missing: Mapping[str, str]) -> str:
    """The page as Markdown; pictures stay in the reports' folders."""
    lines = [
        f"# {TITLE}",
        "",
        plain(INTRODUCTION),
        "",
        "## Summary",
        "",
        "| | | the paper | ours |",
        "|---|---|---|---|",
    ]
    for report in reports:
        for place, headline in enumerate(report.headlines):
            cells = ("" if place else report.title, headline.what, headline.paper, headline.ours)
            lines.append(row_to_markdown(tuple(map(plain, cells))))
    parts = ["\n".join(lines)]
    if missing:
        parts.append("## Not run\n\n" + "\n".join(f"- {plain(name)}: {plain(why)}" for name, why in missing.items()))
    parts += [report_to_markdown(report, f"{report.name}/", level=2) for report in reports]
    return "\n\n".join(parts)


def page_to_html(reports: Sequence[Report], missing: Mapping[str, str], folder: Path) -> str:
    """The page as HTML, its pictures inside it."""
    links = "".join(f'<li><a href="#{safe(report.name)}">{safe(report.title)}</a></li>' for report in reports)
    absent = "".join(f"<li><b>{safe(name)}</b>: {safe(why)}</li>" for name, why in missing.items())
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{safe(TITLE)}</title><style>{STYLE}</style></head><body>",
        f"<header><h1>{safe(TITLE)}</h1><p>{safe(INTRODUCTION)}</p></header>",
        f"<nav><ul>{links}</ul></nav><main>",
        summary_to_html(reports),
        f'<section class="missing"><h2>Not run</h2><ul>{absent}</ul></section>' if missing else "",
        *(report_to_html(report, folder / report.name) for report in reports),
        "</main></body></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def summary_to_html(reports: Sequence[Report]) -> str:
    """The headlines of all reports, each report's below its title."""
    rows = []
    for report in reports:
        title = f'<a href="#{safe(report.name)}">{safe(report.title)}</a>'
        rows.append(f'<tr><th scope="rowgroup" colspan="3">{title}</th></tr>')
        rows += [f"<tr>{row_to_html((one.what, one.paper, one.ours))}</tr>" for one in report.headlines]
    head = "<tr><th></th><th>the paper</th><th>ours</th></tr>"
    table = f'<div class="wide"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'
    return f"<section><h2>Summary</h2>{table}</section>"


def report_to_html(report: Report, folder: Path) -> str:
    """One report as a section; its settings are folded away."""
    settings = safe(json.dumps(report.settings, indent=1, ensure_ascii=False), lines=True)
    remarks = "".join(f"<li>{safe(remark)}</li>" for remark in report.remarks)
    made = (
        f"{seeds_line(report)} {report.seconds:,.0f} seconds in all. {circumstances_line(dict(report.circumstances))}."
    )
    return "\n".join(
        [
            f'<section id="{safe(report.name)}"><h2>{safe(report.title)}</h2>',
            f'<p class="paper">{safe(report.paper)}</p><p>{safe(report.protocol)}</p>',
            *map(table_to_html, report.tables),
            '<div class="pictures">',
            *(picture_to_html(picture, folder) for picture in report.pictures),
            "</div>",
            f"<ul>{remarks}</ul>" if remarks else "",
            f'<p class="made">{safe(made)}</p>',
            f"<details><summary>Settings</summary><pre>{settings}</pre></details></section>",
        ]
    )


def table_to_html(table: Table) -> str:
    """A table that scrolls by itself where the screen is narrow."""
    head = "".join(f"<th>{safe(column)}</th>" for column in table.columns)
    rows = "".join(f"<tr>{row_to_html(row, table.code)}</tr>" for row in table.rows)
    note = f'<p class="note">{safe(table.note)}</p>' if table.note else ""
    return (
        f'<h3>{safe(table.title)}</h3><div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{note}"
    )


def row_to_html(row: Sequence[str], code: Sequence[int] = ()) -> str:
    """The cells of a row; a short one stays on one line."""
    cells = []
    for place, cell in enumerate(row):
        text = f"<code>{safe(cell)}</code>" if place in code and cell else safe(cell)
        cells.append(f'<td class="short">{text}</td>' if len(cell) <= SHORT else f"<td>{text}</td>")
    return "".join(cells)


def picture_to_html(picture: Picture, folder: Path) -> str:
    """A picture as part of the page; nothing where its file is gone."""
    path = folder / Path(picture.file).name
    kind = TYPES.get(path.suffix.lower())
    if kind is None or not path.is_file():
        return ""
    data = b64encode(path.read_bytes()).decode("ascii")
    caption = safe(picture.caption)
    return f'<figure><img src="data:{kind};base64,{data}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'


def safe(text: str, lines: bool = False) -> str:
    """Text for HTML, in an attribute too; what does not print is shown as an escape."""
    shown = harmless(text)
    return escape(shown if lines else shown.replace("\n", " "))
