"""Files are the same for the same drawing, whole or not there, and nothing of matplotlib's settings is left changed."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from rulewright import figures
from rulewright.errors import OptionError
from rulewright.figures.style import COLUMN, STYLE, TEXT

SOURCE = Path(__file__).resolve().parents[2] / "src"


def drawing() -> Axes:
    return figures.reward_curves([1, 2], {"a method": [0.5, 1.0]})


@pytest.mark.parametrize("suffix", [".png", ".svg", ".SVG"])
def test_the_same_drawing_gives_the_same_file_without_a_date(tmp_path: Path, suffix: str) -> None:
    once, again = (figures.save(drawing(), tmp_path / f"{name}{suffix}").read_bytes() for name in "ab")
    assert once == again
    assert b"<dc:date>" not in once
    assert b"atplotlib v" not in once


def test_a_png_is_as_wide_as_a_column_at_300_dots_to_the_inch(tmp_path: Path) -> None:
    with Image.open(figures.save(drawing(), tmp_path / "a.png")) as picture:
        assert picture.width == round(COLUMN * 300)
    with Image.open(figures.save(drawing(), tmp_path / "b.png", dots=100)) as picture:
        assert picture.width == round(COLUMN * 100)


def test_axes_are_saved_with_all_of_their_figure(tmp_path: Path) -> None:
    figure = Figure()
    first, _ = figure.subplots(1, 2)
    assert figures.save(first, tmp_path / "a.svg").read_bytes() == figures.save(figure, tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("name", ["a.jpeg", "a", "a.png.txt"])
def test_another_ending_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OptionError, match=r"ends in \.png or \.svg"):
        figures.save(drawing(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_drawing_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = figures.save(drawing(), tmp_path / "a.png").read_bytes()
    broken = drawing()
    broken.draw = lambda renderer: 1 / 0  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        figures.save(broken, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == old
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_is_not_there_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"cannot write the figure .*nowhere"):
        figures.save(drawing(), tmp_path / "nowhere" / "a.png")


def test_matplotlibs_settings_are_afterwards_as_before(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    figures.save(drawing(), tmp_path / "a.png")
    with pytest.raises(OptionError):
        figures.reward_curves([1], {})
    assert dict(matplotlib.rcParams) == before


def test_no_text_is_smaller_than_9_points_and_names_are_no_mathematics() -> None:
    with figures.house():
        assert all(size >= TEXT >= 9 for name, size in STYLE.items() if name.endswith("size") and "marker" not in name)
    ax = figures.reward_curves([1, 2], {r"$\frac{a}{b}$": [1, 2], "$x": [0, 1]}, ceiling=2)
    texts = [*ax.get_legend().get_texts(), ax.xaxis.label, ax.yaxis.label]
    assert [text.get_text() for text in texts][:2] == [r"$\frac{a}{b}$", "$x"]
    assert not any(text.get_parse_math() for text in texts)
    assert all(text.get_fontsize() >= 9 for text in texts)


def test_an_svg_with_control_characters_in_names_is_still_xml(tmp_path: Path) -> None:
    ax = figures.reward_curves([1, 2], {"a\x00\x1b[31m-->b": [1, 2]})
    ElementTree.parse(figures.save(ax, tmp_path / "a.svg"))


def test_without_matplotlib_the_room_opens_and_drawing_names_the_extra() -> None:
    program = """
import sys
sys.modules["matplotlib"] = None
from rulewright import figures
from rulewright.errors import MissingExtraError
from rulewright.lnn.norms import ProductAnd
from rulewright.logic.node import Node
from rulewright.gridworld.grid import random_grid
import numpy as np
grid = random_grid(np.random.default_rng(0))
for draw in (
    lambda: figures.activation_surfaces(),
    lambda: figures.operator_surface(ProductAnd()),
    lambda: figures.reward_curves([1], {"a": [1]}),
    lambda: figures.rule_tree(Node("predicate", "p(X)")),
    lambda: figures.policy_on_grid(grid),
    lambda: figures.walk_animation(grid, [tuple(np.argwhere(grid.free)[0].tolist())]),
    lambda: figures.save(None, "a.png"),
    lambda: figures.save_animation(None, "a.gif"),
):
    try:
        draw()
    except MissingExtraError as missing:
        assert "rulewright[plot]" in str(missing)
    else:
        raise AssertionError("it drew")
"""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
