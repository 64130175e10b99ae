"""The command `rulewright`: its sub-commands, and what happens to errors.

Exit codes: 0 done, 1 something failed, 2 a mistake of the user's (one clean message), 130 interrupted.
"""

import os
import sys
import traceback
from contextvars import ContextVar
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer

from rulewright.cli.data import data_app
from rulewright.cli.evaluate import evaluate_command
from rulewright.cli.explain import explain_command
from rulewright.cli.learn import learn_command
from rulewright.cli.output import errors, print_note, print_text
from rulewright.cli.predict import predict_command
from rulewright.cli.reproduce import reproduce_command
from rulewright.cli.rules import rules_command
from rulewright.errors import InputError, RulewrightError

app = typer.Typer(
    name="rulewright",
    help="Learn weighted first-order rules that a person can read, from facts and a template.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("learn")(learn_command)
app.command("evaluate")(evaluate_command)
app.command("rules")(rules_command)
app.command("predict")(predict_command)
app.command("explain")(explain_command)
app.command("reproduce")(reproduce_command)
app.add_typer(data_app, name="data", help="The data sets: what there is, download, check.")


DEBUG = ContextVar("debug", default=False)


def print_version(wanted: bool) -> None:
    """Print the version and leave; called before typer asks for a sub-command."""
    if wanted:
        print_text(f"rulewright {version('rulewright')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=print_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Options that come before the sub-command."""
    DEBUG.set(debug)


def main() -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # names may hold what the terminal's encoding does not
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except InputError as mistake:
        leave(str(mistake), 2)
    except RulewrightError as failure:
        leave(str(failure), 1)
    except BrokenPipeError:  # the reader of a pipe has gone, as with `| head`: leave without a word, as typer does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as surprise:
        leave(f"unexpected {type(surprise).__name__}: {surprise} (rulewright --debug ... shows where)", 1)


def leave(message: str, code: int) -> None:
    """Print one clean message, after the traceback with --debug, and leave."""
    if DEBUG.get():
        traceback.print_exc()
    errors.print("error: ", style="bold red", end="")
    print_note(message)
    sys.exit(code)
