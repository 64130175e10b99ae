"""Curves show the means, bands and losses they were given."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from rulewright import figures
from rulewright.errors import OptionError
from rulewright.training.history import Epoch, History

GRIDS = [1, 2, 5]
REWARDS = {"LNN": [[0.0, 1.0, 2.0], [2.0, 2.0, 3.0], [1.0, 3.0, 4.0]], "other": [0.5, 0.25, 0.0]}


def test_a_line_is_the_mean_over_the_seeds_and_its_band_goes_from_the_worst_to_the_best() -> None:
    ax = figures.reward_curves(GRIDS, REWARDS)
    assert [line.get_label() for line in ax.lines] == ["LNN", "other"]
    assert ax.lines[0].get_xydata().tolist() == [[1, 1], [2, 2], [5, 3]]
    assert ax.lines[1].get_ydata().tolist() == [0.5, 0.25, 0.0]
    (outline,) = ax.collections[0].get_paths()
    corners = {tuple(corner) for corner in outline.vertices.tolist()}
    assert corners == {(1, 0), (2, 1), (5, 2), (1, 2), (2, 3), (5, 4)}


def test_the_ceiling_is_a_level_line_named_with_its_value() -> None:
    ceiling = figures.reward_curves(GRIDS, REWARDS, ceiling=4.25).lines[-1]
    assert list(ceiling.get_ydata()) == [4.25, 4.25]
    assert ceiling.get_label() == "best possible (4.25)"


def test_methods_differ_in_colour_and_marker_and_dashes_and_all_stand_in_the_legend() -> None:
    names = [f"method {number}" for number in range(6)]
    ax = figures.reward_curves(GRIDS, {name: [1, 2, 3] for name in names})
    assert len({line.get_color() for line in ax.lines}) == 6
    assert len({(line.get_marker()) for line in ax.lines}) == 6
    assert len({str(line._unscaled_dash_pattern) for line in ax.lines}) == 6
    assert [text.get_text() for text in ax.get_legend().get_texts()] == names


def test_the_legend_covers_nothing_and_stays_on_the_page() -> None:
    ax = figures.reward_curves(GRIDS, {**REWARDS, "a method with quite a long name": [1, 2, 3]}, ceiling=4)
    figure = ax.get_figure()
    figure.draw_without_rendering()
    legend, plot = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert legend.y0 >= plot.y1
    assert legend.x1 <= figure.bbox.x1
    assert legend.y1 <= figure.bbox.y1


def test_axes_of_ones_own_are_drawn_on() -> None:
    mine = Figure().add_subplot()
    assert figures.reward_curves(GRIDS, REWARDS, ax=mine, labels=("facts", "MRR")) is mine
    assert (mine.get_xlabel(), mine.get_ylabel()) == ("facts", "MRR")


@pytest.mark.parametrize(
    ("rewards", "message"),
    [
        ({}, "no method"),
        ({"a": [1, 2]}, r"shape \(2,\); with 3 points .* \(seeds, 3\)"),
        ({"a": np.zeros((2, 3, 3))}, r"\(2, 3, 3\)"),
        ({"a": np.zeros((0, 3))}, r"\(0, 3\)"),
        ({"a": [1, 2, float("nan")]}, "not a finite number"),
    ],
)
def test_rewards_that_are_no_curve_are_refused(rewards: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        figures.reward_curves(GRIDS, rewards)


def epochs(restart: int, losses: list[float]) -> list[Epoch]:
    return [Epoch(restart, number, 9.0, loss, loss, 0.0) for number, loss in enumerate(losses)]


def test_each_restart_has_its_line_and_the_kept_epoch_is_marked() -> None:
    first, second = epochs(0, [1.0, 0.8]), epochs(1, [1.5, 0.5, 0.25])
    ax = figures.training_curve(History([*first, *second], second[2]))
    assert [line.get_label() for line in ax.lines] == ["start 1", "start 2 (kept)", "epoch 2: 0.25"]
    assert [line.get_ydata().tolist() for line in ax.lines[:2]] == [[1.0, 0.8], [1.5, 0.5, 0.25]]
    assert ax.lines[1].get_linewidth() > ax.lines[0].get_linewidth()
    assert ax.lines[2].get_xydata().tolist() == [[2, 0.25]]


def test_the_loss_drawn_is_the_one_that_decides() -> None:
    only = replace(epochs(0, [0.5])[0], judged=0.75)
    assert figures.training_curve(History([only], only)).lines[0].get_ydata().tolist() == [0.75]


def test_a_history_without_epochs_is_refused() -> None:
    with pytest.raises(OptionError, match="nothing was trained"):
        figures.training_curve(History())
