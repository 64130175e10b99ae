"""rulewright predict RUN: head facts and their truth."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.output import print_json, print_text
from rulewright.logic.terms import Atom, Constant
from rulewright.saving import load


def predict_command(
    run: Annotated[Path, typer.Argument(help="A run folder, as `learn --out` writes it.")],
    constants: Annotated[list[str] | None, typer.Argument(help="The head's first arguments, to ask about them alone.")] = None,
    top: Annotated[int, typer.Option(help="Only so many facts, most certain first.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Print the head facts of a RUN with their truth."""
    learned = load(run)
    asked = tuple(constants or ())
    head = learned.program.head
    found = [(fact, truth) for fact, truth in learned.truths().items() if fact[: len(asked)] == asked]
    found.sort(key=lambda entry: (-entry[1], entry[0]))
    if as_json:
        print_json([{"predicate": head.predicate, "arguments": fact, "truth": truth} for fact, truth in found[:top]])
        return
    for fact, truth in found[:top]:
        print_text(f"{truth:6.3f}  {Atom(head.predicate, tuple(map(Constant, fact)))}")
    if not found:
        print_text(f"no fact of {head.predicate} can arise" + (f" for {', '.join(asked)}" if asked else ""))
