"""The shell offers commands, options, and names that the words before allow."""

import subprocess
from pathlib import Path

import pytest

from rulewright.cli.app import app

SHELL = "_RULEWRIGHT_COMPLETE"


def answer(capsys: pytest.CaptureFixture[str]) -> str:
    """What the command tells a shell, under the name that it is installed by."""
    with pytest.raises(SystemExit):
        app(prog_name="rulewright")
    return capsys.readouterr().out


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """What bash would be offered for the last word of a line."""

    def offer(line: str) -> list[str]:
        monkeypatch.setenv(SHELL, "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        return answer(capsys).split()

    return offer


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rulewright le", ["learn"]),
        ("rulewright learn um", ["umls"]),
        ("rulewright learn umls --pres", ["--preset"]),
        ("rulewright learn umls --preset b", ["best"]),
        ("rulewright export run --format pr", ["prolog"]),
        ("rulewright reproduce grid", ["gridworld"]),
    ],
)
def test_what_is_offered(offered, line: str, expected: list[str]) -> None:
    assert offered(line) == expected


def test_the_relations_of_the_run_are_offered(graph_run: Path, offered) -> None:
    assert offered(f"rulewright rules {graph_run} --relation grand") == ["grandparent"]
    assert offered(f"rulewright rules {graph_run}x --relation grand") == []


def test_bash_takes_the_script(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv(SHELL, "source_bash")
    script = answer(capsys) + "\ncomplete -p rulewright\n"
    told = subprocess.run(["bash", "--norc"], input=script, capture_output=True, text=True, check=True).stdout
    assert "_rulewright_completion" in told
