"""The pictures that matplotlib draws; without it each of these raises a MissingExtraError."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulewright import figures
from rulewright.gridworld.grid import Cell, Grid
from rulewright.lnn.truth import Operator
from rulewright.logic.program import Program


def draw_rule(program: Program, smallest: float, path: Path) -> None:
    """A learned rule as the paper draws it, with its predicates of at least the smallest weight."""
    figures.save(figures.rule_tree(program, smallest=smallest), path)


def draw_activations(path: Path) -> None:
    """The paper's figure of activations."""
    figures.save(figures.activation_surfaces(), path)


def draw_surface(operator: Operator, inputs: tuple[str, str], path: Path) -> None:
    """A learned connective of two inputs."""
    figures.save(figures.operator_surface(operator, inputs=inputs), path)


def draw_curves(grids: Sequence[float], curves: Mapping[str, NDArray[np.float64]], ceiling: float, path: Path) -> None:
    """Rewards against training grids."""
    figures.save(figures.reward_curves(grids, curves, ceiling=ceiling), path)


def draw_policy(grid: Grid, probabilities: NDArray[np.float64], path: Path) -> None:
    """A policy as arrows on a grid."""
    figures.save(figures.policy_on_grid(grid, probabilities), path)


def draw_walk(grid: Grid, walk: Sequence[Cell], probabilities: NDArray[np.float64], path: Path) -> None:
    """An agent walking a grid."""
    figures.save_animation(figures.walk_animation(grid, walk, probabilities), path)
