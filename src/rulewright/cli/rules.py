"""rulewright rules RUN: print what a run learned."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.completing import relation_names
from rulewright.cli.output import print_json
from rulewright.cli.terminal import Column, print_rules, print_table
from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import WeightedRule, rules_of
from rulewright.completion.saving import KIND as GRAPH
from rulewright.completion.saving import load_model
from rulewright.errors import InputError
from rulewright.logic.program import Program
from rulewright.paths.graph import relation_name
from rulewright.rules.folder import read_document
from rulewright.rules.render import render_text, render_tree
from rulewright.rules.store import program_from_json, program_to_json

SHOWN = 5  # rules of one relation where all relations are shown
COLUMNS = (
    Column("#", "figure"),
    Column("weight", "figure"),
    Column("coverage", "figure"),
    Column("confidence", "figure"),
    Column("rule", "rule"),
)


def rules_command(
    run: Annotated[Path, typer.Argument(help="A run folder, as `learn --out` writes it.")],
    relation: Annotated[
        str | None,
        typer.Option(
            help="Knowledge graph: only this relation; RELATION^-1 for rules that find its heads.",
            autocompletion=relation_names,
        ),
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Only so many rules, strongest first.")] = None,
    tree: Annotated[
        bool, typer.Option("--tree/--no-tree", help="Template: also the network, with its weights.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Print the rules of a RUN."""
    if read_document(run, "run").get("kind") == GRAPH:
        print_mixtures(load_model(run), relation, top, as_json)
        return
    program = program_from_json(read_document(run, "program"))
    check_head(program, relation)
    if as_json:
        print_json(program_to_json(program))
        return
    print_rules(render_text(program, top))
    if tree:
        print_rules("\n" + render_tree(program))


def check_head(program: Program, relation: str | None) -> None:
    """All rules of a template are about its head; whoever names another predicate is told."""
    head = program.head.predicate
    if relation is not None and relation != head:
        raise InputError(f"the rules of a template are about its head, {head}, and none about {relation}")


def print_mixtures(model: CompletionModel, relation: str | None, top: int | None, as_json: bool) -> None:
    """The rules of one directed relation, or the strongest of every one."""
    wanted = list(model.mixtures) if relation is None else [model.relation_id(relation)]
    names = model.relations.names
    top = SHOWN if relation is None and top is None else top
    tables = {relation_name(r, names): rules_of(model, r, top) for r in wanted}
    if as_json:
        print_json({name: [as_record(rule) for rule in rules] for name, rules in tables.items()})
        return
    heading = [f"{'weight':>8} {'coverage':>8} {'confidence':>10}  rule"]
    for name, rules in tables.items():
        title = name + ("" if rules else "  (no rule)")
        rows = [(str(place), *cells(rule)) for place, rule in enumerate(rules, start=1)]
        print_table(COLUMNS, rows, [*heading, title, *map(line, rules)], title)
        heading = []


def as_record(rule: WeightedRule) -> dict[str, Any]:
    """A rule as plain data."""
    return {
        "rule": str(rule.rule),
        "weight": rule.weight,
        "kind": rule.kind,
        "support": rule.support,
        "coverage": rule.coverage,
        "confidence": rule.confidence,
    }


def cells(rule: WeightedRule) -> tuple[str, str, str, str]:
    """A rule and its figures as text; what is not counted is left empty."""
    coverage = "" if rule.coverage is None else f"{rule.coverage:.0%}"
    confidence = "" if rule.confidence is None else f"{rule.confidence:.1%}"
    return f"{rule.weight:.3f}", coverage, confidence, str(rule.rule)


def line(rule: WeightedRule) -> str:
    """A rule with its figures in front."""
    weight, coverage, confidence, text = cells(rule)
    return f"{weight:>8} {coverage:>8} {confidence:>10}  {text}"
