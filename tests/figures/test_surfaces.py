"""A surface's heights are the operator's truths."""

import numpy as np
import pytest
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rulewright import figures
from rulewright.errors import OptionError
from rulewright.lnn.norms import LukasiewiczAnd, ProductAnd
from rulewright.lnn.operators import And, Or
from rulewright.lnn.truth import Operator


def drawn(ax: Axes) -> NDArray[np.float64]:
    """The corners of all facets, (n, 3): x, y and truth."""
    (facets,) = ax.collections
    return np.concatenate([np.asarray(facet) for facet in facets._faces])


@pytest.mark.parametrize("operator", [LukasiewiczAnd(), ProductAnd(), And(2, 0.7), Or(2, 0.9)], ids=str)
def test_every_corner_of_a_facet_has_the_height_of_the_operators_truth(operator: Operator) -> None:
    corners = drawn(figures.operator_surface(operator))
    truth = operator.eval()(torch.tensor(corners[:, :2]))
    assert corners[:, 2] == pytest.approx(truth.detach().numpy(), abs=1e-5)
    assert {tuple(corner) for corner in corners[:, :2].tolist()} >= {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_inputs_with_unequal_weights_are_drawn_the_right_way_round() -> None:
    operator = And(2, 0.9)
    operator.parameter.right_inverse([1.5, 1.5, 4.0])
    bias, (first, second) = operator.bias.item(), operator.weights.tolist()
    corners = drawn(figures.operator_surface(operator, inputs=("one", "other")))
    expected = np.clip(bias - first * (1 - corners[:, 0]) - second * (1 - corners[:, 1]), 0, 1)
    assert second > first
    assert corners[:, 2] == pytest.approx(expected, abs=1e-5)


def test_the_axes_say_what_is_on_them_and_end_at_0_and_1() -> None:
    ax = figures.operator_surface(ProductAnd(), title="cost $5", inputs=("p(X)", "q\x1b(X)"))
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == ("p(X)", r"q\x1b(X)", "truth")
    assert (ax.get_xlim(), ax.get_ylim(), ax.get_zlim()) == ((0, 1), (0, 1), (0, 1))
    assert ax.get_title() == "cost $5"
    assert not ax.title.get_parse_math()


def test_drawing_leaves_an_operator_in_training_as_it_is_and_shows_the_exact_truth() -> None:
    operator = And(2, 0.7).train()
    corners = drawn(figures.operator_surface(operator))
    assert operator.training
    assert all(parameter.grad is None for parameter in operator.parameters())
    assert corners[:, 2].min() == 0.0
    assert corners[:, 2].max() == 1.0


def test_an_operator_of_three_inputs_has_no_surface() -> None:
    with pytest.raises(OptionError, match="has 3: draw an operator that has two"):
        figures.operator_surface(And(3, 0.9))


def test_flat_axes_are_refused() -> None:
    with pytest.raises(OptionError, match="projection='3d'"):
        figures.operator_surface(ProductAnd(), Figure().add_subplot())


def test_the_five_panels_are_those_of_the_paper() -> None:
    panels = figures.activation_surfaces().axes
    titles = ["(a) Łukasiewicz", "(b) product", "(c) LNN-∧, α = 0.7", "(d) LNN-∧, α = 0.9", "(e) LNN-∨, α = 0.7"]
    assert [panel.get_title() for panel in panels] == titles
    lukasiewicz, product, early, late, either = map(drawn, panels)
    x, y = lukasiewicz[:, 0], lukasiewicz[:, 1]
    assert lukasiewicz[:, 2] == pytest.approx(np.clip(x + y - 1, 0, 1), abs=1e-6)
    assert product[:, 2] == pytest.approx(x * y, abs=1e-6)
    low, high = (x <= 0.3) | (y <= 0.3), (x >= 0.7) & (y >= 0.7)
    assert early[low, 2].max() <= 0.3 + 1e-6
    assert early[high, 2].min() >= 0.7 - 1e-6
    assert late[:, 2].mean() < early[:, 2].mean()  # 'the curve can rise later'
    assert either[(x >= 0.7) | (y >= 0.7), 2].min() >= 0.7 - 1e-6
