from pathlib import Path

import pytest
from tests.cli.command_line import CommandLine
from tests.completion.toys import families

FACTS = """
parent(ann, bob). parent(bob, cy). parent(bob, di). parent(di, eve). parent(ann, finn). parent(finn, gus).
friend(ann, cy). friend(cy, eve). friend(eve, bob). friend(gus, di). friend(bob, ann).
"""
GRANDPARENTS = "grandparent(ann, cy). grandparent(ann, di). grandparent(bob, eve). grandparent(ann, gus).\n"
TEMPLATE = "grandparent(X, Z) :- P(X, Y), Q(Y, Z).\nP in {parent, friend}.\nQ in {parent, friend}.\n"


@pytest.fixture
def rulewright(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    folder = tmp_path / "problem"
    folder.mkdir()
    (folder / "facts.pl").write_text(FACTS)
    (folder / "labels.pl").write_text(GRANDPARENTS)
    (folder / "template.rules").write_text(TEMPLATE)
    return folder


@pytest.fixture
def run(rulewright: CommandLine, problem: Path, tmp_path: Path) -> Path:
    assert rulewright("learn", problem, "--out", tmp_path / "run").code == 0
    return tmp_path / "run"


@pytest.fixture
def graph_run(rulewright: CommandLine, tmp_path: Path) -> Path:
    """The run of a small knowledge graph."""
    (tmp_path / "family.tsv").write_text("".join(f"{h}\t{r}\t{t}\n" for h, r, t in families(3)))
    assert rulewright("learn", tmp_path / "family.tsv", "--out", tmp_path / "graph").code == 0
    return tmp_path / "graph"
