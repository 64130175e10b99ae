import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import InfeasibleOperatorError, OptionError
from rulewright.lnn.norms import (
    LukasiewiczAnd,
    LukasiewiczOr,
    ProductAnd,
    ProductOr,
    WeightedLukasiewicz,
    WeightedProduct,
)
from rulewright.lnn.operators import And, Or

BOOLEAN = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
truths = st.lists(st.floats(0, 1), min_size=1, max_size=5)


@pytest.mark.parametrize("operator", [ProductAnd(), LukasiewiczAnd(clamp="hard")])
def test_a_norm_is_the_boolean_conjunction_at_the_corners(operator):
    assert operator(BOOLEAN).tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("operator", [ProductOr(), LukasiewiczOr(clamp="hard")])
def test_its_dual_is_the_boolean_disjunction(operator):
    assert operator(BOOLEAN).tolist() == [0, 1, 1, 1]


@settings(deadline=None, max_examples=40)
@given(truths)
def test_norms_are_their_formulae(values):
    x = torch.tensor(values, dtype=torch.float64)
    assert ProductAnd().eval()(x) == pytest.approx(x.prod().item())
    assert LukasiewiczAnd().eval()(x) == pytest.approx(max(0.0, x.sum().item() - len(values) + 1))
    assert ProductOr().eval()(x) == pytest.approx(1 - (1 - x).prod().item())
    assert LukasiewiczOr().eval()(x) == pytest.approx(min(1.0, x.sum().item()))


def test_a_product_of_two_slightly_negative_truths_supports_nothing():
    x = torch.tensor([-0.1, -0.1], requires_grad=True)
    assert ProductAnd().raw(x) == 0
    (-ProductAnd().raw(torch.stack([x[0], torch.tensor(0.5)]))).backward()
    assert x.grad[0] == -0.5  # and yet training can pull them up again


def test_plain_norms_have_no_parameters_to_show():
    for operator in (ProductAnd(), ProductOr(), LukasiewiczAnd(), LukasiewiczOr()):
        assert operator.weights is None
        assert operator.bias is None
        assert not list(operator.parameters())


@pytest.mark.parametrize(
    ("norm", "plain", "first"),
    [(WeightedLukasiewicz(), LukasiewiczAnd(), 1.0), (WeightedProduct(), ProductAnd(), 0.0)],  # a bias of 1 either way
)
def test_weighted_norms_with_unit_weights_are_the_plain_norms(norm, plain, first):
    x = torch.rand(7, 3, generator=torch.Generator().manual_seed(0))
    assert norm.bias(torch.tensor(first)) == 1
    assert torch.allclose(norm.combine(torch.tensor(first), torch.ones(3), x), plain.raw(x), atol=1e-6)


def test_a_weighted_product_far_above_1_stays_finite_smooth_and_in_order():
    norm, weights, truths = WeightedProduct(), torch.ones(1, dtype=torch.float64), torch.ones(1, dtype=torch.float64)
    firsts = torch.tensor([0.0, 9.99, 10.01, 700.0, 1e6, 1e30], dtype=torch.float64, requires_grad=True)
    values = torch.stack([norm.combine(first, weights, truths) for first in firsts])
    assert values.isfinite().all()
    assert (values.diff() > 0).all()
    (slopes,) = torch.autograd.grad(values.sum(), firsts)
    assert slopes.isfinite().all()
    assert slopes[1].item() == pytest.approx(slopes[2].item(), rel=0.02)
    assert norm.bias(firsts).isfinite().all()


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 6), st.floats(0.001, 0.999), st.sampled_from([And, Or]), st.integers(0, 99))
def test_weighted_product_keeps_the_truth_table_at_any_feasible_alpha(arity, alpha, kind, seed):
    alpha = 0.5 + alpha / 2
    if 1 - alpha >= alpha**arity:
        with pytest.raises(InfeasibleOperatorError, match=r"1 - alpha < alpha\^"):
            WeightedProduct().cone(alpha, arity)
        return
    operator = kind(arity, alpha, norm=WeightedProduct()).eval()
    operator.parameter.right_inverse(operator.parameter.sample(torch.Generator().manual_seed(seed)))
    one_out, same = 1 - alpha * torch.eye(arity, dtype=torch.float64), torch.full((arity,), alpha, dtype=torch.float64)
    if kind is And:
        assert (operator.raw(one_out) <= 1 - alpha + 1e-6).all()
        assert operator.raw(same) >= alpha - 1e-6
    else:
        assert (operator.raw(1 - one_out) >= alpha - 1e-6).all()
        assert operator.raw(1 - same) <= 1 - alpha + 1e-6


def test_weighted_product_shows_its_bias_as_a_factor():
    operator = And(2, 0.9, norm=WeightedProduct(), fixed=True)
    x = torch.tensor([0.6, 0.7], dtype=torch.float64)
    by_hand = operator.bias * (x**operator.weights).prod()
    assert operator.raw(x).item() == pytest.approx(by_hand.item())
    assert operator.bias > 1


def test_weighted_product_reaches_alphas_that_the_lukasiewicz_norm_cannot():
    with pytest.raises(InfeasibleOperatorError):
        WeightedLukasiewicz().cone(0.7, 3)
    assert WeightedProduct().cone(0.7, 3).margin > 0


def test_weighted_product_cannot_tell_truths_below_a_millionth():
    with pytest.raises(OptionError, match=r"below 0\.999999"):
        WeightedProduct().cone(1, 2)


def test_weighted_product_has_gradients_at_absent_facts():
    operator = And(2, 0.9, norm=WeightedProduct())
    operator(torch.tensor([[0.0, 1.0], [1.0, 1.0]])).sum().backward()
    assert operator.parameter.raw_ray_scales.grad.isfinite().all()
