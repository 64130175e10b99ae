"""The slope of a batch's loss, as it is worked out anew and as a GPU replays it."""

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.grounding.problems import Problem, problems
from tests.training.problem import problem

from rulewright.grounding.ground import ground
from rulewright.grounding.plan import plan
from rulewright.lnn.network import RuleNetwork
from rulewright.training.batches import Batch
from rulewright.training.fit import FitOptions, fit
from rulewright.training.judge import Values
from rulewright.training.labels import Targets
from rulewright.training.objectives import BinaryCrossEntropy
from rulewright.training.slope import Slope

CPU = torch.device("cpu")


def test_the_slope_is_that_of_the_loss_with_its_sparsity_term():
    given_problem = problem()
    network = given_problem.build(0).double()
    parameters = list(network.parameters())
    targets = given_problem.targets
    batch = Batch(targets.positives[:5], targets.negatives[:7])
    slope = Slope(network, Values(given_problem.grounding, CPU), BinaryCrossEntropy(), 0.1, parameters)
    loss, gradients = slope.at(batch)
    for parameter, gradient in zip(parameters, gradients, strict=True):
        for place in range(parameter.numel()):
            moved = []
            for step in (1e-6, -1e-6):
                with torch.no_grad():
                    parameter.view(-1)[place] += step
                moved.append(float(slope.at(batch)[0]))
                with torch.no_grad():
                    parameter.view(-1)[place] -= step
            assert (moved[0] - moved[1]) / 2e-6 == pytest.approx(float(gradient.view(-1)[place]), rel=1e-3, abs=1e-5)
    assert not loss.requires_grad


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@given(problems(), st.integers(0, 3))
@settings(max_examples=30, deadline=None)
def test_a_gpu_trains_alike_whatever_the_operators(problem: Problem, seed: int) -> None:
    grounding = ground(plan(problem.template), problem.kb, allow_empty=True)
    assume(len(grounding) >= 2)
    rows = np.arange(len(grounding))
    targets = Targets(rows[::2], rows[1::2])
    options = FitOptions(epochs=2, restarts=1, batch=1, seed=seed)
    losses = []
    for device in ("cpu", "cuda"):
        _, history = fit(lambda s, d=device: RuleNetwork(grounding.plan, seed=s).to(d), grounding, targets, options)
        losses.append([epoch.loss for epoch in history.epochs])
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-3, atol=1e-4)
