"""A history says what happened in a line, and shows it as a curve with the last values."""

import re

from IPython.lib.pretty import pretty
from tests.logic.well_formed import EVIL, card, read

from rulewright.training.curve import Curve, curves_svg
from rulewright.training.history import Epoch, History

LOSSES = {0: [4.0, 2.0, 1.5], 1: [3.0, 0.5, 0.75, 0.7]}


def history() -> History:
    epochs = [
        Epoch(restart, number, loss, loss / 2, loss, 12.34)
        for restart, losses in LOSSES.items()
        for number, loss in enumerate(losses)
    ]
    return History(epochs, epochs[4])


def test_it_says_which_epoch_was_kept() -> None:
    assert str(history()) == pretty(history()) == "5 epochs in 2 starts; kept: epoch 1 of start 2, loss 0.5000"


def test_every_start_is_a_row_with_its_first_last_and_best_loss() -> None:
    rows = re.findall(r"<tr>(.*?)</tr>", history()._repr_html_())
    figures = [re.findall(r">([^<>]+)</td>", row) for row in rows[1:]]
    assert figures == [
        ["1", "2", "4.0000", "1.5000", "1.5000", "0.7500"],
        ["2", "3", "3.0000", "0.7000", "0.5000", "0.2500"],
    ]


def test_every_start_is_a_curve_and_the_kept_epoch_a_point_on_it() -> None:
    html = history()._repr_html_()
    curves = re.findall(r'<polyline points="([^"]+)"', html)
    assert [len(curve.split()) for curve in curves] == [3, 4]  # the one that was kept last, above the other
    x, y = re.findall(r'<circle cx="([^"]+)" cy="([^"]+)"', html)[0]
    assert f"{x},{y}" == curves[1].split()[1]


def test_lower_losses_lie_lower() -> None:
    (curve,) = re.findall(
        r'<polyline points="([^"]+)"', curves_svg([Curve("c", [(0, 2), (1, 1)], True)], (1, 1), ("a", "b"))
    )
    (x0, y0), (x1, y1) = (map(float, point.split(",")) for point in curve.split())
    assert x0 < x1
    assert y0 < y1  # an SVG counts downwards


def test_it_is_well_formed_and_holds_no_time() -> None:
    assert "12.34" not in card(history()).text


def test_a_single_epoch_and_a_loss_of_zero_can_be_drawn() -> None:
    only = Epoch(0, 0, 0.0, 0.0, 0.0, 0.0)
    assert "circle" in card(History([only], only)).tags


def test_nothing_trained_is_said() -> None:
    assert card(History()).text.strip() == "Nothing was trained."
    assert str(History()) == "nothing was trained"


def test_a_curve_shows_names_as_they_are() -> None:
    svg = curves_svg([Curve(EVIL, [(0, 1)], False)], (0, 1), (EVIL, EVIL))
    assert "<script>alert(1)</script>" in read(svg).text
