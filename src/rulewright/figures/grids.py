"""policy_on_grid(grid, probabilities): a grid with the policy as arrows; walk_animation: an agent walking it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rulewright.errors import OptionError
from rulewright.figures.style import COLUMN, DOTS, FAINT, GREY, INK, LINES, axes_on, beside, figure_of, house
from rulewright.gridworld.grid import DIRECTIONS, MOVES, Cell, Grid

with suppress(ImportError):  # the extra `plot`
    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes
    from matplotlib.patches import Circle, Polygon, Rectangle
    from matplotlib.path import Path

TIE = 1e-6  # actions whose probabilities differ by less are equally good
LONGEST = 0.72  # of a cell: the arrow of an action with probability 1
APART = 0.1  # of a cell: where the arrows of equally good actions start from the middle
WALL = "#5a5a5a"
PAUSE = 4  # frames that the last picture of a walk stays


def policy_on_grid(grid: Grid, probabilities: ArrayLike | None = None, ax: Axes | None = None) -> Axes:
    """Draw a grid: obstacles dark, the target a star, and from each free cell an arrow for its most probable action.

    An arrow is as long as its action is probable; actions equally probable each have one.

    probabilities   (rows, columns, 4), in the order of grid.DIRECTIONS; what stands at obstacles and target is not read
    """
    rows, columns = grid.obstacles.shape
    policy = None if probabilities is None else policy_of(grid, probabilities)
    with house():
        ax = axes_on(ax, COLUMN, COLUMN * rows / columns)
        ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal", xticks=[], yticks=[])
        ax.set_frame_on(False)
        ax.hlines(np.arange(rows + 1) - 0.5, -0.5, columns - 0.5, colors=FAINT, lw=0.8, zorder=1)
        ax.vlines(np.arange(columns + 1) - 0.5, -0.5, rows - 0.5, colors=FAINT, lw=0.8, zorder=1)
        for row, column in np.argwhere(grid.obstacles).tolist():
            ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, color=WALL, lw=0.5, zorder=2))
        star = np.asarray(Path.unit_regular_star(5, innerCircle=0.42).vertices)[:-1] * (
            0.32,
            -0.32,
        )  # rows count downwards
        ax.add_patch(Polygon(star + grid.target[::-1], fc=LINES[2], ec=INK, lw=0.6, zorder=3, label="target"))
        if policy is not None:
            draw_arrows(ax, grid, policy)
        ax.add_patch(Rectangle((-0.5, -0.5), columns, rows, fill=False, ec=GREY, lw=1.2, clip_on=False, zorder=5))
    return ax


def draw_arrows(ax: Axes, grid: Grid, policy: NDArray[np.float64]) -> None:
    """An arrow for each best action of each free cell."""
    best = (policy >= policy.max(axis=-1, keepdims=True) - TIE) & grid.free[..., None]
    row, column, action = np.nonzero(best)
    down, right = np.array(MOVES)[action].T
    length = LONGEST * policy[best]
    # An arrow alone stands in the middle of its cell; several go out from near the middle.
    alone = best.sum(axis=-1)[row, column] == 1
    start = np.where(alone, -length / 2, APART)
    ax.quiver(
        column + start * right,
        row + start * down,
        length * right,
        length * down,
        angles="xy",
        scale_units="xy",
        scale=1,
        units="xy",
        width=0.06,
        headwidth=3.2,
        headlength=3.0,
        headaxislength=2.7,
        minlength=0.1,
        color=LINES[0],
        zorder=3,
    )


def policy_of(grid: Grid, probabilities: ArrayLike) -> NDArray[np.float64]:
    """The probabilities as an array, with 0 where no agent acts."""
    policy = np.asarray(probabilities, dtype=np.float64)
    wanted = (*grid.obstacles.shape, len(DIRECTIONS))
    if policy.shape != wanted:
        raise OptionError(
            f"the probabilities must have the shape {wanted} (rows, columns, actions), not {policy.shape}"
        )
    policy = np.where(grid.free[..., None], policy, 0.0)
    if not ((policy >= 0) & (policy <= 1 + TIE)).all():
        raise OptionError("the probabilities of a free cell must be numbers from 0 to 1")
    return policy


def walk_animation(
    grid: Grid,
    walk: Sequence[Cell],
    probabilities: ArrayLike | None = None,
    ax: Axes | None = None,
    seconds: float = 0.5,
) -> FuncAnimation:
    """An agent walking from cell to cell, the trail behind it, over the grid and, where given, the policy.

    walk      the cells the agent stands on, first to last; twice the same is a step against an obstacle
    seconds   how long it stands on each

    A notebook shows it with `IPython.display.HTML(animation.to_jshtml())`; `save_animation` writes it to a file.
    """
    check_walk(grid, walk)
    path = np.array(walk, dtype=np.float64)
    with house():
        ax = policy_on_grid(grid, probabilities, ax)
        (trail,) = ax.plot([], [], color=LINES[4], lw=3, solid_capstyle="round", alpha=0.8, zorder=2.5)
        agent = Circle((path[0, 1], path[0, 0]), 0.36, fc=LINES[4], ec=INK, lw=1.0, zorder=2.8)
        ax.add_patch(agent)
        count = ax.set_title("", parse_math=False)

        def show(place: int) -> list[Any]:
            trail.set_data(path[: place + 1, 1], path[: place + 1, 0])
            agent.set_center((path[place, 1], path[place, 0]))
            count.set_text(f"step {place} of {len(path) - 1}")
            return [trail, agent, count]

        show(0)
        frames = [*range(len(path)), *[len(path) - 1] * PAUSE]
        return FuncAnimation(figure_of(ax), show, frames, interval=1000 * seconds, repeat=False)


def check_walk(grid: Grid, walk: Sequence[Cell]) -> None:
    """An error for a walk that no agent can have taken."""
    rows, columns = grid.obstacles.shape
    if not walk:
        raise OptionError("a walk needs at least the cell it starts from")
    for row, column in walk:
        if not (0 <= row < rows and 0 <= column < columns) or grid.obstacles[row, column]:
            raise OptionError(f"no agent can stand on {(row, column)}: it is an obstacle or outside of the grid")
    for (row, column), (next_row, next_column) in pairwise(walk):
        if abs(next_row - row) + abs(next_column - column) > 1:
            raise OptionError(f"no single step leads from {(row, column)} to {(next_row, next_column)}")


def save_animation(animation: FuncAnimation, path: str | FilePath, dots: int = DOTS // 2) -> FilePath:
    """Write an animation as GIF, `dots` to the inch. The file appears when it is complete, or not at all."""
    target = FilePath(path)
    if target.suffix.lower() != ".gif":
        raise OptionError(f"cannot write {target.name!r}: an animation's name ends in .gif")
    with house(), beside(target) as unfinished:
        animation.save(unfinished, writer="pillow", dpi=dots)
    return target
