"""Settings that make no sense are refused."""

import math
from typing import Any

import pytest
from tests.completion.toys import quick

from rulewright.completion.constants import ConstantSettings
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import OptionError


@pytest.mark.parametrize(
    "wrong",
    [
        {"length": 0},
        {"length": 11},
        {"length": "3"},
        {"paths": 1.5},
        {"paths": 1 << 40},
        {"folds": 1},
        {"used_folds": 5},
        {"queries": 0},
        {"epochs": True},
        {"rate": 0},
        {"rate": math.inf},
        {"sharpness": -1.0},
        {"sparsity": math.nan},
        {"seed": -1},
        {"hard": 0, "easy": 0},
        {"objective": "hinge"},
        {"walker": "drunk"},
        {"direct": 1},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        quick(**wrong)


@pytest.mark.parametrize("wrong", [{"support": 0}, {"per_answer": -1}, {"epochs": 1.0}, {"rate": math.nan}])
def test_settings_of_rules_with_constants_are_checked_too(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        ConstantSettings(**wrong)


def test_the_default_settings_are_fine() -> None:
    assert CompletionSettings().constants is None
