"""A grid shows its obstacles, its target, and the policy it was given; an agent walks the cells it was given."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Polygon, Rectangle
from matplotlib.quiver import Quiver
from numpy.typing import NDArray
from PIL import Image

from rulewright import figures
from rulewright.errors import OptionError
from rulewright.gridworld.grid import DIRECTIONS, Cell, Grid, random_grid

NORTH, SOUTH, EAST, WEST = np.eye(4)
GRID = Grid(np.array([[False, True, False], [False, False, False]]), (0, 2))
WALK = [(0, 0), (0, 0), (1, 0), (1, 1), (1, 2), (0, 2)]


def policy(**cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """North everywhere, but for cells named by row and column: r1c2=EAST."""
    table = np.tile(NORTH, (2, 3, 1))
    for name, probabilities in cells.items():
        table[int(name[1]), int(name[3])] = probabilities
    return table


def arrows(ax: Axes) -> dict[Cell, list[tuple[float, float]]]:
    """By row and column of a cell, its arrows as (down, right)."""
    (drawn,) = (artist for artist in ax.collections if isinstance(artist, Quiver))
    found: dict[Cell, list[tuple[float, float]]] = {}
    for x, y, right, down in zip(drawn.X, drawn.Y, drawn.U, drawn.V, strict=True):
        found.setdefault((round(float(y)), round(float(x))), []).append((float(down), float(right)))
    return found


def test_obstacles_and_target_stand_in_their_cells_with_row_0_on_top() -> None:
    ax = figures.policy_on_grid(GRID)
    filled = [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_fill()]
    assert [patch.get_center().tolist() for patch in filled] == [[1, 0]]
    (star,) = (patch for patch in ax.patches if isinstance(patch, Polygon))
    assert np.abs(star.get_xy() - (2, 0)).max() < 0.5
    assert ax.get_ylim() == (1.5, -0.5)
    assert ax.get_xlim() == (-0.5, 2.5)


def test_every_free_cell_but_the_target_has_an_arrow_in_the_direction_of_its_best_action() -> None:
    ax = figures.policy_on_grid(GRID, policy(r0c0=SOUTH, r1c0=EAST, r1c1=WEST, r1c2=NORTH))
    directions = {cell: np.sign(arrow).tolist() for cell, arrow in arrows(ax).items()}
    assert directions == {(0, 0): [[1, 0]], (1, 0): [[0, 1]], (1, 1): [[0, -1]], (1, 2): [[-1, 0]]}


def test_an_arrow_is_as_long_as_its_action_is_probable() -> None:
    ax = figures.policy_on_grid(GRID, policy(r0c0=SOUTH, r1c0=np.array([0.1, 0.2, 0.5, 0.2])))
    found = arrows(ax)
    assert found[1, 0][0][1] == pytest.approx(0.5 * found[0, 0][0][0])


def test_equally_good_actions_each_have_an_arrow_and_none_leaves_the_cell() -> None:
    ax = figures.policy_on_grid(GRID, policy(r1c1=np.array([0.5, 0, 0.5, 0]), r1c0=np.full(4, 0.25)))
    found = arrows(ax)
    assert len(found[1, 1]) == 2
    assert len(found[1, 0]) == 4
    (drawn,) = (artist for artist in ax.collections if isinstance(artist, Quiver))
    ends = np.stack([drawn.X + drawn.U, drawn.Y + drawn.V])
    assert np.abs(ends - np.round(ends)).max() < 0.5


def test_what_stands_at_obstacles_is_not_read() -> None:
    nowhere = np.full(4, np.nan)
    assert (0, 1) not in arrows(figures.policy_on_grid(GRID, policy(r0c1=nowhere, r0c2=nowhere)))


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        (np.zeros((3, 2, 4)), r"\(2, 3, 4\) .* not \(3, 2, 4\)"),
        (policy(r1c1=np.array([2.0, 0, 0, 0])), "from 0 to 1"),
        (policy(r1c1=np.array([np.nan, 0, 0, 0])), "from 0 to 1"),
    ],
)
def test_probabilities_that_are_none_are_refused(probabilities: NDArray[np.float64], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        figures.policy_on_grid(GRID, probabilities)


def test_the_agent_stands_on_each_cell_of_its_walk_in_turn_with_the_trail_behind_it(tmp_path: Path) -> None:
    animation = figures.walk_animation(GRID, WALK, policy())
    seen = []
    for place in range(len(WALK)):
        trail, agent, count = animation._func(place)
        x, y = agent.get_center()
        seen.append((y, x))
        assert list(zip(trail.get_ydata(), trail.get_xdata(), strict=True)) == WALK[: place + 1]
        assert count.get_text() == f"step {place} of 5"
    assert seen == WALK
    figures.save_animation(animation, tmp_path / "walk.gif", dots=50)


def test_an_animation_is_written_with_a_frame_for_each_cell_and_the_same_each_time(tmp_path: Path) -> None:
    once, again = (
        figures.save_animation(figures.walk_animation(GRID, WALK, seconds=0.2), tmp_path / name, dots=50)
        for name in ("a.gif", "b.gif")
    )
    with Image.open(once) as picture:
        assert picture.n_frames == len(WALK)
        assert picture.info["duration"] == 200
    assert once.read_bytes() == again.read_bytes()


def test_an_animation_is_a_gif(tmp_path: Path) -> None:
    animation = figures.walk_animation(GRID, WALK)
    with pytest.raises(OptionError, match=r"ends in \.gif"):
        figures.save_animation(animation, tmp_path / "walk.png")
    figures.save_animation(animation, tmp_path / "walk.gif", dots=50)


@pytest.mark.parametrize(
    ("walk", "message"),
    [
        ([], "at least the cell"),
        ([(0, 0), (0, 1)], r"no agent can stand on \(0, 1\)"),
        ([(0, 0), (-1, 0)], r"no agent can stand on \(-1, 0\)"),
        ([(0, 0), (1, 1)], r"no single step leads from \(0, 0\) to \(1, 1\)"),
    ],
)
def test_a_walk_that_nobody_can_take_is_refused(walk: list[Cell], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        figures.walk_animation(GRID, walk)


def test_a_random_grids_rewards_point_away_from_obstacles_and_the_edge() -> None:
    grid = random_grid(np.random.default_rng(3))
    best = (grid.rewards == grid.rewards.max(axis=-1, keepdims=True)) / len(DIRECTIONS)
    for (row, column), each in arrows(figures.policy_on_grid(grid, best)).items():
        for down, right in np.sign(each).astype(int).tolist():
            there = (row + down, column + right)
            assert min(there) >= 0
            assert max(there) < 5
            assert not grid.obstacles[there]
