"""A person at a terminal sees tables and colour; a pipe gets plain lines, and a bar is drawn for nobody but people."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from tests.cli.command_line import CommandLine
from tests.completion.toys import families

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

pty = pytest.importorskip("pty")


def at_a_terminal(*arguments: object, **environment: str) -> str:
    """What a command writes to a terminal that is 100 columns wide."""
    ours, theirs = pty.openpty()
    settings = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    settings |= {"TERM": "xterm-256color", "COLUMNS": "100", **environment}
    program = "from rulewright.cli.app import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=settings,
    ) as running:
        os.close(theirs)
        pieces = []
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not piece:
                break
            pieces.append(piece)
        os.close(ours)
        assert running.wait() == 0, b"".join(pieces)
    return b"".join(pieces).decode().replace("\r\n", "\n")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminal")
    data = folder / "data"
    data.mkdir()
    lines = [f"{h}\t{r}\t{t}\n" for h, r, t in families(4)]
    for name, part in (("train", lines), ("valid", lines[:2]), ("test", lines[2:4])):
        (data / f"{name}.txt").write_text("".join(part))
    done = at_a_terminal("learn", data, "--out", folder / "run")
    assert "learning" in done  # the bar, which goes when it is full
    return folder / "run"


def test_rules_are_a_table_in_colour_and_plain_in_a_pipe(rulewright: CommandLine, graph: Path) -> None:
    seen = at_a_terminal("rules", graph, "--relation", "grandparent")
    assert "\x1b[36m" in seen  # variables
    lines = ESCAPE.sub("", seen).splitlines()
    assert any(line.split() == ["#", "weight", "coverage", "confidence", "rule"] for line in lines)
    first = next(line for line in lines if line.strip().startswith("1 "))
    piped = rulewright("rules", graph, "--relation", "grandparent").out
    assert "\x1b" not in piped
    assert "─" not in piped
    figures, rule = piped.splitlines()[2].split("  grandparent", 1)
    assert first.split()[1 : 1 + len(figures.split())] == figures.split()
    assert first.split("grandparent", 1)[1].split()[0] == rule.split()[0]


def test_no_color_leaves_the_table_and_takes_the_colour(graph: Path) -> None:
    seen = at_a_terminal("rules", graph, "--relation", "grandparent", NO_COLOR="1")
    assert "─" in seen
    assert not re.search(r"\x1b\[(3|4|9)[0-9]", seen)


def test_a_narrow_terminal_gets_lines_and_not_a_letter_to_a_line(
    rulewright: CommandLine, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("rules", graph, "--relation", "grandparent")
    piped = rulewright(*arguments).out
    console = Console(force_terminal=True, color_system=None, width=40, markup=False, emoji=False, highlight=False)
    monkeypatch.setattr("rulewright.cli.terminal.results", console)
    assert rulewright(*arguments).out == piped
    monkeypatch.setattr(console, "width", 60)
    assert "─" in rulewright(*arguments).out


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results go to what says that it is a terminal: a process of its own for every command would take long."""
    console = Console(force_terminal=True, color_system="standard", width=100, markup=False, emoji=False)
    for module in ("terminal", "evaluate"):
        monkeypatch.setattr(f"rulewright.cli.{module}.results", console)


COMMANDS = [("predict", "g0", "parent", "--known"), ("evaluate", "--per-relation"), ("explain", "g0", "parent", "p00")]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_other_commands_are_plain_in_a_pipe(rulewright: CommandLine, graph: Path, arguments: tuple[str, ...]) -> None:
    command, *rest = arguments
    done = rulewright(command, graph, *rest)
    assert done.code == 0
    assert done.out
    assert "\x1b" not in done.out


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_other_commands_draw_at_a_terminal(rulewright: CommandLine, graph: Path, arguments: tuple[str, ...]) -> None:
    command, *rest = arguments
    seen = rulewright(command, graph, *rest).out
    assert "\x1b[" in seen
    assert command == "explain" or "─" in seen


@pytest.mark.usefixtures("terminal")
def test_the_data_sets_are_a_table(rulewright: CommandLine) -> None:
    assert "─" in rulewright("data", "list").out


@pytest.mark.usefixtures("terminal")
def test_a_name_from_data_steers_no_terminal_inside_a_table(rulewright: CommandLine, tmp_path: Path) -> None:
    lines = [f"{h}\t{r}\t{t}\n" for h, r, t in families(4)]
    (tmp_path / "facts.tsv").write_text("".join(lines).replace("p00", "p\x1b[2J"))
    assert rulewright("learn", tmp_path / "facts.tsv", "--out", tmp_path / "run").code == 0
    seen = rulewright("predict", tmp_path / "run", "g0", "parent", "--known").out
    assert "\x1b[2J" not in seen
    assert r"p\x1b[2J" in ESCAPE.sub("", seen)
