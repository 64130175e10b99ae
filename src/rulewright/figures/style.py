"""How every figure looks, and how it is written: sizes of print, colours that survive print, files without a date.

Nothing here touches matplotlib's global settings for longer than a drawing takes, opens a window, or needs a display.
The typeface is yours (`font.family` of matplotlib's settings), so names in any script can be shown.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from rulewright.errors import MissingExtraError, OptionError

matplotlib: Any
try:
    matplotlib = import_module("matplotlib")
except ImportError:  # the extra `plot`
    matplotlib = None
with suppress(ImportError):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN, PAGE = 3.35, 7.0  # inches: the widths of one and of both columns of a conference page
TEXT = 9.0  # points
DOTS = 300  # per inch

INK, GREY, FAINT = "#1a1a1a", "#6b6b6b", "#d0d0d0"
# Okabe and Ito's colours for every kind of sight, from dark to light, so that they differ in grey as well.
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (5, 1.5, 1.5, 1.5)), (0, (8, 2)), (0, (3, 1, 1, 1, 1, 1)))
HEIGHTS = "cividis"  # even in brightness, for every kind of sight

STYLE = {
    "font.size": TEXT,
    "axes.titlesize": TEXT + 1,
    "axes.labelsize": TEXT,
    "xtick.labelsize": TEXT,
    "ytick.labelsize": TEXT,
    "legend.fontsize": TEXT,
    "figure.titlesize": TEXT + 1,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.facecolor": "white",
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.bbox": None,
    "legend.frameon": False,
    # A name from data may hold a $; it is never typesetting.
    "text.usetex": False,
    "text.parse_math": False,
    "axes.formatter.use_mathtext": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "rulewright",
}
# No date and no name of the program: the same figure gives the same file.
METADATA: dict[str, dict[str, None]] = {".png": {"Software": None}, ".svg": {"Date": None, "Creator": None}}


@contextmanager
def house() -> Iterator[None]:
    """While it lasts, matplotlib draws in this style; afterwards its settings are as before."""
    if matplotlib is None:
        raise MissingExtraError("drawing a figure", "plot")
    with matplotlib.rc_context(STYLE):
        yield


def axes_on(ax: Axes | None, width: float, height: float, projection: str | None = None) -> Axes:
    """The axes to draw on: those given, or the only ones of a new figure of that size in inches."""
    if ax is None:
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure.add_subplot(projection=projection)
    if projection is not None and ax.name != projection:
        raise OptionError(
            f"this is drawn on {projection} axes, and those given are {ax.name}: "
            f"make them with figure.add_subplot(projection={projection!r})"
        )
    return ax


def save(drawing: Figure | Axes, path: str | Path, dots: int = DOTS) -> Path:
    """Write a figure, or the figure some axes belong to, as PNG or SVG, whichever the name ends in; `dots` to the inch.

    The same drawing gives the same bytes. The file appears when it is complete, or not at all.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in METADATA:
        raise OptionError(f"cannot write {target.name!r}: a figure's name ends in {' or '.join(METADATA)}")
    with house(), beside(target) as unfinished:
        figure_of(drawing).savefig(unfinished, format=suffix[1:], dpi=dots, metadata=METADATA[suffix])
    return target


def figure_of(drawing: Figure | Axes) -> Figure:
    """The whole figure."""
    figure = drawing if isinstance(drawing, Figure) else drawing.get_figure(root=True)
    assert isinstance(figure, Figure)  # axes without a figure are of matplotlib's making, and of no use
    return figure


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """A place to write a file to that then takes the target's place in one step, unless something went wrong."""
    try:
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
            unfinished = Path(folder) / target.name
            yield unfinished
            os.replace(unfinished, target)
    except OSError as cause:
        raise OptionError(f"cannot write the figure {target}: {cause.strerror or cause}") from cause
