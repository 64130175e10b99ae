import numpy as np
import pytest

from rulewright.errors import OptionError
from rulewright.gridworld.experiment import METHODS, ExperimentSettings, compare
from rulewright.gridworld.learning import PolicyOptions

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


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(OptionError, match="rising order"):
        ExperimentSettings(points=(5, 1))
    with pytest.raises(OptionError, match="at least one seed"):
        compare(QUICK, seeds=())
