"""Gridworld as a Gymnasium environment: the same grid and rewards, one step at a time."""

from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import MissingExtraError, OptionError
from rulewright.gridworld.grid import DIRECTIONS, MOVES, Cell, Grid, random_grid

gymnasium: Any
try:
    gymnasium = import_module("gymnasium")
    Env: Any = gymnasium.Env
except ImportError:  # the extra `gym`
    gymnasium, Env = None, object

LETTERS = {"free": ".", "obstacle": "#", "target": "T", "agent": "A"}
COLOURS = {"free": (255, 255, 255), "obstacle": (90, 90, 90), "target": (0, 158, 115), "agent": (0, 114, 178)}
PIXELS = 32  # of a cell's side

Observation = dict[str, NDArray[np.int8]]


class GridworldEnv(Env):  # type: ignore[misc]
    """An agent on a random grid, or on a given one; an episode ends at the target or after `most_steps`.

    actions        0 to 3: North, South, East, West
    observations   "obstacles" (4,), "target" (4,): the paper's HasObstacle and HasTarget in each direction
    rewards        +1 towards the target, -1 away from it, -2 against an obstacle, which leaves the agent where it is
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        size: int = 5,
        obstacles: int = 3,
        grid: Grid | None = None,
        most_steps: int = 50,
        render_mode: str | None = None,
    ) -> None:
        if gymnasium is None:
            raise MissingExtraError("the Gymnasium environment", "gym")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError(f"render_mode must be ansi, rgb_array or None, not {render_mode!r}")
        self.size, self.count, self.given, self.most_steps = size, obstacles, grid, most_steps
        self.render_mode = render_mode
        sides = gymnasium.spaces.MultiBinary(len(DIRECTIONS))
        self.observation_space = gymnasium.spaces.Dict({"obstacles": sides, "target": sides})
        self.action_space = gymnasium.spaces.Discrete(len(DIRECTIONS))
        self.grid = grid if grid is not None else random_grid(np.random.default_rng(0), size, obstacles)
        self.agent: Cell = self.grid.target
        self.steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new grid unless one was given, and the agent on a random free cell, or on `options["start"]`."""
        super().reset(seed=seed)
        if self.given is None:
            self.grid = random_grid(self.np_random, self.size, self.count)
        cells = np.argwhere(self.grid.free)
        row, column = (options or {}).get("start", cells[self.np_random.integers(len(cells))])
        if (int(row), int(column)) not in map(tuple, cells.tolist()):
            raise OptionError(f"an agent cannot start at {(int(row), int(column))}: it is no free cell")
        self.agent, self.steps = (int(row), int(column)), 0
        return self.observation(), self.details()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One step: observation, reward, whether the target is reached, whether time is up, details."""
        if not self.action_space.contains(action):
            raise OptionError(f"an action is a whole number from 0 to {len(MOVES) - 1}, not {action!r}")
        row, column = self.agent
        reward = float(self.grid.rewards[row, column, action])
        if not self.grid.blocked[row, column, action]:
            down, right = MOVES[int(action)]
            self.agent = (row + down, column + right)
        self.steps += 1
        return self.observation(), reward, self.agent == self.grid.target, self.steps >= self.most_steps, self.details()

    def observation(self) -> Observation:
        """What the agent sees: the facts of its cell."""
        return {
            "obstacles": self.grid.blocked[self.agent].astype(np.int8),
            "target": self.grid.towards[self.agent].astype(np.int8),
        }

    def details(self) -> dict[str, Any]:
        """Where the agent is, which it does not see itself."""
        return {"agent": self.agent, "target": self.grid.target}

    def render(self) -> str | NDArray[np.uint8] | None:
        """The grid as text, or as a picture (rows, columns, 3)."""
        kinds = np.where(self.grid.obstacles, "obstacle", "free").astype(object)
        kinds[self.grid.target] = "target"
        kinds[self.agent] = "agent"
        if self.render_mode == "ansi":
            return "\n".join("".join(LETTERS[kind] for kind in row) for row in kinds) + "\n"
        if self.render_mode == "rgb_array":
            cells = np.array([[COLOURS[kind] for kind in row] for row in kinds], dtype=np.uint8)
            return cells.repeat(PIXELS, axis=0).repeat(PIXELS, axis=1)
        return None
