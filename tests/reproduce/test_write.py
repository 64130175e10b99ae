"""A result is written as a whole or not at all."""

from pathlib import Path

import pytest
from tests.reproduce.reports import report

from rulewright.errors import RunFolderError
from rulewright.reproduce.write import new_folder, read_report, write_file, write_report


def written(folder: Path, title: str) -> None:
    with new_folder(folder) as unfinished:
        write_report(report(title=title), unfinished)


def killed(folder: Path, blow: type[BaseException]) -> None:
    with new_folder(folder) as unfinished:
        write_report(report(title="second"), unfinished)
        raise blow


def test_a_new_result_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    written(tmp_path / "umls", "first")
    (tmp_path / "umls" / "old.png").touch()
    written(tmp_path / "umls", "second")
    found = read_report(tmp_path / "umls")
    assert found is not None
    assert found.title == "second"
    assert sorted(path.name for path in (tmp_path / "umls").iterdir()) == ["report.json", "report.md"]


@pytest.mark.parametrize("blow", [KeyboardInterrupt, ValueError])
def test_a_killed_run_leaves_the_old_result(tmp_path: Path, blow: type[BaseException]) -> None:
    written(tmp_path / "umls", "first")
    before = {path.name: path.read_bytes() for path in (tmp_path / "umls").iterdir()}
    with pytest.raises(blow):
        killed(tmp_path / "umls", blow)
    assert {path.name: path.read_bytes() for path in (tmp_path / "umls").iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["umls"], "and nothing beside it"


def test_what_is_no_result_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "umls").mkdir()
    (tmp_path / "umls" / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(RunFolderError, match=r"holds no report\.json; name another folder"):
        written(tmp_path / "umls", "first")
    assert (tmp_path / "umls" / "thesis.tex").exists()


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "umls").mkdir()
    written(tmp_path / "umls", "first")
    assert read_report(tmp_path / "umls") == report(title="first")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format": 99}', "null"])
def test_a_broken_report_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "report.json").write_text(text, encoding="utf-8")
    assert read_report(tmp_path) is None


def test_a_report_of_another_name_counts_as_none(tmp_path: Path) -> None:
    written(tmp_path / "umls", "first")
    (tmp_path / "umls").rename(tmp_path / "kinship")
    assert read_report(tmp_path / "kinship") is None


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunFolderError, match="cannot write"):
        written(tmp_path / "file" / "umls", "first")
    with pytest.raises(RunFolderError, match="cannot write"):
        write_file(tmp_path / "file" / "index.html", "")
