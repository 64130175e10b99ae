"""The policy of the paper's Gridworld: GoNorth, GoSouth, GoEast and GoWest from S(X, Y) :- P(X, Y), Q(X, Y)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import OptionError
from rulewright.gridworld.grid import DIRECTIONS, MOVES, Cell, Grid
from rulewright.gridworld.policy import RulePolicy
from rulewright.gridworld.situation import CELL, OBSTACLE, TARGET, Situation, situation_of

Operators = Literal["lnn", "neurallp"]

ALPHA = 0.8  # the paper's
ACTIONS = tuple(f"Go{direction}" for direction in DIRECTIONS)
LNN = f"""\
S(X, Y) :- P(X, Y), Q(X, Y).
P in {{{OBSTACLE}*, not {OBSTACLE}*}} over {{{CELL}}}.
Q in {{{TARGET}*, not {TARGET}*}} over {{{CELL}}}.
"""
# The same template with NeuralLP's operators: attention over the predicates, and the product of the two.
NEURALLP = f"""\
S(X, Y) @product :- P(X, Y), Q(X, Y).
P in {{{OBSTACLE}*, not {OBSTACLE}*}} over {{{CELL}}} @attention.
Q in {{{TARGET}*, not {TARGET}*}} over {{{CELL}}} @attention.
"""
TEMPLATES: dict[Operators, str] = {"lnn": LNN, "neurallp": NEURALLP}
ANY_GRID = Grid(np.eye(3, dtype=bool), (0, 2))  # to check the template against; what it looks like does not matter


class GridPolicy(RulePolicy):
    """Rules that walk grids.

    operators   "lnn": LNN-pred and LNN-and; "neurallp": attention and the product
    """

    def __init__(self, operators: Operators = "lnn", alpha: float = ALPHA, seed: int = 0) -> None:
        if operators not in TEMPLATES:
            raise OptionError(f"operators must be one of {', '.join(TEMPLATES)}, not {operators!r}")
        super().__init__(ACTIONS, TEMPLATES[operators], situation_of(ANY_GRID), alpha, seed)

    def probabilities(self, grid: Grid) -> NDArray[np.float64]:
        """(rows, columns, 4): the chance of each step from each cell; 0 at obstacles and at the target."""
        found = np.zeros((*grid.obstacles.shape, len(DIRECTIONS)))
        if grid.free.any():
            found[grid.free] = self.chances(self.view(situation_of(grid)))
        return found

    def walk(self, grid: Grid, start: Cell, most: int = 50, seed: int = 0) -> list[Cell]:
        """The cells an agent stands on, the start first, until it is at the target or has taken `most` steps.

        A step against an obstacle leaves it where it is. The seed decides where several steps are equally good.
        """
        rows, columns = grid.obstacles.shape
        inside = 0 <= start[0] < rows and 0 <= start[1] < columns
        if not inside or grid.obstacles[start]:
            raise OptionError(f"an agent cannot start at {start}: it is no free cell of the {rows} x {columns} grid")
        return walked(grid, self.probabilities(grid), start, most, seed)


def walked(grid: Grid, chances: NDArray[np.float64], start: Cell, most: int, seed: int = 0) -> list[Cell]:
    """A walk by the chances of each step from each cell, as `GridPolicy.walk` has it."""
    blocked = grid.blocked
    rng = np.random.default_rng(seed)
    walk = [start]
    while walk[-1] != grid.target and len(walk) <= most:
        row, column = walk[-1]
        action = int(rng.choice(len(MOVES), p=chances[row, column]))
        down, right = (0, 0) if blocked[row, column, action] else MOVES[action]
        walk.append((row + down, column + right))
    return walk


def joined_grids(grids: Sequence[Grid]) -> Situation:
    """Many grids as one situation."""
    return Situation.joined([situation_of(grid) for grid in grids])
