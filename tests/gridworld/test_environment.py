import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from rulewright.errors import OptionError
from rulewright.gridworld.environment import PIXELS, GridworldEnv
from rulewright.gridworld.grid import MOVES, Grid, random_grid

# The checker warns that an environment made by hand has no spec, which is so.
pytestmark = pytest.mark.filterwarnings("ignore:.*not having a spec.*:UserWarning")


@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array"])
def test_it_passes_gymnasiums_own_checker(mode: str | None) -> None:
    check_env(GridworldEnv(render_mode=mode))


def test_its_rewards_and_moves_are_those_of_the_grid() -> None:
    grid = random_grid(np.random.default_rng(1), 4, 5)
    env = GridworldEnv(grid=grid)
    for row, column in np.argwhere(grid.free).tolist():
        for action, (down, right) in enumerate(MOVES):
            seen, _ = env.reset(seed=0, options={"start": (row, column)})
            assert seen["obstacles"].tolist() == grid.blocked[row, column].tolist()
            assert seen["target"].tolist() == grid.towards[row, column].tolist()
            _, reward, ended, _, details = env.step(action)
            assert reward == grid.rewards[row, column, action]
            moved = (row, column) if grid.blocked[row, column, action] else (row + down, column + right)
            assert details["agent"] == moved
            assert ended == (moved == grid.target)


def test_an_episode_is_cut_off_after_the_most_steps() -> None:
    env = GridworldEnv(grid=Grid(np.zeros((3, 3), dtype=bool), (2, 2)), most_steps=2)
    env.reset(options={"start": (0, 0)})
    assert env.step(0)[3] is False
    assert env.step(0)[3] is True


def test_the_same_seed_gives_the_same_grid_and_start() -> None:
    (one, first), (two, second) = ((env, env.reset(seed=5)[1]) for env in (GridworldEnv(), GridworldEnv()))
    assert first == second
    assert np.array_equal(one.grid.obstacles, two.grid.obstacles)


def test_it_can_be_looked_at() -> None:
    grid = Grid(np.array([[False, True], [False, False]]), (1, 1))
    env = GridworldEnv(grid=grid, render_mode="ansi")
    env.reset(options={"start": (0, 0)})
    assert env.render() == "A#\n.T\n"
    env.render_mode = "rgb_array"
    assert env.render().shape == (2 * PIXELS, 2 * PIXELS, 3)


def test_what_cannot_be_done_is_refused() -> None:
    env = GridworldEnv()
    env.reset(seed=0)
    with pytest.raises(OptionError, match="from 0 to 3"):
        env.step(4)
    with pytest.raises(OptionError, match="no free cell"):
        env.reset(options={"start": (9, 9)})
    with pytest.raises(OptionError, match="render_mode"):
        GridworldEnv(render_mode="human")
