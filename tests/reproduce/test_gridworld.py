"""Gridworld as a report, on few grids."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.gridworld.test_policy import by_hand

from rulewright.gridworld.experiment import ExperimentSettings, Trial, trial
from rulewright.gridworld.grid import Grid
from rulewright.gridworld.grid_policy import GridPolicy, Operators
from rulewright.reproduce import gridworld_runs
from rulewright.reproduce.experiment import Options
from rulewright.reproduce.gridworld import EXPERIMENT, mean_and_range, work
from rulewright.reproduce.gridworld_runs import walks
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import GO_SOUTH

FEW = ExperimentSettings(points=(0, 5, 10), test_grids=3)


def quiet(done: int, note: str) -> None:
    """Nobody is told."""


def test_the_walk_shown_is_the_longest_that_reaches_the_target_and_the_others_are_counted() -> None:
    short = Grid(np.zeros((2, 2), dtype=bool), (0, 0))
    one_way = Grid(np.array([[0, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=bool), (2, 2))
    # West of this wall an agent that sees one cell far goes to and fro; where it may go either way, it draws lots.
    barred = Grid(np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], dtype=bool), (0, 2))
    found = walks(by_hand(GridPolicy()), [short, one_way, barred])
    assert found.grid is one_way
    assert found.walk == ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2))
    assert (found.cells, found.connected) == (3 + 5 + 6, 3 + 4 + 6)
    assert found.arrived in (3 + 4 + 3, 3 + 4 + 4)


def test_where_nobody_arrives_there_is_a_walk_all_the_same() -> None:
    boxed = Grid(np.array([[False, True], [True, False]]), (1, 1))
    found = walks(by_hand(GridPolicy()), [boxed])
    assert (found.walk, found.arrived, found.connected) == (((1, 1),), 0, 0)


def test_a_stopped_experiment_goes_on_with_the_runs_it_has_and_ends_as_if_it_had_not_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopping(done: int, note: str) -> None:
        if done == 1:
            raise KeyboardInterrupt

    few = replace(FEW, points=(0, 4))
    undisturbed = work(few, (0,), quiet, Journal(tmp_path / "one", {}, "code"))
    with pytest.raises(KeyboardInterrupt):
        work(few, (0,), stopping, Journal(tmp_path / "other", {}, "code"))
    ran: list[str] = []

    def counted(operators: Operators, settings: ExperimentSettings, seed: int) -> Trial:
        ran.append(operators)
        return trial(operators, settings, seed)

    monkeypatch.setattr(gridworld_runs, "trial", counted)
    continued = work(few, (0,), quiet, Journal(tmp_path / "other", {}, "code"))
    assert ran == ["neurallp"]
    assert continued.figures == undisturbed.figures
    assert continued.tables == undisturbed.tables


def test_the_report_has_the_rewards_and_the_rule_for_south(tmp_path: Path) -> None:
    outcome = work(FEW, (0,), quiet, Journal(tmp_path / "journal", {}, "code"))
    rewards, weights, rules = outcome.tables
    assert [row[0] for row in rewards.rows] == ["0", "5", "10"]
    assert rewards.columns == ("training grids", "LNN", "NeuralLP operators")
    assert "seeds" not in rewards.note + outcome.drawings[0].caption, "there is but one"
    assert [row[1] for row in weights.rows[:-1]] == [f"{value:.3f}" for value in GO_SOUTH.values()]
    assert all(float(row[2]) > 0 for row in weights.rows[:-1]), "the paper's predicates have weight in ours"
    assert {row[0] for row in rules.rows} == set(outcome.figures["programs"])
    for drawing in outcome.drawings:
        drawing.draw(tmp_path / drawing.file)
        assert (tmp_path / drawing.file).stat().st_size > 0


def test_of_several_seeds_the_range_is_told() -> None:
    assert mean_and_range(np.array([0.25, 0.5, 0.75])) == "0.500 (0.250 to 0.750)"
    assert mean_and_range(np.array([0.25])) == "0.250"


def test_the_settings_are_the_papers() -> None:
    prepared = EXPERIMENT.prepare(Options(seeds=(0, 1)))
    assert prepared.steps == 4
    paper = {"size": 5, "obstacles": 3, "test_obstacles": 12, "test_grids": 50, "alpha": 0.8}
    assert paper.items() <= prepared.settings.items()
