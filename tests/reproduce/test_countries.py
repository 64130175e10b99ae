"""Countries as a report: what is learned stands beside the appendix."""

import os
from pathlib import Path

import pytest

from rulewright.reproduce import countries_runs
from rulewright.reproduce.countries import EXPERIMENT
from rulewright.reproduce.countries_runs import one_rule, steps, without_subregions
from rulewright.reproduce.countries_tasks import CHAINS, Task
from rulewright.reproduce.experiment import Options
from rulewright.reproduce.journal import Journal

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("RULEWRIGHT_DATA" not in os.environ, reason="RULEWRIGHT_DATA is not set"),
]


def test_the_candidates_are_the_regions_or_in_s2_the_subregions() -> None:
    tasks = {name: Task(name) for name in CHAINS}
    assert {name: len(task.candidates) for name, task in tasks.items()} == {"S1": 5, "S2": 22, "S3": 5}
    assert all(sum(task.labels().values()) == len(task.data.train) for task in tasks.values())


def test_the_report_has_the_papers_table_and_its_two_figures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # The walks are compiled and tuned, which takes a minute: one rule stands in for them.
    monkeypatch.setattr(countries_runs, "walks", one_rule)
    monkeypatch.setattr(countries_runs, "several_lengths", one_rule)
    options = Options(seeds=(0,))
    prepared = EXPERIMENT.prepare(options)
    assert prepared.steps == steps(options.seeds) == 10
    outcome = prepared.work(lambda done, note: None, Journal(tmp_path / "journal", {}, "code"))
    areas, rules, second, third = outcome.tables
    assert [row[:6] for row in areas.rows[:3]] == [
        ("S1", "0.581", "1.000", "0.996", "1.000", "1.000"),
        ("S2", "0.406", "0.930", "0.924", "0.751", "0.923"),
        ("S3", "0.534", "0.773", "0.554", "0.922", "0.913"),
    ]
    assert areas.rows[0][6].startswith("1.000")
    assert rules.rows[1][2].startswith("locatedIn(X, Z) :- neighborOf(X, Y), locatedIn(Y, Z)")
    ours = {(operator, what): float(value) for operator, what, _, value in second.rows}
    assert ours["LNN-pred P", "neighborOf"] > 0.5 > 0.1 > ours["LNN-pred P", "locatedIn"]
    assert ours["LNN-pred Q", "locatedIn"] > 0.5 > 0.1 > ours["LNN-pred Q", "neighborOf"]
    assert len(third.rows) == 1 + 3 + 3 * 3
    assert without_subregions in countries_runs.ways_of("S3").values()
    assert [drawing.file for drawing in outcome.drawings][3:] == [
        "S2-rule.png",
        "S3-rule.png",
        "S3-without-subregions-rule.png",
    ]
    # Begun again, it recalls every run, and the report is the same.
    monkeypatch.setattr(countries_runs, "scored", None)
    again = prepared.work(lambda done, note: None, Journal(tmp_path / "journal", {}, "code"))
    assert (again.tables, again.headlines) == (outcome.tables, outcome.headlines)
