import pytest
import torch

from rulewright.errors import OptionError
from rulewright.lnn.nonnegative import nonnegative, raw_of, rectify


def gradient(raw, direction):
    """What backward leaves at `raw` for a loss that grows by `direction` with the value."""
    raw = torch.tensor([raw], requires_grad=True)
    (direction * rectify(raw)).sum().backward()
    return raw.grad.item()


def test_rectify_is_relu_forward():
    raw = torch.tensor([-2.0, -0.0, 0.0, 0.5])
    assert torch.equal(rectify(raw), raw.relu())


def test_positive_values_have_the_true_gradient():
    assert gradient(0.5, 3.0) == 3.0
    assert gradient(0.5, -3.0) == -3.0
    raw = torch.rand(5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(rectify, (raw + 0.1,))


@pytest.mark.parametrize("raw", [0.0, -1.0])
def test_a_value_at_zero_can_only_be_pulled_up(raw):
    assert gradient(raw, 3.0) == 0.0  # descending would lead further down
    assert gradient(raw, -3.0) == -3.0  # descending leads back: a plain relu gives 0 here


def test_each_element_decides_for_itself():
    raw = torch.tensor([[-1.0, 1.0], [-1.0, 1.0]], requires_grad=True)
    (rectify(raw) * torch.tensor([[1.0, 1.0], [-1.0, -1.0]])).sum().backward()
    assert raw.grad.tolist() == [[0.0, 1.0], [-1.0, -1.0]]


def test_rectify_works_under_vmap():
    raw = torch.tensor([[-1.0, 2.0], [3.0, -4.0]])
    assert torch.equal(torch.vmap(rectify)(raw), raw.relu())


@pytest.mark.parametrize("activation", ["rectify", "softplus"])
def test_raw_of_inverts_the_activation(activation):
    value = torch.tensor([1e-6, 1e-3, 0.1, 1.0, 30.0, 1000.0], dtype=torch.float64)
    assert torch.allclose(nonnegative(raw_of(value, activation), activation), value, rtol=1e-9, atol=0)


def test_zero_is_exact_with_rectify_and_tiny_with_softplus():
    assert nonnegative(raw_of(torch.zeros(1), "rectify"), "rectify").item() == 0
    assert 0 < nonnegative(raw_of(torch.zeros(1), "softplus"), "softplus").item() < 1e-5


def test_an_unknown_activation_is_refused():
    with pytest.raises(OptionError, match="rectify, softplus"):
        raw_of(torch.ones(1), "relu")
