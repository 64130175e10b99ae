"""What every command prints with: results on standard output, everything else on standard error."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

results = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False)


def print_json(document: Any) -> None:
    """A document for programs, on one stream with nothing else."""
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def print_text(text: str) -> None:
    """Text that may hold names from data: printed as it is, never read as markup."""
    results.print(text, markup=False)


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
            bar.update(task, completed=done, note=note)

        yield report
