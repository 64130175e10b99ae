"""What a run found is recalled by the next attempt, and by no other experiment's."""

from pathlib import Path

import pytest

from rulewright.errors import RunFolderError
from rulewright.reproduce.journal import Journal


def journal(folder: Path, length: int = 3, code: str = "abc") -> Journal:
    return Journal(folder / "results" / ".umls.jsonl", {"length": length}, code)


def test_a_run_is_recalled_by_the_next_attempt(tmp_path: Path) -> None:
    journal(tmp_path).keep("seed 0", {"mrr": 0.5})
    found = journal(tmp_path)
    assert found.recall("seed 0") == {"mrr": 0.5}
    assert found.recall("seed 1") is None


def test_other_settings_or_code_recall_nothing(tmp_path: Path) -> None:
    journal(tmp_path).keep("seed 0", 1)
    assert journal(tmp_path, length=4).recall("seed 0") is None
    assert journal(tmp_path, code="def").recall("seed 0") is None


def test_a_line_cut_short_counts_for_nothing(tmp_path: Path) -> None:
    first = journal(tmp_path)
    first.keep("seed 0", 1)
    with first.path.open("a", encoding="utf-8") as file:
        file.write('{"key": "')
    journal(tmp_path).keep("seed 1", 2)
    found = journal(tmp_path)
    assert (found.recall("seed 0"), found.recall("seed 1")) == (1, 2)


def test_a_journal_that_is_no_longer_needed_is_gone(tmp_path: Path) -> None:
    first = journal(tmp_path)
    first.keep("seed 0", 1)
    first.forget()
    assert first.recall("seed 0") is None
    assert not first.path.exists()
    first.forget()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "results").touch()
    with pytest.raises(RunFolderError, match="cannot write"):
        journal(tmp_path).keep("seed 0", 1)
