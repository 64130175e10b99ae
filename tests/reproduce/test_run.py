"""An experiment runs once; what is finished is used again as long as nothing it depends on has changed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.reproduce.reports import Counted

from rulewright.errors import MissingExtraError, RunFolderError
from rulewright.reproduce import run
from rulewright.reproduce.experiment import Drawing, Options, Prepared
from rulewright.reproduce.report import Report
from rulewright.reproduce.run import drawn, finished, reproduce

OPTIONS = Options(seeds=(0,))


def done(counted: Counted, folder: Path, options: Options = OPTIONS) -> Report:
    prepared = counted.experiment.prepare(options)
    return reproduce(counted.experiment, prepared, options, folder, lambda step, note: None)


@pytest.fixture
def prepared() -> Prepared:
    return Counted().experiment.prepare(OPTIONS)


def test_the_folder_holds_the_report_for_programs_and_people_and_the_pictures(tmp_path: Path) -> None:
    found = done(Counted(), tmp_path / "toy")
    assert sorted(path.name for path in (tmp_path / "toy").iterdir()) == ["dot.svg", "report.json", "report.md"]
    document = json.loads((tmp_path / "toy" / "report.json").read_text(encoding="utf-8"))
    assert document["figures"] == {"runs": [1]}
    assert document["circumstances"]["libraries"]["numpy"]
    assert found.settings == {"length": 3, "shape": [1, 2]}


def test_a_finished_experiment_is_used_again(tmp_path: Path, prepared: Prepared) -> None:
    found = done(Counted(), tmp_path / "toy")
    assert finished(prepared, tmp_path / "toy") == found


def test_nothing_is_finished_in_an_empty_place(tmp_path: Path, prepared: Prepared) -> None:
    assert finished(prepared, tmp_path / "toy") is None


def test_other_seeds_settings_or_code_ask_for_another_run(
    tmp_path: Path, prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(Counted(), tmp_path / "toy")
    assert finished(replace(prepared, seeds=(0, 1)), tmp_path / "toy") is None
    assert finished(replace(prepared, settings={"length": 4, "shape": (1, 2)}), tmp_path / "toy") is None
    monkeypatch.setattr(run, "code", lambda: "another")
    assert finished(prepared, tmp_path / "toy") is None


def test_a_run_killed_while_drawing_leaves_the_old_result(tmp_path: Path) -> None:
    first = done(Counted(), tmp_path / "toy")
    with pytest.raises(KeyboardInterrupt):
        done(Counted(fails=True), tmp_path / "toy")
    assert finished(Counted().experiment.prepare(OPTIONS), tmp_path / "toy") == first


def test_a_place_that_is_taken_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "mine.txt").touch()
    counted = Counted()
    with pytest.raises(RunFolderError):
        done(counted, tmp_path / "toy")
    assert counted.done == 0


def test_a_picture_is_there_for_the_screen_and_for_print(tmp_path: Path) -> None:
    def draw(path: Path) -> None:
        path.write_text(path.suffix, encoding="utf-8")

    pictures, _ = drawn((Drawing("rule.png", "a rule", draw), Drawing("walk.gif", "a walk", draw)), tmp_path)
    assert [picture.file for picture in pictures] == ["rule.png", "walk.gif"]
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {
        "rule.png": ".png",
        "rule.svg": ".svg",
        "walk.gif": ".gif",
    }


def test_without_the_library_for_pictures_the_rest_is_there(tmp_path: Path) -> None:
    def draw(path: Path) -> None:
        raise MissingExtraError("drawing a figure", "plot")

    pictures, missing = drawn((Drawing("rule.png", "a rule", draw),), tmp_path)
    assert pictures == ()
    assert "rulewright[plot]" in missing[0]
