"""rulewright edit RUN: drop, add and pin rules, and write another run."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.completing import relation_names
from rulewright.cli.evaluate import own_data
from rulewright.cli.output import busy, print_json, print_note, print_text
from rulewright.cli.rules import as_record
from rulewright.cli.terminal import print_rules
from rulewright.completion.editing import add, drop, pin, refit
from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import rules_of
from rulewright.completion.saving import KIND as GRAPH
from rulewright.completion.saving import load_model, save_model
from rulewright.errors import InputError, OptionError
from rulewright.learning import Learned, saying
from rulewright.logic.rule import Rule
from rulewright.rules.exchange.rule_text import parse_rules
from rulewright.rules.folder import read_document
from rulewright.rules.store import program_to_json
from rulewright.saving import load, save


def edit_command(
    run: Annotated[Path, typer.Argument(help="A run folder, as `learn --out` writes it; it stays as it is.")],
    out: Annotated[Path, typer.Option(help="The run folder to write.")],
    relation: Annotated[
        str | None,
        typer.Option(
            help="Knowledge graph: whose rules; RELATION^-1 for those that find heads.", autocompletion=relation_names
        ),
    ] = None,
    dropped: Annotated[
        list[str] | None, typer.Option("--drop", help="A rule's text, or its number in `rules RUN`; may be repeated.")
    ] = None,
    added: Annotated[list[str] | None, typer.Option("--add", help="A rule's text; may be repeated.")] = None,
    pinned: Annotated[
        list[str] | None, typer.Option("--pin", help="Knowledge graph: a rule whose weight --refit leaves alone.")
    ] = None,
    weight: Annotated[float | None, typer.Option(help="Knowledge graph: of what is added or pinned.")] = None,
    fit_again: Annotated[
        bool, typer.Option("--refit", help="Knowledge graph: fit the relation's other weights again.")
    ] = False,
    data: Annotated[
        str | None, typer.Option(help="For --refit, the data set where it is not found as it was when learning.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the changed rules for programs.")] = False,
) -> None:
    """Change the rules of a RUN by hand, and write what comes out as another run."""
    if not (dropped or added or pinned or fit_again):
        raise OptionError("say what to change: --drop, --add, --pin or --refit")
    if out.resolve() == run.resolve():
        raise OptionError(f"--out must name another folder than {run}, which stays as it is")
    if read_document(run, "run").get("kind") != GRAPH:
        if pinned or fit_again or weight is not None:
            raise OptionError(
                "a template's weights belong to predicates, not to rules: only --drop and --add change its run; to fit "
                "again, use `rulewright learn DATA --rules FILE`"
            )
        learned = edited_program(load(run), dropped or [], added or [])
        save(learned, out)
        if as_json:
            print_json(program_to_json(learned.program))
        else:
            print_rules(str(learned.program))
    else:
        model = load_model(run)
        if relation is None:
            raise OptionError("say whose rules to change with --relation")
        place = model.relation_id(relation)
        model = edited_model(model, place, dropped or [], added or [], pinned or [], weight)
        if fit_again:
            dataset = own_data(run, model, data)
            with busy("fitting the other weights again"):
                model = refit(model, dataset, {place})
        save_model(model, out, data or str(read_document(run, "run").get("data")), {"edited_from": run.name})
        rules = rules_of(model, place)
        if as_json:
            print_json({relation: [as_record(rule) for rule in rules]})
        else:
            print_text(f"{relation} has {len(rules):,} rules")
    print_note(f"run written to {out}")


def edited_model(
    model: CompletionModel, place: int, dropped: list[str], added: list[str], pinned: list[str], weight: float | None
) -> CompletionModel:
    """The model of a knowledge graph with its rules changed."""
    if added and weight is None:
        raise OptionError("say what the added rule counts with --weight")
    listed = [rule.rule for rule in rules_of(model, place)] if any(map(is_number, dropped)) else []
    for rule in [chosen(text, listed) for text in dropped]:
        model = drop(model, place, rule)
    for text in added:
        model = add(model, place, rule_of(text), weight or 0.0)
    for text in pinned:
        model = pin(model, place, rule_of(text), weight)
    return model


def edited_program(learned: Learned, dropped: list[str], added: list[str]) -> Learned:
    """The run of a template that says other rules."""
    rules = [found.rule for found in learned.program.rules]
    gone = [chosen(text, rules) for text in dropped]
    missing = next((rule for rule in gone if rule not in rules), None)
    if missing is not None:
        raise InputError(f"there is no rule {missing}; `rulewright rules RUN` lists those there are")
    return saying(learned, [*(rule for rule in rules if rule not in gone), *map(rule_of, added)])


def chosen(text: str, listed: list[Rule]) -> Rule:
    """A rule by its number, counted from 1, or by its text."""
    if not is_number(text):
        return rule_of(text)
    if not 1 <= int(text) <= len(listed):
        raise InputError(f"there is no rule number {text}; there are {len(listed)}")
    return listed[int(text) - 1]


def is_number(text: str) -> bool:
    """Whether a rule is named by its number."""
    return text.strip().isascii() and text.strip().isdigit()


def rule_of(text: str) -> Rule:
    """The one rule in a text; its full stop may be left out."""
    rules = parse_rules(text if text.rstrip().endswith(".") else text + ".")
    if len(rules) != 1:
        raise InputError(f"write one rule, not {len(rules)}: {text}")
    return rules[0].rule
