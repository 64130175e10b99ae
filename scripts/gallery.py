"""Draws the pictures of docs/guides/figures.md anew: python scripts/gallery.py [FOLDER]."""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import rulewright as rw
from rulewright import figures
from rulewright.cli.problem import read_problem
from rulewright.gridworld.grid import MOVES, Cell, Grid, random_grid

ROOT = Path(__file__).resolve().parents[1]
SCREEN = 110  # dots to the inch, of pictures that are not drawn in lines


def learned_rules(folder: Path) -> None:
    """What was learned in examples/: trees, a training, a conjunction."""
    for name, smallest in (("grandparent", 0.005), ("disjunction", 0.0)):
        problem = read_problem(ROOT / "examples" / name, None, None)
        learned = rw.learn(problem.kb, problem.template, problem.labels)
        figures.save(figures.rule_tree(learned.program, smallest=smallest), folder / f"{name}.svg")
        if name == "grandparent":
            figures.save(figures.training_curve(learned.history), folder / "training.svg")
            conjunction = next(part for part in learned.network.modules() if isinstance(part, rw.And))
            surface = figures.operator_surface(conjunction, inputs=("P(X, Y)", "Q(Y, Z)"))
            smaller(figures.save(surface, folder / "conjunction.png", SCREEN))


def made_up(folder: Path) -> None:
    """Curves and a policy of no experiment, to show what they look like."""
    rng = np.random.default_rng(0)
    grids = [1, 2, 5, 10, 20, 50]
    rise = 1 - np.exp(-np.array(grids) / 8)
    rewards = {
        "one method": 3.0 * rise + rng.normal(0, 0.12, (5, 6)),
        "another": 2.1 * rise + rng.normal(0, 0.15, (5, 6)),
    }
    figures.save(figures.reward_curves(grids, rewards, ceiling=3.2), folder / "rewards.svg")
    grid = random_grid(np.random.default_rng(3))
    policy = np.exp(grid.rewards)
    policy /= policy.sum(axis=-1, keepdims=True)
    figures.save(figures.policy_on_grid(grid, policy), folder / "policy.svg")
    walk = best_walk(grid, (4, 3))
    figures.save_animation(figures.walk_animation(grid, walk, policy), folder / "walk.gif", SCREEN)


def best_walk(grid: Grid, start: Cell) -> list[Cell]:
    """Always the step that earns most, the first of several."""
    walk = [start]
    while walk[-1] != grid.target:
        row, column = walk[-1]
        down, right = MOVES[int(grid.rewards[row, column].argmax())]
        walk.append((row + down, column + right))
    return walk


def smaller(picture: Path) -> None:
    """Fewer colours, which nobody sees on a screen, and a third of the bytes."""
    with Image.open(picture) as full:
        reduced = full.convert("RGB").quantize(128)
    reduced.save(picture, optimize=True)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    smaller(figures.save(figures.activation_surfaces(), folder / "activations.png", SCREEN))
    learned_rules(folder)
    made_up(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images" / "figures")
