"""An operator learns a truth table, the same each time, and tables that do not fit it are refused."""

import pytest
import torch

from rulewright.errors import OptionError
from rulewright.lnn.norms import ProductAnd
from rulewright.lnn.operators import And, Not
from rulewright.training.truth_table import CONJUNCTION, fit_truth_table


def fitted() -> And:
    return fit_truth_table(And(2, 0.7, generator=torch.Generator().manual_seed(0)), CONJUNCTION)


def test_it_gives_back_the_operator_trained_in_eval_mode_and_the_same_each_time() -> None:
    before = And(2, 0.7, generator=torch.Generator().manual_seed(0))
    once, again = fitted(), fitted()
    assert not once.training
    assert torch.equal(once.weights, again.weights)
    assert not torch.allclose(once.weights, before.weights)


def test_three_inputs_have_eight_rows() -> None:
    operator = fit_truth_table(And(3, 0.9, generator=torch.Generator().manual_seed(0)), [0.0] * 7 + [1.0])
    assert operator(torch.tensor([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])).tolist() == pytest.approx([1.0, 0.0], abs=0.02)


def test_an_operator_without_parameters_stays_as_it_is() -> None:
    negation = fit_truth_table(Not(), [1.0, 0.0])
    assert negation(torch.tensor([[0.25]])).item() == 0.75


@pytest.mark.parametrize("operator", [And(2, 0.9), ProductAnd()])
def test_a_table_of_another_size_is_refused(operator: And | ProductAnd) -> None:
    with pytest.raises(OptionError, match="one truth for each combination, not 3"):
        fit_truth_table(operator, [0.0, 0.0, 1.0])
