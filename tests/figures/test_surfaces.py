"""A surface's heights are the operator's truths."""

from itertools import combinations

import numpy as np
import pytest
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
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


@pytest.mark.parametrize(
    "inputs",
    [
        ("x", "y"),
        ("not HasObstacleSouth", "HasTargetSouth"),
        ("p(X)", "/location/location/contains_major_portion_of(X, Y)"),
        ("/location/location/contains_major_portion_of(X, Y)", "/film/film/country(X, Y)"),
        ("W" * 24, "W" * 24),
    ],
)
def test_names_of_any_length_stay_in_the_picture_and_off_the_ticks(inputs: tuple[str, str]) -> None:
    ax = figures.operator_surface(ProductAnd(), inputs=inputs, title="a title")
    figure = ax.get_figure()
    figure.draw_without_rendering()
    names = [axis.label for axis in (ax.xaxis, ax.yaxis, ax.zaxis)]
    ticks = [tick.label1 for axis in (ax.xaxis, ax.yaxis, ax.zaxis) for tick in axis.get_major_ticks()]
    drawn_texts = [*names, ax.title, *(tick for tick in ticks if tick.get_text())]
    corners = [outline(text) for text in drawn_texts]
    page = figure.bbox
    assert all(((one >= 0) & (one <= (page.width, page.height))).all() for one in corners)
    for one, other in combinations(corners, 2):
        assert apart(one, other)


def outline(text: Text) -> NDArray[np.float64]:
    """The corners of a text as it stands there, (4, 2), in pixels."""
    degrees, middle = text.get_rotation(), text.get_window_extent().get_points().mean(axis=0)
    text.set_rotation(0)
    width, height = text.get_window_extent().size
    text.set_rotation(degrees)
    turn = np.deg2rad(degrees)
    flat = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)
    return flat @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))]) + middle


def apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Whether a side of one of two rectangles separates them."""
    for box in (one, other):
        for side in (box[1] - box[0], box[2] - box[1]):
            first, second = one @ side, other @ side
            if first.max() < second.min() or second.max() < first.min():
                return True
    return False


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
