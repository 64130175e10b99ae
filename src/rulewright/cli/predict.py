"""rulewright predict RUN ...: what follows from a run's rules."""

from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright.cli.elsewhere import facts_for, load_over
from rulewright.cli.output import print_json, print_text
from rulewright.cli.terminal import Column, print_table
from rulewright.completion.saving import KIND as GRAPH
from rulewright.errors import InputError, OptionError, nearest
from rulewright.logic.terms import Atom, Constant
from rulewright.rules.folder import read_document


def predict_command(
    run: Annotated[Path, typer.Argument(help="A run folder, as `learn --out` writes it.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help="HEAD RELATION, as in `ann parent`. Template: also the head's first arguments alone, or nothing."
        ),
    ] = None,
    facts: Annotated[
        str | None, typer.Option(help="Over these facts instead of those learned from: a data set or a file.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Only so many, most certain first.")] = 10,
    known: Annotated[
        bool, typer.Option("--known", help="Knowledge graph: also answers that are facts already.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Rank the answers to RELATION(HEAD, ?), or list the head facts of a template with their truth."""
    if read_document(run, "run").get("kind") == GRAPH:
        predict_links(run, words or [], top, known, as_json, facts)
    elif known:
        raise OptionError(f"--known goes with a knowledge graph; {run} holds the run of a template")
    else:
        predict_facts(run, tuple(words or ()), top, as_json, facts)


def predict_links(run: Path, words: list[str], top: int, known: bool, as_json: bool, facts: str | None) -> None:
    """Answers to one query on a knowledge graph."""
    if len(words) != 2:
        raise InputError("say HEAD and RELATION; RELATION^-1 asks for the heads of a tail")
    model = load_over(run, facts)
    answers = model.predict(words[0], words[1], top, known)
    if as_json:
        print_json([{"entity": a.entity, "score": a.score, "known": a.known} for a in answers])
        return
    if answers:
        columns = (Column("#", "figure"), Column("score", "figure"), Column(f"{words[1]}({words[0]}, ?)"), Column(""))
        rows = [
            (str(place), f"{answer.score:.3f}", answer.entity, "known" if answer.known else "")
            for place, answer in enumerate(answers, start=1)
        ]
        print_table(columns, rows, (f"{a.score:8.3f}  {a.entity}{'  (known)' if a.known else ''}" for a in answers))
    else:
        print_text(f"no rule leads from {words[0]} to an answer")


def predict_facts(run: Path, asked: tuple[str, ...], top: int, as_json: bool, facts: str | None) -> None:
    """Head facts of a template."""
    learned = rw.load(run)
    head = learned.program.head
    if asked[-1:] == (head.predicate,):  # as one asks a knowledge graph: HEAD RELATION
        asked = asked[:-1]
    if len(asked) > len(head.terms):
        raise InputError(f"{head} has {len(head.terms)} arguments, not {len(asked)}: {', '.join(asked)}")
    kb = learned.kb if facts is None else facts_for(learned, facts)
    for name in asked:
        if name not in kb.constants:
            raise InputError(f"unknown constant {name}{nearest(name, [*kb.constants.names, head.predicate])}")
    truths = learned.truths(kb)
    found = [(fact, truth) for fact, truth in truths.items() if fact[: len(asked)] == asked]
    found.sort(key=lambda entry: (-entry[1], entry[0]))
    if as_json:
        print_json([{"predicate": head.predicate, "arguments": fact, "truth": truth} for fact, truth in found[:top]])
        return
    if found:
        shown = [(f"{truth:.3f}", str(Atom(head.predicate, tuple(map(Constant, fact))))) for fact, truth in found[:top]]
        columns = (Column("truth", "figure"), Column("fact"))
        print_table(columns, shown, (f"{truth:>6}  {fact}" for truth, fact in shown))
    else:
        print_text(f"no fact of {head.predicate} can arise" + (f" for {', '.join(asked)}" if asked else ""))
