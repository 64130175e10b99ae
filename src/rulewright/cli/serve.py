"""rulewright serve RUN: the explorer in the browser."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from rulewright.errors import MissingExtraError
from rulewright.rules.folder import read_document

LIBRARIES = ("fastapi", "jinja2", "uvicorn")


def serve_command(
    run: Annotated[Path, typer.Argument(help="A run folder, as `learn --out` writes it.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free one.")] = 8321,
    host: Annotated[
        str, typer.Option(help="Other than this machine's own, everybody who can reach it can read the run.")
    ] = "127.0.0.1",
    browse: Annotated[bool, typer.Option("--open/--no-open", help="Open it in the browser.")] = False,
) -> None:
    """Explore a RUN in the browser: rules, questions, and the facts behind every answer."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise MissingExtraError("rulewright serve", "web")
    read_document(run, "run")  # a wrong folder is reported at once
    # In a process of its own: the server needs no torch, which this one holds, and no other command waits for FastAPI.
    command = [sys.executable, "-m", "rulewright.web", str(run), "--port", str(port), "--host", host]
    command += ["--open"] if browse else []
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(sys.executable, command)
    raise typer.Exit(subprocess.run(command, check=False).returncode)
