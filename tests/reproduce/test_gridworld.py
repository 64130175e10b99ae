"""Gridworld as a report, on few grids."""

from pathlib import Path

import numpy as np
import pytest

from rulewright.gridworld.grid import Grid
from rulewright.reproduce.experiment import Options
from rulewright.reproduce.gridworld import EXPERIMENT, start
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import GO_SOUTH


def test_the_walk_starts_far_from_the_target() -> None:
    obstacles = np.zeros((3, 3), dtype=bool)
    obstacles[2, 2] = True
    assert start(Grid(obstacles, (0, 0))) in {(1, 2), (2, 1)}


@pytest.mark.slow
def test_the_report_has_the_rewards_and_the_rule_for_south(tmp_path: Path) -> None:
    prepared = EXPERIMENT.prepare(Options(seeds=(0,)))
    outcome = prepared.work(lambda done, note: None, Journal(tmp_path / "journal", {}, "code"))
    rewards, weights, rules = outcome.tables
    assert rewards.columns[:2] == ("training grids", "LNN")
    assert [row[1] for row in weights.rows[:-1]] == [f"{value:.3f}" for value in GO_SOUTH.values()]
    assert {row[0] for row in rules.rows} == set(outcome.figures["programs"])
    assert outcome.drawings[0].file == "rewards.png"
