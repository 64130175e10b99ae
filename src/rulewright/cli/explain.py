"""rulewright explain RUN HEAD RELATION TAIL: why an answer scores as it does."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.elsewhere import load_over
from rulewright.cli.output import print_json, print_text
from rulewright.completion.explain import explain


def explain_command(
    run: Annotated[Path, typer.Argument(help="A run folder of a knowledge graph.")],
    head: Annotated[str, typer.Argument(help="The query's entity.")],
    relation: Annotated[str, typer.Argument(help="The relation; RELATION^-1 explains a head.")],
    tail: Annotated[str, typer.Argument(help="The answer.")],
    facts: Annotated[str | None, typer.Option(help="Over these facts instead: a data set or a file.")] = None,
    top: Annotated[int, typer.Option(help="Only so many parts of the score, largest first.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Take the score of RELATION(HEAD, TAIL) apart: rules, weights, truths, and facts that make them true."""
    found = explain(load_over(run, facts), head, relation, tail)
    if as_json:
        parts = [
            {"rule": p.rule, "weight": p.weight, "truth": p.truth, "share": p.share, "facts": [str(f) for f in p.facts]}
            for p in found.parts
        ]
        place = {"higher": found.higher, "equal": found.equal}
        print_json({"fact": str(found.fact), "score": found.score, **place, "parts": parts})
        return
    lines = str(found).splitlines()
    starts = [number for number, line in enumerate(lines) if number and not line.startswith(" " * 12)]
    end = starts[top] if len(starts) > top else len(lines)
    print_text("\n".join(lines[:end]))
    if len(starts) > top:
        rest = sum(part.share for part in found.parts[top:])
        print_text(f"{rest:+9.3f} = {len(starts) - top} smaller parts")
