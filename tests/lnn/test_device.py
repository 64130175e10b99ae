"""Computing elsewhere than on the CPU: what a machine lacks is told, and gradients have one order."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.grounding.problems import Problem, problems

from rulewright.errors import OptionError
from rulewright.grounding.ground import ground
from rulewright.grounding.plan import plan
from rulewright.lnn.device import device_of
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.segments import Readers, picked
from rulewright.lnn.tensors import lineage_tensors

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")


@pytest.mark.parametrize("name", ["cpu", torch.device("cpu"), "cpu:0"])
def test_what_is_there_is_taken(name):
    assert device_of(name).type == "cpu"


@pytest.mark.parametrize("name", ["", "gpu", "cuda:-1", "cuda:x", "cuda:99", "xla", "meta"])
def test_what_is_not_there_is_told_in_one_line(name):
    with pytest.raises(OptionError, match="cannot be used") as raised:
        device_of(name)
    assert len(str(raised.value).splitlines()) == 1


def test_values_that_nobody_reads_have_no_gradient():
    values = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    rows = torch.tensor([2, 0, 2])
    chosen = picked(values, rows, Readers.of(rows))
    assert chosen.tolist() == [3.0, 1.0, 3.0]
    chosen.backward(torch.tensor([1.0, 10.0, 100.0]))
    assert values.grad.tolist() == [10.0, 0.0, 101.0, 0.0]


def test_nothing_is_read_from_nothing():
    values, rows = torch.ones(2, requires_grad=True), torch.zeros(0, dtype=torch.int64)
    picked(values, rows, Readers.of(rows)).sum().backward()
    assert values.grad.tolist() == [0.0, 0.0]


@given(problems(), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_the_order_of_gradients_changes_no_value_and_no_gradient(problem: Problem, seed: int) -> None:
    grounding = ground(plan(problem.template), problem.kb, allow_empty=True)
    network = RuleNetwork(grounding.plan, seed=seed).double()
    found = []
    for ordered in (False, True):
        network.zero_grad()
        values = network(lineage_tensors(grounding.lineage, ordered=ordered))
        if values.requires_grad:
            (values * torch.arange(1, len(values) + 1)).sum().backward()
        gradients = [p.grad for p in network.parameters() if p.grad is not None]
        found.append((values.tolist(), [g.tolist() for g in gradients]))
    (values, gradients), (ordered_values, ordered_gradients) = found
    assert values == ordered_values
    assert len(gradients) == len(ordered_gradients)
    for one, other in zip(gradients, ordered_gradients, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@needs_gpu
@given(problems(), st.integers(0, 3))
@settings(max_examples=30, deadline=None)
def test_a_gpu_gives_the_same_truths(problem: Problem, seed: int) -> None:
    grounding = ground(plan(problem.template), problem.kb, allow_empty=True)
    network = RuleNetwork(grounding.plan, seed=seed)
    here = network.truths(grounding)
    np.testing.assert_allclose(network.to("cuda").truths(grounding), here, rtol=1e-5, atol=1e-6)
