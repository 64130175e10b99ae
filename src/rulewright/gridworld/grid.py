"""A grid: obstacles, a target, and what every step is worth (paper, Gridworld, "Predicates, Template and Rewards").

Row 0 is the northernmost, column 0 the westernmost. What lies beyond the edge counts as an obstacle.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import OptionError

DIRECTIONS = ("North", "South", "East", "West")
MOVES = ((-1, 0), (1, 0), (0, 1), (0, -1))  # (rows, columns), in the order of DIRECTIONS
TOWARDS, AWAY, BLOCKED = 1.0, -1.0, -2.0

Cell = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Grid:
    """An N x N grid."""

    obstacles: NDArray[np.bool_]  # (rows, columns)
    target: Cell

    def __post_init__(self) -> None:
        rows, columns = self.obstacles.shape
        inside = 0 <= self.target[0] < rows and 0 <= self.target[1] < columns
        if not inside or self.obstacles[self.target]:
            raise OptionError(f"the target {self.target} must be a free cell of the {rows} x {columns} grid")

    @property
    def free(self) -> NDArray[np.bool_]:
        """(rows, columns): the cells an agent can stand on and has somewhere to go from, all but the target."""
        free = ~self.obstacles
        free[self.target] = False
        return free

    @property
    def blocked(self) -> NDArray[np.bool_]:
        """(rows, columns, 4): whether the next cell in each direction is an obstacle or beyond the edge."""
        rows, columns = self.obstacles.shape
        walled = np.pad(self.obstacles, 1, constant_values=True)
        shifted = [walled[1 + down : 1 + down + rows, 1 + right : 1 + right + columns] for down, right in MOVES]
        return np.stack(shifted, axis=-1)

    @property
    def towards(self) -> NDArray[np.bool_]:
        """(rows, columns, 4): whether the target lies in each direction, as seen from each cell."""
        row, column = np.indices(self.obstacles.shape)
        down, right = self.target
        return np.stack([row > down, row < down, column < right, column > right], axis=-1)

    @property
    def rewards(self) -> NDArray[np.float64]:
        """(rows, columns, 4): what a step in each direction earns."""
        return np.where(self.blocked, BLOCKED, np.where(self.towards, TOWARDS, AWAY))


def random_grid(rng: np.random.Generator, size: int = 5, obstacles: int = 3) -> Grid:
    """A grid with the target and so many obstacles on cells drawn uniformly at random, no two on one."""
    if size < 2 or not 0 <= obstacles < size * size - 1:
        raise OptionError(
            f"a grid of {size} x {size} cannot hold {obstacles} obstacles, a target and a cell to start from"
        )
    drawn = rng.choice(size * size, size=obstacles + 1, replace=False)
    blocked = np.zeros(size * size, dtype=bool)
    blocked[drawn[1:]] = True
    row, column = divmod(int(drawn[0]), size)
    return Grid(blocked.reshape(size, size), (row, column))
