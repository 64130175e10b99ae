"""The data commands print for people and for programs."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import app, main
from rulewright.cli.data import data_app
from rulewright.kb import datasets
from rulewright.kb.registry import Entry


@pytest.fixture(autouse=True)
def an_empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_DATA", raising=False)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    data_app(list(arguments), standalone_mode=False)
    return capsys.readouterr().out


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(printed(capsys, *arguments, "--json"))


def test_the_list_says_what_there_is_and_where(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {line.split()[0]: line.split()[1:] for line in printed(capsys, "list").splitlines()}
    assert rows["umls"][:6] == ["package", "135", "46", "5,216", "652", "661"]
    assert rows["FB15k-237"][:3] == ["to", "be", "downloaded"]
    assert rows["countries_S1"]


def test_the_list_for_programs_holds_everything(capsys: pytest.CaptureFixture[str]) -> None:
    entries = {entry["name"]: entry for entry in document(capsys, "list")}
    assert entries["nations"]["found_in"] == "package"
    assert entries["WN18RR"]["found_in"] is entries["WN18RR"]["folder"] is None
    assert entries["WN18RR"]["triples"] == {"train": 86835, "valid": 3034, "test": 3134}
    assert all(entry["licence"] and len(entry["sha256"]["test"]) == 64 for entry in entries.values())


def test_what_is_here_is_not_fetched_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "fetch", "UMLS").startswith("umls: 135 entities")
    assert document(capsys, "fetch", "umls") == {
        "name": "umls",
        "folder": str(datasets.SHIPPED / "umls"),
        "found_in": "package",
    }


def test_what_is_not_here_is_fetched_with_its_licence_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetch(entry: Entry) -> Path:
        folder = datasets.cache_folder() / entry.name
        folder.mkdir(parents=True)
        (folder / "train.txt").write_text("a\tr\tb\n", encoding="utf-8")
        return folder

    monkeypatch.setattr(datasets, "fetch", fetch)
    data_app(["fetch", "wn18rr"], standalone_mode=False)
    captured = capsys.readouterr()
    assert "licence: not stated by the publishers" in " ".join(captured.err.split())
    assert captured.out.splitlines() == [
        "WN18RR: 2 entities, 1 relations, 1 train, 0 valid, 0 test",
        str(datasets.cache_folder() / "WN18RR"),
    ]


def test_a_check_prints_the_report_with_the_reach(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "check", "umls", "--longest", "2")
    assert "the content is exactly the registered umls" in out
    assert "1: 63.7%   2: 100.0%" in out
    assert "within so many steps" not in printed(capsys, "check", "umls", "--longest", "0")


def test_a_check_of_a_file_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"e{n % 5}\tr\te{n % 7}\n" for n in range(35)]
    Path("mine.tsv").write_text("".join(lines), encoding="utf-8")
    report = document(capsys, "check", "mine.tsv", "--seed", "4")
    assert report["name"] == "mine"
    assert "seed 4" in report["note"]
    assert len(report["reach"]) == 6
    assert sum(part["triples"] for part in report["parts"].values()) == 35


def test_the_commands_hang_on_the_main_one(capsys: pytest.CaptureFixture[str]) -> None:
    app(["data", "list"], standalone_mode=False)
    assert "umls" in capsys.readouterr().out


def test_a_name_that_does_not_exist_is_a_mistake_of_the_users(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["rulewright", "data", "check", "umsl"])
    with pytest.raises(SystemExit, match="2"):
        main()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "did you mean umls" in captured.err
