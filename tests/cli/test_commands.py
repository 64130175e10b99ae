"""The list of commands costs nothing, and says what the commands themselves say."""

import os
import subprocess
import sys

import pytest
import typer

from rulewright.cli.app import app
from rulewright.cli.commands import COMMANDS, loaded

LARGE = {"torch", "numba", "matplotlib"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_a_command_says_first(name):
    assert loaded(name).name == name
    assert loaded(name).help.split("\n\n")[0].replace("\n", " ") == COMMANDS[name]


def test_every_command_is_offered_and_found_by_its_name():
    group = typer.main.get_command(app)
    context = typer.Context(group)
    assert group.list_commands(context) == list(COMMANDS)
    assert group.get_command(context, "rules").params
    assert group.get_command(context, "rulse") is None


def libraries(*arguments, **environment):
    """The large libraries that a command loads, and what it prints."""
    program = "import sys; sys.argv[0] = 'rulewright'; from rulewright.cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return LARGE.intersection(line.split("|")[-1].strip() for line in done.stderr.splitlines()), done.stdout


def test_help_and_the_names_of_commands_load_nothing_large():
    found, shown = libraries("--help")
    assert found == set()
    assert all(name in shown for name in COMMANDS)
    typed = {"_RULEWRIGHT_COMPLETE": "complete_bash", "COMP_WORDS": "rulewright ", "COMP_CWORD": "1"}
    found, shown = libraries(**typed)
    assert found == set()
    assert shown.split() == list(COMMANDS)


def test_what_is_asked_of_a_graph_needs_no_torch(graph_run):
    for arguments in (
        ("rules", graph_run),
        ("predict", graph_run, "g0", "parent", "--known"),
        ("explain", graph_run, "g0", "parent", "p00"),
        ("export", graph_run, "--format", "text"),
        ("evaluate", graph_run, "--split", "train"),
    ):
        found, shown = libraries(*arguments)
        assert found == {"numba"}  # the kernels that follow paths
        assert shown
