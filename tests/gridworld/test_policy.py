from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.lib.pretty import pretty
from tests.logic.well_formed import EVIL, card

from rulewright.errors import OptionError
from rulewright.gridworld.environment import GridworldEnv
from rulewright.gridworld.grid import Grid, random_grid
from rulewright.gridworld.grid_policy import ACTIONS, GridPolicy, joined_grids
from rulewright.gridworld.policy import RulePolicy
from rulewright.gridworld.situation import Situation, situation_of


def by_hand(policy: GridPolicy) -> GridPolicy:
    """The paper's rules: go where the target is and no obstacle, and rather nowhere near than against an obstacle."""
    for action in ACTIONS:
        network, direction = policy.network(action), action.removeprefix("Go")
        for leaf, predicate in (("P", f"not HasObstacle{direction}"), ("Q", f"HasTarget{direction}")):
            members = [str(member) for member in network.plan.steps["PQ".index(leaf)].leaf.members]
            network.mixtures()[leaf].start_from(torch.tensor([1.0 * (name == predicate) for name in members]))
        parameter = network.operator(2).parameter
        parameter.right_inverse([2.3, 3.0, 2.5])  # a missing target costs less than an obstacle
    return policy.eval()


def test_the_papers_rules_earn_the_most_that_can_be_earned_on_any_grid() -> None:
    rng = np.random.default_rng(0)
    policy = by_hand(GridPolicy())
    for obstacles in (0, 3, 12, 20):
        view = policy.view(joined_grids([random_grid(rng, 5, obstacles) for _ in range(20)]))
        assert policy.reward([view]) == pytest.approx(view.best)


@given(st.integers(2, 4), st.integers(2, 3), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=25)
def test_the_ceiling_is_the_best_of_all_policies_by_brute_force(rows: int, columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = rng.permutation(rows * columns)
    free = int(rng.integers(1, 5))  # at most four cells to start from, so at most 256 policies
    obstacles = np.ones(rows * columns, dtype=bool)
    obstacles[drawn[: free + 1]] = False
    grid = Grid(obstacles.reshape(rows, columns), (int(drawn[0]) // columns, int(drawn[0]) % columns))
    cells = [(row, column) for row, column in np.argwhere(grid.free).tolist()]

    def earned(policy: tuple[int, ...]) -> float:
        """What stepping earns, by the rules of the environment, one step from each cell."""
        env = GridworldEnv(grid=grid)
        total = 0.0
        for cell, action in zip(cells, policy, strict=True):
            env.reset(options={"start": cell})
            total += env.step(action)[1]
        return total / len(cells)

    every = [earned(policy) for policy in product(range(4), repeat=len(cells))]
    assert GridPolicy().view(situation_of(grid)).best == pytest.approx(max(every))


def test_chances_are_those_of_the_most_true_actions() -> None:
    policy = by_hand(GridPolicy())
    grid = Grid(np.zeros((3, 3), dtype=bool), (2, 2))
    assert policy.probabilities(grid)[0, 0].tolist() == [0, 0.5, 0.5, 0]  # south and east are as good
    assert policy.probabilities(grid)[2, 0].tolist() == [0, 0, 1, 0]
    assert policy.probabilities(grid)[2, 2].tolist() == [0, 0, 0, 0]  # at the target nothing is to be done


def test_a_walk_leads_to_the_target_and_steps_from_cell_to_cell() -> None:
    policy = by_hand(GridPolicy())
    walked = policy.walk(Grid(np.zeros((4, 4), dtype=bool), (3, 3)), (0, 0))
    assert walked[0] == (0, 0)
    assert walked[-1] == (3, 3)
    assert len(walked) == 7
    assert policy.walk(Grid(np.zeros((4, 4), dtype=bool), (3, 3)), (0, 0)) == walked  # the same seed


def test_a_walk_ends_where_no_way_leads_on() -> None:
    boxed = np.array([[False, True, False], [True, False, False], [False, False, False]])
    assert set(by_hand(GridPolicy()).walk(Grid(boxed, (2, 2)), (0, 0), most=5)) == {(0, 0)}
    with pytest.raises(OptionError, match="cannot start"):
        GridPolicy().walk(Grid(boxed, (2, 2)), (0, 1))


def test_the_programs_carry_the_actions_names() -> None:
    programs = by_hand(GridPolicy()).programs()
    assert list(programs) == list(ACTIONS)
    (learned,) = programs["GoSouth"].rules
    assert str(learned.rule.head) == "GoSouth(X, Y)"
    assert {"HasTargetSouth(X, Y)", "not HasObstacleSouth(X, Y)"} <= {str(part) for part in learned.rule.body}


def test_where_no_rule_can_speak_all_actions_are_equal() -> None:
    facts = {"Wet": [("today",)], "Day": [("today",), ("monday",)]}
    one = Situation.of(facts, [("today",), ("monday",)], [[1.0, 0.0], [0.0, 1.0]], arity=1)
    policy = RulePolicy(["stay", "go"], "S(X) :- P(X). P in {Wet}.", one)
    assert policy.chances(policy.view(one))[1].tolist() == [0.5, 0.5]


def test_rewards_need_a_column_for_each_action() -> None:
    one = Situation.of({"Day": [("monday",)]}, [("monday",)], [[1.0]], arity=1)
    with pytest.raises(OptionError, match="as many columns"):
        RulePolicy(["stay", "go"], "S(X) :- P(X). P in {Day}.", one)


def test_a_notebook_shows_the_rules_of_every_action() -> None:
    policy = by_hand(GridPolicy())
    text = card(policy).text
    for action in ACTIONS:
        assert f"{action}(X, Y) :- Cell(X, Y), HasTarget{action.removeprefix('Go')}(X, Y)" in text
    assert pretty(policy).splitlines() == [str(rule) for found in policy.programs().values() for rule in found.rules]


def test_a_notebook_shows_names_of_actions_and_predicates_as_they_are() -> None:
    seen = Situation.of({EVIL: [("a",)], "day": [("a",), ("b",)]}, [("a",), ("b",)], np.eye(2), arity=1)
    assert card(RulePolicy([EVIL, "stay"], "S(X) :- P(X). P in *.", seen)).text.count("<script>alert(1)</script>") >= 2
