"""rulewright reproduce: one experiment, all of them, and what is missing."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.command_line import CommandLine
from tests.reproduce.reports import Counted

from rulewright.cli import reproduce
from rulewright.errors import DatasetError
from rulewright.reproduce.experiment import Experiment, Options, Prepared


@pytest.fixture(autouse=True)
def an_empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_DATA", raising=False)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """The catalogue with a toy, one whose data is missing, and a slow one."""
    counted = Counted()

    def absent(options: Options) -> Prepared:
        raise DatasetError("there is no data set gone; get it at example.org")

    slow = Experiment("slow", "A slow one", "No table", Counted().prepare, slow=True)
    catalogue = (counted.experiment, Experiment("gone", "Without data", "No table", absent), slow)
    monkeypatch.setattr(reproduce, "EXPERIMENTS", catalogue)
    monkeypatch.setattr(reproduce, "NAMES", {experiment.name: experiment for experiment in catalogue})
    return counted


def test_the_figures_of_the_paper_are_printed_and_written(rulewright: CommandLine, tmp_path: Path) -> None:
    done = rulewright("reproduce", "figures")
    assert done.code == 0
    assert "Truth table (b): the shape of conjunction" in done.out
    summary = done.out.split("Summary")[1].split("\n\n")[0]
    assert re.search(r"the paper +ours\n", summary)
    assert re.search(r"rows within the truth table \(b\) +all +8 of 8", summary)
    assert (tmp_path / "results" / "figures" / "report.md").exists()
    assert (tmp_path / "results" / "index.html").exists()
    assert "is finished" in rulewright("reproduce", "figures").err


def test_a_finished_experiment_is_not_run_again_unless_it_is_wanted_fresh(
    rulewright: CommandLine, toy: Counted
) -> None:
    assert "runs      1" in rulewright("reproduce", "toy").out
    again = rulewright("reproduce", "TOY")
    assert "toy is finished" in again.err
    assert "runs      1" in again.out
    assert toy.done == 1
    assert "runs      2" in rulewright("reproduce", "toy", "--fresh").out
    assert rulewright("reproduce", "toy", "--seeds", 1).code == 0
    assert toy.done == 3


def test_all_goes_on_where_data_is_missing_and_says_so_on_the_page(
    rulewright: CommandLine, toy: Counted, tmp_path: Path
) -> None:
    done = rulewright("reproduce", "all", "--out", "here")
    assert done.code == 0
    assert "gone is left out: there is no data set gone" in done.err
    assert done.out.splitlines()[-1] == f"all results on one page: {Path('here', 'index.html')}"
    page = (tmp_path / "here" / "index.html").read_text(encoding="utf-8")
    assert "get it at example.org" in page
    assert "A slow one" in page
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == ["index.html", "index.md", "slow", "toy"]


def test_all_quick_leaves_out_what_is_slow(rulewright: CommandLine, toy: Counted, tmp_path: Path) -> None:
    assert rulewright("reproduce", "all", "--quick").code == 0
    assert not (tmp_path / "results" / "slow").exists()
    assert toy.done == 1


def test_all_for_programs(rulewright: CommandLine, toy: Counted) -> None:
    document = json.loads(rulewright("reproduce", "all", "--json").out)
    assert list(document["results"]) == ["toy", "slow"]
    assert list(document["missing"]) == ["gone"]
    assert json.loads(rulewright("reproduce", "toy", "--json").out)["figures"] == {"runs": [1]}


def test_missing_data_says_how_to_get_it(rulewright: CommandLine, toy: Counted) -> None:
    done = rulewright("reproduce", "gone")
    assert done.code == 2
    assert "get it at example.org" in done.err
    assert "RULEWRIGHT_DATA" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["kinshp"], "did you mean kinship?"),
        (["umls", "--preset", "fast"], "--preset must be best, paper or both, not fast"),
        (["umls", "--quick"], "reproduce all --quick"),
        (["umls", "--seeds", 0], "--seeds"),
        (["umls", "--threads", 0], "threads must be at least 1"),
    ],
)
def test_a_mistake_is_told_with_what_to_write_instead(
    rulewright: CommandLine, arguments: list[object], said: str
) -> None:
    done = rulewright("reproduce", *arguments)
    assert done.code == 2
    assert said in done.err
