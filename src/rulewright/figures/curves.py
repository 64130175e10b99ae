"""Lines over a run: reward_curves (what was earned against what was learned from), training_curve (loss by epoch)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rulewright.errors import OptionError
from rulewright.figures.lettering import extent
from rulewright.figures.style import COLUMN, DASHES, GREY, INK, LINES, MARKERS, axes_on, figure_of, house
from rulewright.logic.harmless import harmless
from rulewright.training.history import History

with suppress(ImportError):  # the extra `plot`
    from matplotlib.axes import Axes

HEIGHT = 2.5  # inches
HANDLE = 0.55  # inches that a legend's line and the gaps around it take


def reward_curves(
    grids: Sequence[float],
    rewards: Mapping[str, ArrayLike],
    *,
    ceiling: float | None = None,
    ax: Axes | None = None,
    labels: tuple[str, str] = ("training grids", "mean reward"),
) -> Axes:
    """Draw each method's mean over its seeds as a line, in a band from its worst to its best seed.

    grids     how many grids each point was learned from
    rewards   by a method's name: (seeds, points), or (points,) for one seed
    ceiling   what the best possible policy earns, as a line across
    labels    of the two axes, for rewards of another kind
    """
    curves = {name: curve(name, values, len(grids)) for name, values in rewards.items()}
    if not curves:
        raise OptionError("there is no method to draw a curve of")
    with house():
        ax = axes_on(ax, COLUMN, HEIGHT + 0.09 * len(curves))
        for place, (name, values) in enumerate(curves.items()):
            colour, marker, dashes = (kinds[place % len(kinds)] for kinds in (LINES, MARKERS, DASHES))
            ax.fill_between(grids, values.min(axis=0), values.max(axis=0), color=colour, alpha=0.18, lw=0)
            ax.plot(grids, values.mean(axis=0), color=colour, marker=marker, ls=dashes, label=harmless(name))
        if ceiling is not None:
            ax.axhline(ceiling, color=INK, lw=0.9, ls=(0, (1, 1.5)), label=f"best possible ({ceiling:.3g})", zorder=1)
        ax.set(xlabel=harmless(labels[0]), ylabel=harmless(labels[1]))
        legend_above(ax)
    return ax


def training_curve(history: History, ax: Axes | None = None) -> Axes:
    """Draw the loss that decides against the epoch, one line for each restart; the kept values are marked.

    For a loss that falls over magnitudes, call `set_yscale("log")` on the axes.
    """
    if not history.epochs or history.best is None:
        raise OptionError("this history holds no epoch: nothing was trained")
    best = history.best
    with house():
        ax = axes_on(ax, COLUMN, HEIGHT)
        for restart, epochs in groupby(history.epochs, key=lambda epoch: epoch.restart):
            kept = restart == best.restart
            points = [(epoch.epoch, epoch.judged) for epoch in epochs]
            ax.plot(
                *zip(*points, strict=True),
                color=LINES[0] if kept else GREY,
                lw=1.6 if kept else 0.9,
                ls="-" if kept else DASHES[1 + restart % (len(DASHES) - 1)],
                label=f"start {restart + 1}" + (" (kept)" if kept else ""),
                zorder=3 if kept else 2,
            )
        ax.plot(
            best.epoch,
            best.judged,
            "o",
            color=INK,
            label=f"epoch {best.epoch}: {best.judged:.3g}",
            zorder=4,
            clip_on=False,
        )
        ax.set(xlabel="epoch", ylabel="loss")
        ax.set_ylim(bottom=0)
        legend_above(ax)
    return ax


def curve(name: str, values: ArrayLike, points: int) -> NDArray[np.float64]:
    """One method's rewards as (seeds, points)."""
    table = np.atleast_2d(np.asarray(values, dtype=np.float64))
    if table.ndim != 2 or table.shape[1] != points or not len(table):
        raise OptionError(
            f"the rewards of {name} have the shape {np.shape(values)}; with {points} points on the x axis it must be "
            f"(seeds, {points})"
        )
    if not np.isfinite(table).all():
        raise OptionError(f"the rewards of {name} hold a value that is not a finite number")
    return table


def legend_above(ax: Axes) -> None:
    """The legend on top, where no line runs, in as many columns as there is room for."""
    widths = [extent(name)[0] + HANDLE for name in ax.get_legend_handles_labels()[1]]
    room = ax.get_position().width * figure_of(ax).get_figwidth()
    fitting = (n for n in range(len(widths), 1, -1) if sum(map(max, np.array_split(widths, n))) <= room)
    columns = next(fitting, 1)
    ax.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, borderaxespad=0.3, handlelength=2.4, columnspacing=1.2
    )
