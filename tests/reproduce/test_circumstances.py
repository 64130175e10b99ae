"""A figure says where and with what it was made."""

import subprocess
from pathlib import Path
from shutil import which

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


@pytest.mark.skipif(which("git") is None, reason="needs git")
def test_a_commit_is_marked_where_code_differs_and_not_where_its_figures_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("src/circumstances.py", "docs/page.md", "benchmarks/results/one.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1", encoding="utf-8")
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.setattr(module, "__file__", str(tmp_path / "src" / "circumstances.py"))
    clean = module.commit()
    assert not clean.endswith("-dirty")
    (tmp_path / "docs" / "page.md").write_text("2", encoding="utf-8")
    (tmp_path / "benchmarks" / "results" / "one.json").write_text("2", encoding="utf-8")
    assert module.commit() == clean
    (tmp_path / "src" / "circumstances.py").write_text("2", encoding="utf-8")
    assert module.commit() == f"{clean}-dirty"
