"""HTML for notebooks and pages: pieces that escape what they are given, and one style that suits light and dark.

A value that shows itself in a notebook has `_repr_html_`, which makes a card of such pieces. Nothing here names an
outside address, and the style reaches nothing outside of its card: colours and typefaces are those of the page around.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Protocol

from rulewright.logic.harmless import harmless

# Said three times, the card's class outweighs what notebooks say of every table and every piece of code.
STYLE = """
CARD{max-width:60rem;line-height:1.45;overflow-x:auto}
CARD p,CARD ul,CARD pre,CARD table,CARD details{margin:.45em 0}
CARD .title{font-size:1.1em;font-weight:600;overflow-wrap:anywhere}
CARD .section{font-size:1em;font-weight:600;margin-top:1em}
CARD .note{font-size:.9em;opacity:.75}
CARD table{border:0;border-collapse:collapse;font-size:inherit;table-layout:auto;display:table;width:auto}
CARD tr,CARD tbody tr:nth-child(odd),CARD tbody tr:hover{background:none}
CARD th,CARD td{padding:.25em .7em;border:0;border-bottom:1px solid rgba(128,128,128,.35);
text-align:left;vertical-align:top;white-space:normal;max-width:none;background:none;color:inherit;font-size:inherit}
CARD th{font-weight:600}
CARD .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
CARD code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.93em;padding:0;background:none;
color:inherit;overflow-wrap:anywhere}
CARD pre{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em;line-height:1.35;padding:0;
background:none;color:inherit;overflow-x:auto}
CARD ul{padding-left:1.4em}
CARD li span{display:inline-block;overflow-wrap:anywhere}
CARD .absent{opacity:.7;font-style:italic}
CARD summary{cursor:pointer;opacity:.75}
CARD svg{max-width:100%;height:auto}
CARD .bar{display:block;width:5em;height:.6em;margin-top:.45em}
""".replace("CARD", ".rulewright" * 3)
ACCENT = "#3d7fd6"  # seen on white and on black


class Printer(Protocol):
    """The part of IPython's printer that is used."""

    def text(self, obj: str) -> None:
        """Write a piece of text."""


class Shown:
    """A value that IPython shows as it is printed, and a notebook by its `_repr_html_`, not by its fields."""

    def __init_subclass__(cls) -> None:
        # IPython takes a class's own __repr__, which every dataclass has, before what the class inherits.
        cls._repr_pretty_ = Shown._repr_pretty_  # type: ignore[method-assign]

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(harmless(str(self)))


def shown(text: object) -> str:
    """Any text inside HTML; characters that would hide or turn the text around are written as escapes."""
    return escape(harmless(str(text)).replace("\n", "\\n"))


def code(text: object) -> str:
    """A rule, an atom or a name."""
    return f"<code>{shown(text)}</code>"


def card(*pieces: str) -> str:
    """What a notebook shows: the style, and pieces of HTML; empty ones are left out."""
    inside = "\n".join(piece for piece in pieces if piece)
    return f'<div class="rulewright">\n<style>{STYLE}</style>\n{inside}\n</div>'


def title(html: str) -> str:
    """The first line of a card. It is no heading, since those are the notebook's own."""
    return f'<p class="title">{html}</p>'


def note(text: str) -> str:
    """A line in small print; nothing for no text."""
    return f'<p class="note">{shown(text)}</p>' if text else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: int) -> str:
    """A table of HTML cells, the first `numbers` columns of which are figures."""

    def row(cells: Sequence[str], tag: str) -> str:
        marks = [' class="number"' if place < numbers else "" for place in range(len(cells))]
        return "<tr>" + "".join(f"<{tag}{m}>{c}</{tag}>" for m, c in zip(marks, cells, strict=True)) + "</tr>"

    body = "\n".join(row(cells, "td") for cells in rows)
    titles = row([shown(name) for name in head], "th")
    # With a class of its own: a page that lays out bare tables in its own way leaves it alone.
    return f'<table class="rows">\n<thead>{titles}</thead>\n<tbody>\n{body}\n</tbody>\n</table>'


def folded(summary: str, html: str) -> str:
    """HTML that is opened on demand."""
    return f"<details><summary>{shown(summary)}</summary>\n{html}\n</details>" if html else ""


def percent(share: float | None) -> str:
    """A share; nothing where it is not known."""
    return "" if share is None else f"{share:.1%}"


def bar(share: float) -> str:
    """A share of the largest as a bar."""
    wide = 100 * max(0.0, min(1.0, share))
    return (
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="100" height="8" fill="currentColor" fill-opacity="0.12"/>'
        f'<rect width="{wide:.1f}" height="8" fill="{ACCENT}"/></svg>'
    )
