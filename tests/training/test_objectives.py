import math
from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import tensor

from rulewright.training.objectives import (
    EPSILON,
    BinaryCrossEntropy,
    MarginRanking,
    SoftmaxCrossEntropy,
    log_inside,
)

NOTHING = torch.empty(0)


def test_margin_ranking_counts_by_how_much_each_pair_misses_the_margin():
    loss = MarginRanking(0.5)(tensor([1.0, 0.4]), tensor([0.2, 0.7]))
    # pairs: 1 beats .2 by enough; 1 beats .7 by .3; .4 beats .2 by .2; .4 is beaten by .7
    assert loss.item() == pytest.approx((0 + 0.2 + 0.3 + 0.8) / 4)


def test_margin_ranking_is_content_once_every_positive_is_ahead():
    assert MarginRanking(0.1)(tensor([0.9, 0.8]), tensor([0.7, 0.1])).item() == 0


def test_binary_cross_entropy_is_the_textbooks_on_truths_between():
    positive, negative = tensor([0.9, 0.5]), tensor([0.2])
    expected = -(math.log(0.9) + math.log(0.5)) / 2 - math.log(0.8)
    assert BinaryCrossEntropy()(positive, negative).item() == pytest.approx(expected)


def test_with_weights_by_number_every_fact_costs_the_same():
    loss = BinaryCrossEntropy.of(2, 6)
    one_positive_wrong = loss(tensor([0.1, 1.0]), torch.zeros(6))
    one_negative_wrong = loss(torch.ones(2), tensor([0.9, 0, 0, 0, 0, 0]))
    assert one_positive_wrong.item() == pytest.approx(one_negative_wrong.item())
    # The scale is that of equal weights: all positives wrong cost as much as they would there.
    assert loss(tensor([0.1, 0.1]), torch.zeros(6)).item() == pytest.approx(-math.log(0.1))


def test_binary_cross_entropy_of_one_kind_alone_is_finite():
    assert BinaryCrossEntropy()(tensor([0.5]), NOTHING).item() == pytest.approx(math.log(2))
    assert BinaryCrossEntropy()(NOTHING, tensor([0.5])).item() == pytest.approx(math.log(2))


def test_softmax_cross_entropy_is_the_chance_of_the_positive_among_the_negatives():
    loss = SoftmaxCrossEntropy(temperature=1.0)(tensor([2.0]), tensor([1.0, 0.0]))
    assert loss.item() == pytest.approx(-math.log(math.e**2 / (math.e**2 + math.e + 1)))


@pytest.mark.parametrize("loss", [MarginRanking(), BinaryCrossEntropy(), SoftmaxCrossEntropy()], ids=lambda x: type(x))
def test_a_truer_positive_and_a_falser_negative_never_cost_more(loss):
    grid = torch.linspace(-0.05, 1.05, 30)
    by_positive = [loss(p[None], tensor([0.4])).item() for p in grid]
    by_negative = [loss(tensor([0.6]), n[None]).item() for n in grid]
    assert all(after <= before + 1e-6 for before, after in pairwise(by_positive))
    assert all(after >= before - 1e-6 for before, after in pairwise(by_negative))


@given(st.floats(-100, 100))
def test_log_inside_is_finite_with_a_finite_slope_that_pulls_up_from_below(truth):
    value = tensor(truth, dtype=torch.float64, requires_grad=True)
    logarithm = log_inside(value)
    logarithm.backward()
    assert math.isfinite(logarithm.item())
    if truth < EPSILON:
        assert value.grad.item() == pytest.approx(1 / EPSILON)  # the tangent
    elif truth > 1:
        assert logarithm.item() == value.grad.item() == 0
    else:
        assert logarithm.item() == pytest.approx(math.log(truth))


@pytest.mark.parametrize("objective", [MarginRanking(), BinaryCrossEntropy(), SoftmaxCrossEntropy()])
@pytest.mark.parametrize("sizes", [(0, 0), (0, 3), (3, 0)])
def test_a_batch_without_one_of_the_two_sides_has_a_loss_that_is_a_number(objective, sizes):
    positive, negative = (torch.full((size,), 0.3, requires_grad=True) for size in sizes)
    loss = objective(positive, negative)
    assert loss.isfinite()
    if loss.requires_grad:
        loss.backward()
    assert all(side.grad is None or side.grad.isfinite().all() for side in (positive, negative))


@pytest.mark.parametrize("objective", [MarginRanking(), BinaryCrossEntropy(), SoftmaxCrossEntropy()])
@pytest.mark.parametrize("size", [1e6, 1e12, 1e30])
def test_values_far_outside_the_truths_have_a_loss_that_is_a_number(objective, size):
    far = torch.tensor([-size, size, 0.5])
    assert objective(far, far.flip(0)).isfinite()
