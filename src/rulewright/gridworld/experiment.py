"""compare(settings, seeds): the paper's Gridworld experiment: reward on unseen grids against grids learned from.

LNN-pred and LNN-and stand beside attention and the product t-norm, NeuralLP's operators, in the same code: the same
template, grids, objective and optimiser. Step size, sharpness and sparsity of either were chosen on other seeds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import OptionError
from rulewright.gridworld.grid import Grid, random_grid
from rulewright.gridworld.grid_policy import ALPHA, GridPolicy, Operators, joined_grids
from rulewright.gridworld.learning import PolicyOptions, learn_policy, tidied
from rulewright.gridworld.situation import situation_of

METHODS: Mapping[str, Operators] = {"LNN": "lnn", "NeuralLP operators": "neurallp"}
TRAINING, TESTING = 1, 2  # so that no test grid depends on how many were trained on


def options_of_neurallp() -> PolicyOptions:
    """What suits attention and the product best."""
    return PolicyOptions(step=0.1, sharpness=30.0, sparsity=0.0)


@dataclass(frozen=True)
class ExperimentSettings:
    """The paper's set-up.

    size, obstacles   of the training grids
    test_obstacles, test_grids   of the test grids, which have the same size
    points            numbers of training grids after which the rules are tested
    alpha             of LNN-and
    lnn, neurallp     how either method is trained
    """

    size: int = 5
    obstacles: int = 3
    test_obstacles: int = 12
    test_grids: int = 50
    points: tuple[int, ...] = (0, 1, 2, 4, 6, 8, 10, 15, 20, 30, 40)
    alpha: float = ALPHA
    lnn: PolicyOptions = field(default_factory=PolicyOptions)
    neurallp: PolicyOptions = field(default_factory=options_of_neurallp)

    def __post_init__(self) -> None:
        if not self.points or list(self.points) != sorted({*self.points}) or self.points[0] < 0:
            raise OptionError(f"points must be numbers of grids in rising order, not {self.points}")
        if self.test_grids < 1:
            raise OptionError(f"test_grids must be at least 1, not {self.test_grids}")


@dataclass(frozen=True, eq=False)
class Comparison:
    """What the experiment found.

    grids     numbers of training grids seen
    curves    by method: mean reward over all cells of the test grids, (n_seeds, n_points)
    ceiling   the mean of the best step's reward: what no policy can exceed, exactly, mean over the seeds' test grids
    uniform   what an agent earns that steps at random
    policy    the LNN rules of the first seed after all training grids
    """

    settings: ExperimentSettings
    seeds: tuple[int, ...]
    grids: tuple[int, ...]
    curves: Mapping[str, NDArray[np.float64]]
    ceiling: float
    uniform: float
    policy: GridPolicy


@dataclass(frozen=True, eq=False)
class Trial:
    """One method on one seed."""

    rewards: tuple[float, ...]
    policy: GridPolicy


def compare(
    settings: ExperimentSettings | None = None,
    seeds: Sequence[int] = tuple(range(10)),
    on_step: Callable[[int, str], None] | None = None,
    run: Callable[[Operators, ExperimentSettings, int], Trial] | None = None,
) -> Comparison:
    """Run both methods on every seed; `on_step` is told how many of the runs are done and which comes next.

    `run` may stand in for `trial`, to recall what was run before.
    """
    settings, run = settings or ExperimentSettings(), run or trial
    if not seeds:
        raise OptionError("the experiment needs at least one seed")
    trials: dict[str, list[Trial]] = {name: [] for name in METHODS}
    for done, (seed, name) in enumerate((seed, name) for seed in seeds for name in METHODS):
        if on_step is not None:
            on_step(done, f"{name}, seed {seed}")
        trials[name].append(run(METHODS[name], settings, seed))
    rewards = [np.concatenate([grid.rewards[grid.free] for grid in grids_of(settings, s, TESTING)]) for s in seeds]
    return Comparison(
        settings,
        tuple(seeds),
        settings.points,
        {name: np.array([found.rewards for found in runs]) for name, runs in trials.items()},
        float(np.mean([table.max(axis=1).mean() for table in rewards])),
        float(np.mean([table.mean() for table in rewards])),
        trials["LNN"][0].policy,
    )


def trial(operators: Operators, settings: ExperimentSettings, seed: int) -> Trial:
    """Learn from one grid after the other; what is tested are the rules without the weights that earn nothing."""
    policy = GridPolicy(operators, settings.alpha, seed)
    options = settings.lnn if operators == "lnn" else settings.neurallp
    tests = policy.view(joined_grids(grids_of(settings, seed, TESTING)))
    situations = [situation_of(grid) for grid in grids_of(settings, seed, TRAINING)]
    rewards = [policy.reward([tests])] if 0 in settings.points else []
    found = policy
    for seen in learn_policy(policy, situations, options, seed):
        if seen in settings.points:
            found = tidied(policy, situations[:seen], options)
            rewards.append(found.reward([tests]))
    return Trial(tuple(rewards), found)


def grids_of(settings: ExperimentSettings, seed: int, part: int) -> list[Grid]:
    """The training or the test grids of a seed."""
    rng = np.random.default_rng([seed, part])
    if part == TRAINING:
        count, obstacles = settings.points[-1], settings.obstacles
    else:
        count, obstacles = settings.test_grids, settings.test_obstacles
    return [random_grid(rng, settings.size, obstacles) for _ in range(count)]
