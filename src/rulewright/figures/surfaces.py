"""operator_surface(operator): the truth an operator of two inputs gives, over all truths of the two.

activation_surfaces() draws the paper's figure of activations: what the fixed norms look like beside learned ones.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from rulewright.errors import OptionError
from rulewright.figures.lettering import shortened
from rulewright.figures.style import COLUMN, HEIGHTS, INK, PAGE, TEXT, axes_on, house
from rulewright.lnn.norms import LukasiewiczAnd, ProductAnd
from rulewright.lnn.operators import And, Or
from rulewright.lnn.truth import Operator
from rulewright.logic.harmless import harmless
from rulewright.training.truth_table import CONJUNCTION, DISJUNCTION, fit_truth_table

with suppress(ImportError):  # the extra `plot`
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEPS = 40  # facets along each input
PANEL = 2.05  # inches: the height of one surface among others
ALONG = (1.5, 1.2)  # inches that a name has along the axis of the first and of the second input
SHORT = 4  # characters: longer names of inputs run along their axes, as matplotlib has it
DARKEST = -0.35  # the truth that would have the darkest colour: 0 stays light enough for the lines between facets

Values = NDArray[np.float64]


def operator_surface(
    operator: Operator, ax: Axes | None = None, *, title: str = "", inputs: tuple[str, str] = ("x", "y")
) -> Axes:
    """Draw the truth of an operator with two inputs as a surface; the axes are 3-D.

    The truth is the exact one, as in eval mode; the operator stays in the mode it is in. `inputs` names the two; of
    a name that is longer than its axis the middle is left out.
    """
    x, y, truth = surface(operator)
    with house():
        ax = axes_on(ax, COLUMN, COLUMN * 0.9, "3d")
        spatial: Any = ax  # matplotlib's types do not know 3-D axes
        spatial.plot_surface(
            x, y, truth, cmap=HEIGHTS, vmin=DARKEST, vmax=1, rstride=1, cstride=1, lw=0.1, edgecolor=INK
        )
        finish(spatial, title, inputs)
    return ax


def activation_surfaces() -> Figure:
    """The paper's figure: Lukasiewicz, product, LNN-and at alpha .7 and .9, LNN-or at .7, the LNN ones trained."""
    with house():
        figure = Figure(figsize=(PAGE, PANEL * 2))
        for place, (title, operator) in enumerate(activations().items()):
            column, row = (place, 0) if place < 3 else (place - 3 + 0.5, 1)
            ax = figure.add_axes((column / 3 + 0.01, 0.5 - 0.5 * row, 1 / 3 - 0.01, 0.5), projection="3d")
            operator_surface(operator, ax, title=f"({'abcde'[place]}) {title}")
    return figure


def activations() -> dict[str, Operator]:
    """The operators of the paper's figure by name; the LNN ones are fitted to the Boolean truth table, by one seed."""

    def seeded() -> torch.Generator:
        return torch.Generator().manual_seed(0)

    return {
        "Łukasiewicz": LukasiewiczAnd().eval(),
        "product": ProductAnd().eval(),
        "LNN-∧, α = 0.7": fit_truth_table(And(2, 0.7, generator=seeded()), CONJUNCTION),
        "LNN-∧, α = 0.9": fit_truth_table(And(2, 0.9, generator=seeded()), CONJUNCTION),
        "LNN-∨, α = 0.7": fit_truth_table(Or(2, 0.7, generator=seeded()), DISJUNCTION),
    }


def surface(operator: Operator) -> tuple[Values, Values, Values]:
    """Two grids of inputs, and the truth at each of their points."""
    if operator.arity not in (2, None):
        raise OptionError(
            f"a surface stands over two inputs, and {operator} has {operator.arity}: draw an operator that has two"
        )
    x, y = np.meshgrid(np.linspace(0, 1, STEPS + 1), np.linspace(0, 1, STEPS + 1), indexing="ij")
    parameter = next(operator.parameters(), torch.zeros(0))
    points = torch.as_tensor(np.stack([x, y], axis=-1), dtype=torch.float32, device=parameter.device)
    with torch.no_grad():
        truth = operator.raw(points).clamp(0, 1).cpu().numpy().astype(np.float64)
    return x, y, truth


def finish(ax: Any, title: str, inputs: tuple[str, str]) -> None:
    """Labels and ticks where they can be read at the size of a panel."""
    first, second = (shortened(name, room) for name, room in zip(inputs, ALONG, strict=True))
    ends = {"ticks": (0, 1), "labels": ("0", "1")}
    ax.set(xlim=(0, 1), ylim=(0, 1), zlim=(0, 1))
    ax.set_xticks(**ends)
    ax.set_yticks(**ends)
    ax.set_zticks((0, 0.5, 1), labels=("0", "", "1"))
    ax.tick_params(pad=-3)
    ax.tick_params("z", pad=1)
    ax.set_xlabel(first, labelpad=beyond_ticks(first))
    ax.set_ylabel(second, labelpad=beyond_ticks(second))
    ax.set_zlabel("truth", labelpad=-8)
    ax.set_title(harmless(title), fontsize=TEXT + 1, y=0.93, parse_math=False)
    ax.view_init(elev=24, azim=-125)
    ax.set_box_aspect((1, 1, 0.85), zoom=0.86)


def beyond_ticks(name: str) -> float:
    """How far out a name stands: a short one between the ticks, a long one, which runs along its axis, beyond them."""
    return -9.0 if len(name) <= SHORT else -1.0
