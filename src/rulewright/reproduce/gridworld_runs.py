"""Gridworld's single runs, kept so that an experiment which was stopped goes on; and walks by what was learned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.ndimage import label

from rulewright.gridworld.experiment import ExperimentSettings, Trial, trial
from rulewright.gridworld.grid import Cell, Grid
from rulewright.gridworld.grid_policy import GridPolicy, Operators, walked
from rulewright.reproduce.journal import Journal

MOST_STEPS = 50  # of a walk


def recalling(journal: Journal) -> Callable[[Operators, ExperimentSettings, int], Trial]:
    """`trial`, but a run that is in the journal is not done again; others are written down."""

    def run(operators: Operators, settings: ExperimentSettings, seed: int) -> Trial:
        name = f"{operators}, seed {seed}"
        found = journal.recall(name)
        if found is not None:
            policy = GridPolicy(operators, settings.alpha, seed)
            state = {
                part: torch.tensor(found["policy"][part], dtype=value.dtype).reshape(value.shape)
                for part, value in policy.state_dict().items()
            }
            policy.load_state_dict(state)
            return Trial(tuple(found["rewards"]), policy.eval())
        done = trial(operators, settings, seed)
        state = done.policy.state_dict()
        journal.keep(
            name, {"rewards": list(done.rewards), "policy": {part: value.tolist() for part, value in state.items()}}
        )
        return done

    return run


@dataclass(frozen=True, eq=False)
class Walks:
    """What an agent does that walks by the rules, from every free cell of some grids.

    grid, probabilities, walk   the longest walk to the target, the first of several, and where it is taken
    cells, connected, arrived   free cells; those from which there is a way; those from which the agent arrives
    """

    grid: Grid
    probabilities: NDArray[np.float64]
    walk: tuple[Cell, ...]
    cells: int
    connected: int
    arrived: int


def walks(policy: GridPolicy, grids: Sequence[Grid]) -> Walks:
    """Walk from everywhere. Where nobody arrives, the walk shown is an agent's that stands at the target."""
    probabilities = policy.probabilities(grids[0])
    shown: tuple[Grid, NDArray[np.float64], tuple[Cell, ...]] = (grids[0], probabilities, (grids[0].target,))
    cells = connected = arrived = 0
    for grid in grids:
        chances = policy.probabilities(grid)
        parts, _ = label(~grid.obstacles)
        cells += int(grid.free.sum())
        connected += int((parts[grid.free] == parts[grid.target]).sum())
        for row, column in np.argwhere(grid.free).tolist():
            walk = walked(grid, chances, (row, column), MOST_STEPS)
            if walk[-1] == grid.target:
                arrived += 1
                if len(walk) > len(shown[2]):
                    shown = grid, chances, tuple(walk)
    return Walks(*shown, cells, connected, arrived)
