"""Text in boxes: names of any length broken into lines, and how large they come out."""

from __future__ import annotations

import re
from contextlib import suppress

from rulewright.figures.style import TEXT
from rulewright.logic.harmless import harmless

with suppress(ImportError):  # the extra `plot`
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

WIDEST_LINE, MOST_LINES = 24, 3  # characters, lines
LEADING = 1.25  # of the letters' height, from one line to the next
BREAKS = re.compile(r"[\s/._,-]")
POINTS = 72  # to the inch


def wrapped(name: str) -> str:
    """A name in at most three lines, broken after a space or sign where there is one; the middle of a longer one goes.

    >>> print(wrapped("/film/film/country(X, Y)"))
    /film/film/country(X, Y)
    >>> print(wrapped("/location/location/contains_major_portion_of(X, Y)"))
    /location/location/
    contains_major_portion_
    of(X, Y)
    """
    text = harmless(name).replace("\n", r"\n")
    lines = broken(text)
    kept = len(text)
    while len(lines) > MOST_LINES:  # where it breaks decides how much fits
        kept -= 1
        front = kept // 2
        lines = broken(f"{text[:front]}…{text[len(text) - (kept - front) :]}")
    return "\n".join(lines)


def broken(text: str) -> list[str]:
    """The text in lines of at most the widest length, none of them empty."""
    lines = []
    while len(text) > WIDEST_LINE:
        ends = [place.end() for place in BREAKS.finditer(text[:WIDEST_LINE]) if place.end() > WIDEST_LINE // 3]
        arguments = text[:WIDEST_LINE].rfind("(")
        if arguments > WIDEST_LINE // 3:  # they stay together
            ends = [arguments]
        end = ends[-1] if ends else WIDEST_LINE
        lines.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [line for line in (*lines, text) if line] or [" "]


def shortened(name: str, inches: float) -> str:
    """A name on one line that is no longer than so many inches; the middle of a longer one goes."""
    whole = text = harmless(name).replace("\n", r"\n")
    kept = len(whole)
    while kept > 1 and extent(text)[0] > inches:
        kept -= 1
        front = kept // 2
        text = f"{whole[:front]}…{whole[len(whole) - (kept - front) :]}"
    return text


def extent(text: str) -> tuple[float, float]:
    """Width and height in inches that the lines take up at the size of a figure's text."""
    letters = FontProperties(size=TEXT)
    lines = text.split("\n")
    widest = max(TextToPath().get_text_width_height_descent(line, letters, False)[0] for line in lines)
    return widest / POINTS, len(lines) * TEXT * LEADING / POINTS
