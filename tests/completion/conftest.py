"""Models that several files ask about: Nations, learned lightly under the settings for each shape of graph."""

from dataclasses import replace

import pytest

from rulewright.completion.complete import complete
from rulewright.completion.model import CompletionModel
from rulewright.completion.presets import DENSE, SMALL, SPARSE
from rulewright.kb.datasets import load_dataset
from rulewright.paths.mine import MiningLimits

LIGHT = {"paths": 60, "mined": 100, "queries": 120, "hard": 40, "easy": 10, "epochs": 4}
NARROW = MiningLimits(branch=20, table=16)


@pytest.fixture(scope="session", params=["small", "sparse", "dense"])
def nations(request: pytest.FixtureRequest) -> CompletionModel:
    shape = {"small": SMALL, "sparse": SPARSE, "dense": DENSE}[request.param]
    light = replace(shape, **LIGHT, length=min(shape.length, 3), folds=4, used_folds=2, limits=NARROW)
    return complete(load_dataset("nations"), light)
