"""A figure says where and with what it was made."""

from pathlib import Path

import pytest

from rulewright.reproduce import circumstances as module
from rulewright.reproduce.circumstances import circumstances, circumstances_line, code, installed


def test_the_circumstances_name_machine_versions_and_commit() -> None:
    found = circumstances(("numpy", "no-such-library"))
    assert found["libraries"]["no-such-library"] == "not installed"
    line = circumstances_line(found)
    assert "cores" in line
    assert f"numpy {installed('numpy')}" in line
    assert found["commit"]


def test_the_fingerprint_changes_with_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGE", tmp_path)
    (tmp_path / "one.py").write_text("a = 1", encoding="utf-8")
    first = code()
    assert code() == first
    (tmp_path / "one.py").write_text("a = 2", encoding="utf-8")
    assert code() != first


def test_outside_of_a_checkout_the_commit_is_unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "__file__", str(tmp_path / "circumstances.py"))
    assert module.commit() == "unknown"
