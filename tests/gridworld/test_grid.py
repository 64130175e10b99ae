import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import OptionError
from rulewright.gridworld.grid import AWAY, BLOCKED, DIRECTIONS, MOVES, TOWARDS, Grid, random_grid

SOUTH, EAST, WEST = (DIRECTIONS.index(name) for name in ("South", "East", "West"))


def small() -> Grid:
    """Target in the south east, one obstacle above it.

    ..#
    ..T
    """
    return Grid(np.array([[False, False, True], [False, False, False]]), (1, 2))


def test_a_step_towards_the_target_earns_one_and_away_from_it_costs_one() -> None:
    rewards = small().rewards
    assert rewards[0, 0, SOUTH] == TOWARDS == 1
    assert rewards[0, 1, WEST] == AWAY == -1


def test_a_step_against_an_obstacle_or_the_edge_costs_two_wherever_the_target_lies() -> None:
    rewards = small().rewards
    assert rewards[0, 1, EAST] == BLOCKED == -2  # towards the target, but there is an obstacle
    assert rewards[0, 0, WEST] == BLOCKED


def test_moving_in_the_targets_own_row_or_column_past_it_is_away() -> None:
    assert small().rewards[1, 0, DIRECTIONS.index("North")] == AWAY  # the target is straight east


def test_an_agent_can_stand_on_free_cells_other_than_the_target() -> None:
    assert small().free.tolist() == [[True, True, False], [True, True, False]]


@given(st.integers(2, 7), st.data(), st.integers(0, 2**32 - 1))
def test_rewards_follow_from_one_step_taken_by_hand(size: int, data: st.DataObject, seed: int) -> None:
    grid = random_grid(np.random.default_rng(seed), size, data.draw(st.integers(0, size * size - 2)))
    rewards = grid.rewards
    for row, column in np.argwhere(grid.free).tolist():
        for action, (down, right) in enumerate(MOVES):
            there = (row + down, column + right)
            inside = all(0 <= at < size for at in there)
            before, after = (abs(grid.target[0] - r) + abs(grid.target[1] - c) for r, c in ((row, column), there))
            wanted = -2 if not inside or grid.obstacles[there] else 1 if after < before else -1
            assert rewards[row, column, action] == wanted


@given(st.integers(2, 8), st.data())
def test_a_random_grid_has_what_was_asked_for(size: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, size * size - 2))
    grid = random_grid(np.random.default_rng(data.draw(st.integers(0, 1000))), size, count)
    assert grid.obstacles.shape == (size, size)
    assert grid.obstacles.sum() == count
    assert not grid.obstacles[grid.target]


def test_obstacles_are_spread_evenly_over_all_cells() -> None:
    rng = np.random.default_rng(0)
    met = sum(random_grid(rng, 3, 2).obstacles.astype(int) for _ in range(2000))
    assert np.all(np.abs(met / 2000 - 2 / 9) < 0.05)


@pytest.mark.parametrize(("size", "obstacles"), [(1, 0), (3, 8), (3, -1)])
def test_a_grid_that_cannot_be_is_refused(size: int, obstacles: int) -> None:
    with pytest.raises(OptionError, match="cannot hold"):
        random_grid(np.random.default_rng(0), size, obstacles)


@pytest.mark.parametrize("target", [(0, 2), (2, 0), (-1, 0)])
def test_the_target_must_be_a_free_cell(target: tuple[int, int]) -> None:
    with pytest.raises(OptionError, match="must be a free cell"):
        Grid(small().obstacles, target)
