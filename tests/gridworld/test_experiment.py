import numpy as np
import pytest

from rulewright.errors import OptionError
from rulewright.gridworld.experiment import METHODS, TESTING, ExperimentSettings, compare, grids_of
from rulewright.gridworld.grid_policy import ACTIONS, GridPolicy
from rulewright.gridworld.learning import PolicyOptions
from rulewright.lnn.norms import ProductAnd
from rulewright.lnn.operators import And, Attention, PredicateMixture

QUICK = ExperimentSettings(
    test_grids=5, points=(0, 1, 3), lnn=PolicyOptions(steps=5), neurallp=PolicyOptions(steps=5, step=0.1)
)


def test_every_method_is_tested_at_every_point_on_the_same_grids() -> None:
    told: list[int] = []
    found = compare(QUICK, seeds=(0, 1), on_step=lambda done, name: told.append(done))
    assert set(found.curves) == set(METHODS)
    assert all(curve.shape == (2, 3) for curve in found.curves.values())
    assert all((curve <= found.ceiling + 0.5).all() and (curve >= -2).all() for curve in found.curves.values())
    assert found.uniform < found.ceiling
    assert told == [0, 1, 2, 3]
    again = compare(QUICK, seeds=(0, 1))
    assert all(np.array_equal(found.curves[name], again.curves[name]) for name in METHODS)


def test_the_ceiling_of_the_experiment_is_what_the_best_step_from_every_cell_earns() -> None:
    found = compare(QUICK, seeds=(3, 4))
    for_each = []
    for seed in (3, 4):
        best = [
            max(grid.rewards[row, column].tolist())
            for grid in grids_of(QUICK, seed, TESTING)
            for row, column in np.argwhere(grid.free).tolist()
        ]
        for_each.append(sum(best) / len(best))
    assert found.ceiling == pytest.approx(sum(for_each) / 2)


def test_the_two_methods_differ_in_their_operators_alone() -> None:
    lnn, other = (GridPolicy(operators) for operators in METHODS.values())
    for action in ACTIONS:
        ours, theirs = lnn.network(action), other.network(action)
        assert [step.leaf.members for step in ours.plan.steps[:2]] == [
            step.leaf.members for step in theirs.plan.steps[:2]
        ]
        assert {type(part) for part in ours.mixtures().values()} == {PredicateMixture}
        assert {type(part) for part in theirs.mixtures().values()} == {Attention}
        assert (type(ours.operator(2)), type(theirs.operator(2))) == (And, ProductAnd)


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(OptionError, match="rising order"):
        ExperimentSettings(points=(5, 1))
    with pytest.raises(OptionError, match="at least one seed"):
        compare(QUICK, seeds=())
