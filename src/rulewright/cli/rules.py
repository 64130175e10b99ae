"""rulewright rules RUN: print what a run learned."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.output import print_json, print_text
from rulewright.rules.folder import read_document
from rulewright.rules.render import render_text, render_tree
from rulewright.rules.store import program_from_json, program_to_json


def rules_command(
    run: Annotated[Path, typer.Argument(help="A run folder, as `learn --out` writes it.")],
    top: Annotated[int | None, typer.Option(help="Only so many rules, strongest first.")] = None,
    tree: Annotated[bool, typer.Option("--tree/--no-tree", help="Also the network, with weights and biases.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Print the rules of a RUN, and the network they were read from."""
    program = program_from_json(read_document(run, "program"))
    if as_json:
        print_json(program_to_json(program))
        return
    print_text(render_text(program, top))
    if tree:
        print_text("\n" + render_tree(program))
