"""rulewright export RUN: the rules for another tool, a paper or a page."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.completing import among, relation_names
from rulewright.cli.output import busy, print_note, print_plain
from rulewright.cli.rules import check_head
from rulewright.completion.exporting import (
    is_crisp,
    knowledge_base,
    model_to_json,
    programs,
    rated_rules,
    weighted_rules,
)
from rulewright.completion.model import CompletionModel
from rulewright.completion.saving import KIND as GRAPH
from rulewright.completion.saving import load_model
from rulewright.errors import OptionError, nearest
from rulewright.kb.coding import kb_from_arrays
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.text_file import write_text
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rated import RatedRule
from rulewright.rules.exchange.anyburl import to_anyburl
from rulewright.rules.exchange.datalog import to_datalog
from rulewright.rules.exchange.prolog import to_prolog
from rulewright.rules.exchange.rule_text import to_rule_text
from rulewright.rules.exchange.tables import to_latex, to_markdown
from rulewright.rules.exchange.weighted_prolog import to_weighted_prolog
from rulewright.rules.folder import read_arrays, read_document
from rulewright.rules.store import program_from_json, program_to_json

FORMATS = ("json", "prolog", "datalog", "anyburl", "text", "latex", "markdown")
WITH_FACTS = ("json", "prolog", "datalog")


def export_command(
    run: Annotated[Path, typer.Argument(help="A run folder, as `learn --out` writes it.")],
    format: Annotated[
        str, typer.Option(help=f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}.", autocompletion=among(FORMATS))
    ] = "json",
    relation: Annotated[
        str | None,
        typer.Option(
            help="Knowledge graph: only this relation; RELATION^-1 for rules that find its heads.",
            autocompletion=relation_names,
        ),
    ] = None,
    top: Annotated[
        int | None, typer.Option(min=1, help="Only so many rules (of each relation), strongest first.")
    ] = None,
    with_facts: Annotated[
        bool, typer.Option("--with-facts", help=f"{', '.join(WITH_FACTS)}: write the facts along.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="The file to write; default: standard output.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs, as --format json does.")] = False,
) -> None:
    """Write the rules of a RUN in the format of another tool."""
    format = "json" if as_json else format
    if format not in FORMATS:
        raise OptionError(f"there is no format {format}{nearest(format, FORMATS)}; there are {', '.join(FORMATS)}")
    if with_facts and format not in WITH_FACTS:
        raise OptionError(f"--with-facts goes with {', '.join(WITH_FACTS)}; {format} has no place for facts")
    if read_document(run, "run").get("kind") == GRAPH:
        pieces = graph_pieces(load_model(run), format, relation, top, with_facts)
    else:
        pieces = program_pieces(run, format, relation, top, with_facts)
    if out is None:
        print_plain(pieces)
    else:
        with busy("writing"):
            write_text(out, pieces)
        print_note(f"rules written to {out}")


def graph_pieces(
    model: CompletionModel, format: str, relation: str | None, top: int | None, with_facts: bool
) -> Iterator[str]:
    """The rules of a knowledge graph."""
    wanted = list(model.mixtures) if relation is None else [model.relation_id(relation)]
    match format:
        case "json":
            yield json.dumps(model_to_json(model, wanted, top, with_facts), indent=1) + "\n"
        case "prolog":
            exact = top is None and is_crisp(model, wanted)
            yield from to_weighted_prolog(weighted_rules(model, wanted, top), knowledge_base(model), with_facts, exact)
        case "datalog":
            found, left_out = programs(model, wanted, top)
            if left_out:
                print_note(f"{left_out:,} rules with a negation are left out: they lead to no answer")
            yield from to_datalog(found, knowledge_base(model), with_facts)
        case _:
            yield from table((rated for place in wanted for rated in rated_rules(model, place, top)), format)


def program_pieces(run: Path, format: str, relation: str | None, top: int | None, with_facts: bool) -> Iterator[str]:
    """The rules of a template."""
    program = program_from_json(read_document(run, "program"))
    check_head(program, relation)
    if top is not None and top < len(program.rules):
        program = Program(
            program.head, program.rules[:top], program.tree, program.threshold, program.auxiliaries, complete=False
        )
    match format:
        case "json":
            facts = {"facts": facts_to_json(facts_of(run))} if with_facts else {}
            yield json.dumps(program_to_json(program) | facts, indent=1) + "\n"
        case "prolog":
            yield from to_prolog(program, facts_of(run), with_facts)
        case "datalog":
            yield from to_datalog(program, facts_of(run), with_facts)
        case _:
            yield from table((rated(learned) for learned in program.rules), format)


def rated(learned: LearnedRule) -> RatedRule:
    """A rule of a template with its figures."""
    support, confidence = learned.support, learned.confidence
    correct = None if support is None or confidence is None else round(support * confidence)
    return RatedRule(learned.rule, learned.truth, support, correct, confidence)


def facts_of(run: Path) -> KnowledgeBase:
    """The facts of a template's run."""
    return kb_from_arrays(read_arrays(run, "facts"))


def facts_to_json(kb: KnowledgeBase) -> list[dict[str, object]]:
    """Every fact with its truth."""
    return [
        {"predicate": name, "arguments": fact, "truth": truth}
        for name, relation in kb.relations.items()
        for fact, truth in zip(kb.facts_of(name), relation.truths.tolist(), strict=True)
    ]


def table(rules: Iterable[RatedRule], format: str) -> Iterator[str]:
    """Rules one by one."""
    match format:
        case "latex":
            yield from to_latex(rules)
        case "markdown":
            yield from to_markdown(rules)
        case "text":
            yield from to_rule_text(rules)
        case _:
            left_out: list[RatedRule] = []
            yield from to_anyburl(rules, left_out)
            if left_out:
                print_note(f"{len(left_out):,} rules are left out: AnyBURL's text cannot say {left_out[0].rule}")
