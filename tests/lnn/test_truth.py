import pytest
import torch

from rulewright.errors import OptionError
from rulewright.lnn.norms import LukasiewiczOr
from rulewright.lnn.truth import LEAK

OUTSIDE_AND_IN = torch.tensor([[0.2, 0.3], [0.9, 0.8], [-0.5, 0.2], [1.0, 0.0]])  # sums .5, 1.7, -.3, 1


def test_the_hard_clamp_is_relu1():
    operator = LukasiewiczOr(clamp="hard")
    assert torch.allclose(operator(OUTSIDE_AND_IN), torch.tensor([0.5, 1.0, 0.0, 1.0]))


def test_the_leaky_clamp_adds_a_hundredth_of_what_it_cuts_off():
    operator = LukasiewiczOr()
    assert torch.allclose(operator(OUTSIDE_AND_IN), torch.tensor([0.5, 1.007, -0.003, 1.0]))


def test_in_eval_mode_every_clamp_is_hard():
    leaky, hard = LukasiewiczOr(clamp="leaky").eval(), LukasiewiczOr(clamp="hard")
    assert torch.equal(leaky(OUTSIDE_AND_IN), hard(OUTSIDE_AND_IN))


def test_gradients_live_outside_only_where_the_clamp_leaks():
    for clamp, outside in (("hard", 0.0), ("leaky", LEAK)):
        x = OUTSIDE_AND_IN.clone().requires_grad_()
        LukasiewiczOr(clamp=clamp)(x).sum().backward()
        assert torch.allclose(x.grad[:, 0], torch.tensor([1.0, outside, outside, 1.0]))


def test_raw_keeps_the_order_of_values_that_the_clamp_ties():
    operator = LukasiewiczOr().eval()
    x = torch.tensor([[0.7, 0.8], [0.9, 0.9]])
    assert operator(x).unique().tolist() == [1.0]
    assert operator.raw(x).diff() > 0


def test_an_unknown_clamp_is_refused():
    with pytest.raises(OptionError, match="leaky, hard"):
        LukasiewiczOr(clamp="sigmoid")
