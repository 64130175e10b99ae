"""The command `rulewright`: its sub-commands, and what happens to errors.

Exit codes: 0 done, 1 something failed, 2 a mistake of the user's (one clean message), 130 interrupted.
"""

import os
import sys
import traceback
from contextlib import suppress
from contextvars import ContextVar
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer

from rulewright.cli.commands import SETTINGS, Commands
from rulewright.cli.output import errors, print_note, print_text
from rulewright.errors import InputError, RulewrightError

app = typer.Typer(
    cls=Commands,
    name="rulewright",
    help="Learn weighted first-order rules that a person can read, from facts and a template.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)
INTERRUPTED = 130
STANDARD_OUTPUT = 1  # the number of its file
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
    out = sys.stdout
    try:
        try:
            app()
        finally:
            out.flush()
    except SystemExit as left:
        if left.code == 1 and sys.stdout is not out:  # typer has met a pipe that is closed, and put this one away
            leave_closed_pipe()
        if left.code == INTERRUPTED:
            leave_interrupted()
        raise
    except InputError as mistake:
        leave(str(mistake), 2)
    except RulewrightError as failure:
        leave(str(failure), 1)
    except BrokenPipeError:
        leave_closed_pipe()
    except KeyboardInterrupt:
        leave_interrupted()
    except Exception as surprise:
        leave(f"unexpected {type(surprise).__name__}: {surprise} (rulewright --debug ... shows where)", 1)


def leave_closed_pipe() -> NoReturn:
    """The reader of a pipe has what it wanted, as with `| head`: that is no failure.

    Results are printed when all else is done, so nothing is lost but lines that nobody would read.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), STANDARD_OUTPUT)  # what is still in the buffer may go there
    sys.exit(0)


def leave_interrupted() -> NoReturn:
    """Leave at once: threads that are in the middle of compiled work cannot be stopped, and would be waited for."""
    print_note("interrupted")
    with suppress(OSError):  # its reader may be gone as well
        sys.stdout.flush()
    os._exit(INTERRUPTED)


def leave(message: str, code: int) -> NoReturn:
    """Print one clean message, after the traceback with --debug, and leave."""
    if DEBUG.get():
        traceback.print_exc()
    errors.print("error: ", style="bold red", end="")
    print_note(message)
    sys.exit(code)
