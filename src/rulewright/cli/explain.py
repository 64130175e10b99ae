"""rulewright explain RUN ...: why a prediction is what it is, from the facts up."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright.cli.elsewhere import facts_for, load_over
from rulewright.cli.output import busy, print_json, print_text
from rulewright.cli.terminal import print_rules
from rulewright.completion.explain import explain
from rulewright.completion.saving import KIND as GRAPH
from rulewright.errors import InputError
from rulewright.rules.explanation import Explanation
from rulewright.rules.explanation_dot import explanation_dot
from rulewright.rules.explanation_html import explanation_page
from rulewright.rules.explanation_json import explanation_to_json
from rulewright.rules.explanation_text import explanation_text
from rulewright.rules.folder import read_document


class Format(StrEnum):
    """How an explanation is printed."""

    TEXT, JSON, DOT, HTML = "text", "json", "dot", "html"


def explain_command(
    run: Annotated[Path, typer.Argument(help="A run folder, as `learn --out` writes it.")],
    words: Annotated[
        list[str],
        typer.Argument(
            help="HEAD RELATION TAIL; RELATION^-1 explains a head. Template: the head's arguments alone will do."
        ),
    ],
    top: Annotated[int, typer.Option(min=0, help="Only so many rules, largest share first.")] = 10,
    rivals: Annotated[int, typer.Option(min=0, help="Only so many candidates above it, and below.")] = 1,
    facts: Annotated[str | None, typer.Option(help="Over these facts instead: a data set or a file.")] = None,
    counterfactual: Annotated[
        bool,
        typer.Option("--counterfactual/--no-counterfactual", help="Find facts without which the prediction falls."),
    ] = True,
    form: Annotated[
        Format, typer.Option("--format", help="text, json, dot (a graph for Graphviz) or html (a page by itself).")
    ] = Format.TEXT,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs, as --format json does.")] = False,
) -> None:
    """Take a prediction apart: rules, weights, truths, and the facts that make them true.

    The score of RELATION(HEAD, TAIL) on a knowledge graph is the sum of its parts; the truth of a template's head fact
    follows from the facts step by step.
    """
    found = explained(run, words, facts, rivals, counterfactual)
    match Format.JSON if as_json else form:
        case Format.TEXT:
            print_rules(explanation_text(found, top))
        case Format.JSON:
            print_json(explanation_to_json(found))
        case Format.DOT:
            print_text(explanation_dot(found, top).rstrip("\n"))
        case Format.HTML:
            print_text(explanation_page(found, top).rstrip("\n"))


def explained(run: Path, words: list[str], facts: str | None, rivals: int, counterfactual: bool) -> Explanation:
    """The explanation of one fact, of either kind of run."""
    if read_document(run, "run").get("kind") == GRAPH:
        if len(words) != 3:
            raise InputError("say HEAD, RELATION and TAIL; RELATION^-1 explains a head")
        model = load_over(run, facts)
        with busy("explaining"):
            return explain(model, *words, rivals=rivals, counterfactual=counterfactual)
    learned = rw.load(run)
    head = learned.program.head
    if len(words) == len(head.terms) + 1 and words[1:2] == [head.predicate]:  # as one asks a knowledge graph
        words = [words[0], *words[2:]]
    kb = None if facts is None else facts_for(learned, facts)
    with busy("explaining"):
        return learned.explain(words, kb, rivals=rivals, counterfactual=counterfactual)
