"""What every command prints with: results on standard output, everything else on standard error."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from rulewright.logic.harmless import harmless


class Notes(Console):
    """What is written beside the results. Work goes on when nobody reads it any more."""

    def on_broken_pipe(self) -> None:
        """The reader of standard error has gone."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), STANDARD_ERROR)


STANDARD_ERROR = 2  # the number of its file
errors = Notes(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_json(document: Any) -> None:
    """A document for programs, on standard output with nothing else, in plain ASCII."""
    json.dump(document, sys.stdout, indent=2)
    sys.stdout.write("\n")


def print_text(text: str) -> None:
    """A result for people, on standard output; it may hold names from data."""
    sys.stdout.write(harmless(text) + "\n")


def print_plain(pieces: Iterable[str]) -> None:
    """A file's text on standard output. A person at a terminal sees it made harmless, a pipe gets it as it is."""
    for piece in pieces:
        sys.stdout.write(harmless(piece) if sys.stdout.isatty() else piece)


def print_note(text: str) -> None:
    """Something about the run, on standard error; it may hold names from data."""
    errors.print(harmless(text))


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Something turns at a terminal while work goes on that has no steps to count; nothing else may draw meanwhile."""
    if errors.is_terminal:
        with errors.status(what):
            yield
    else:
        yield


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """A bar with the time left; yields `report(done, note)`. Nothing is drawn where no one looks."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(what, total=total, note="")

        def report(done: int, note: str = "") -> None:
            bar.update(task, completed=done, note=harmless(note))

        yield report
