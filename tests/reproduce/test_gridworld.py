"""Gridworld as a report, on few grids."""

from pathlib import Path

import numpy as np

from rulewright.gridworld.experiment import ExperimentSettings
from rulewright.gridworld.grid import Grid
from rulewright.reproduce.experiment import Options
from rulewright.reproduce.gridworld import EXPERIMENT, start, work
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import GO_SOUTH


def test_the_walk_starts_far_from_the_target() -> None:
    obstacles = np.zeros((3, 3), dtype=bool)
    obstacles[2, 2] = True
    assert start(Grid(obstacles, (0, 0))) in {(1, 2), (2, 1)}


def test_the_report_has_the_rewards_and_the_rule_for_south(tmp_path: Path) -> None:
    few = ExperimentSettings(points=(0, 5, 10), test_grids=3)
    outcome = work(few, (0,), lambda done, note: None, Journal(tmp_path / "journal", {}, "code"))
    rewards, weights, rules = outcome.tables
    assert [row[0] for row in rewards.rows] == ["0", "5", "10"]
    assert rewards.columns == ("training grids", "LNN", "NeuralLP operators")
    assert [row[1] for row in weights.rows[:-1]] == [f"{value:.3f}" for value in GO_SOUTH.values()]
    assert all(float(row[2]) > 0 for row in weights.rows[:-1]), "the paper's predicates have weight in ours"
    assert {row[0] for row in rules.rows} == set(outcome.figures["programs"])
    for drawing in outcome.drawings:
        drawing.draw(tmp_path / drawing.file)
        assert (tmp_path / drawing.file).stat().st_size > 0


def test_the_settings_are_the_papers() -> None:
    prepared = EXPERIMENT.prepare(Options(seeds=(0, 1)))
    assert prepared.steps == 4
    paper = {"size": 5, "obstacles": 3, "test_obstacles": 12, "test_grids": 50, "alpha": 0.8}
    assert paper.items() <= prepared.settings.items()
