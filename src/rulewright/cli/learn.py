"""rulewright learn DATA: learn rules and write a run folder.

A folder with a template is a problem of its own; anything else is a knowledge graph, for which paths are mined.
"""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.completing import among, data_names, presets
from rulewright.cli.engines import ENGINES, engine_for
from rulewright.cli.learn_graph import learn_graph
from rulewright.cli.memory import row_limits
from rulewright.cli.output import print_json, print_note, progress
from rulewright.cli.problem import TEMPLATE, read_problem
from rulewright.cli.rule_file import rules_for_problem
from rulewright.cli.terminal import print_rules
from rulewright.errors import InputError, OptionError
from rulewright.kb.splits import TRAIN
from rulewright.kb.text_file import readable
from rulewright.learning import learn
from rulewright.lnn.network import DEFAULT_ALPHA
from rulewright.rules.folder import check_writable
from rulewright.rules.render import render_text
from rulewright.rules.store import program_to_json
from rulewright.saving import save
from rulewright.training.fit import FitOptions
from rulewright.training.history import Epoch

DEFAULTS = FitOptions()
GRAPH, PROBLEM = "For a knowledge graph", "For a template"


def learn_command(
    context: typer.Context,
    data: Annotated[
        str, typer.Argument(help="A data set's name, a folder, or a file of facts.", autocompletion=data_names)
    ],
    template: Annotated[
        Path | None, typer.Option(help="The template; default: template.rules beside the facts.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="Labelled head facts; default: labels.* beside the facts.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The run folder to write.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same rules.")] = DEFAULTS.seed,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
    memory: Annotated[
        str | None,
        typer.Option(help="The most it may take, e.g. 4GB: work is cut to fit, or refused beforehand."),
    ] = None,
    device: Annotated[
        str,
        typer.Option(help="cpu, cuda or cuda:N, to train a template's network or to rank a graph's answers."),
    ] = "cpu",
    preset: Annotated[
        str, typer.Option(help="Knowledge graph: best or paper.", rich_help_panel=GRAPH, autocompletion=presets)
    ] = "best",
    settings: Annotated[
        Path | None,
        typer.Option(help="Knowledge graph: a TOML file of settings over the preset's.", rich_help_panel=GRAPH),
    ] = None,
    tune: Annotated[
        int, typer.Option(help="Knowledge graph: try so many settings on validation first.", rich_help_panel=GRAPH)
    ] = 0,
    threads: Annotated[
        int | None, typer.Option(help="Knowledge graph: default all cores.", rich_help_panel=GRAPH)
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            help="Knowledge graph: pool (threads), serial or dask.",
            rich_help_panel=GRAPH,
            autocompletion=among(ENGINES),
        ),
    ] = "pool",
    address: Annotated[
        str | None, typer.Option(help="Engine dask: a scheduler that runs already.", rich_help_panel=GRAPH)
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Engine dask: processes to start here.", rich_help_panel=GRAPH)
    ] = None,
    worker_memory: Annotated[
        str | None, typer.Option(help="Engine dask: of one such process, as in 2GB.", rich_help_panel=GRAPH)
    ] = None,
    alpha: Annotated[
        float, typer.Option(help="Template: threshold of the LNN operators, in (1/2, 1].", rich_help_panel=PROBLEM)
    ] = DEFAULT_ALPHA,
    objective: Annotated[
        str, typer.Option(help="Template: binary, margin or softmax.", rich_help_panel=PROBLEM)
    ] = DEFAULTS.objective,
    optimiser: Annotated[
        str, typer.Option(help="Template: adam or adagrad.", rich_help_panel=PROBLEM)
    ] = DEFAULTS.optimiser,
    step: Annotated[float, typer.Option(help="Template: step size.", rich_help_panel=PROBLEM)] = DEFAULTS.step,
    epochs: Annotated[
        int, typer.Option(help="Template: passes over the positives, at most.", rich_help_panel=PROBLEM)
    ] = DEFAULTS.epochs,
    batch: Annotated[
        int, typer.Option(help="Template: facts of each kind in a batch.", rich_help_panel=PROBLEM)
    ] = DEFAULTS.batch,
    validation: Annotated[
        float, typer.Option(help="Template: share of the labels to stop on.", rich_help_panel=PROBLEM)
    ] = DEFAULTS.validation,
    restarts: Annotated[
        int, typer.Option(help="Template: trainings at most; the best is kept.", rich_help_panel=PROBLEM)
    ] = DEFAULTS.restarts,
    ignore_impossible: Annotated[
        bool,
        typer.Option(
            "--ignore-impossible", help="Template: leave out labels it cannot generate.", rich_help_panel=PROBLEM
        ),
    ] = False,
    rules: Annotated[
        Path | None,
        typer.Option(
            help="Weigh these rules: AnyBURL's, AMIE's, or Rulewright's text or JSON. Template: start from them."
        ),
    ] = None,
    strict_rules: Annotated[
        bool, typer.Option("--strict-rules", help="A rule of --rules that does not fit is an error.")
    ] = False,
) -> None:
    """Learn weighted rules from DATA, print them, and write a run folder with --out."""
    with readable(data):
        is_graph = template is None and not has_template(Path(data))
        if is_graph:
            check_graph(Path(data))
    if is_graph:
        refuse(context, PROBLEM, f"{data} is a knowledge graph: it has no {TEMPLATE}")
        where = partial(engine_for, engine, address=address, workers=workers, memory=worker_memory)
        learn_graph(
            data, out, preset, settings, tune, threads, where, seed, as_json, memory, rules, strict_rules, device
        )
        return
    refuse(context, GRAPH, f"{data} is a problem with a template")
    options = FitOptions(
        objective=objective,  # type: ignore[arg-type]  # FitOptions says which there are
        optimiser=optimiser,  # type: ignore[arg-type]
        step=step,
        epochs=epochs,
        batch=batch,
        validation=validation,
        restarts=restarts,
        seed=seed,
    )
    learn_problem(
        Path(data),
        template,
        labels,
        out,
        options,
        alpha,
        ignore_impossible,
        as_json,
        memory,
        rules,
        strict_rules,
        device,
    )


def refuse(context: typer.Context, panel: str, kind: str) -> None:
    """Options of the other kind of data would do nothing: that is told."""
    given = [
        parameter.opts[0]
        for parameter in context.command.params
        if getattr(parameter, "rich_help_panel", None) == panel
        and getattr(context.get_parameter_source(str(parameter.name)), "name", "") == "COMMANDLINE"
    ]
    if given:
        raise OptionError(f"{', '.join(given)}: {panel[0].lower()}{panel[1:]} only, and {kind}")


def has_template(data: Path) -> bool:
    """Whether a folder holds a template, or one lies beside a file."""
    return (data / TEMPLATE).is_file() or (data.is_file() and (data.parent / TEMPLATE).is_file())


def check_graph(data: Path) -> None:
    """An error for a folder that is neither a knowledge graph nor a problem."""
    if len(data.parts) > 1 and data.is_dir() and not (data / f"{TRAIN}.txt").is_file():  # one word may be a data set
        found = ", ".join(sorted(path.name for path in data.iterdir())[:10]) or "nothing"
        raise InputError(
            f"{data} holds neither a {TEMPLATE}, which makes it a problem, nor a {TRAIN}.txt, which makes it a "
            f"knowledge graph; it holds {found}"
        )


def learn_problem(
    data: Path,
    template: Path | None,
    labels: Path | None,
    out: Path | None,
    options: FitOptions,
    alpha: float,
    ignore_impossible: bool,
    as_json: bool,
    memory: str | None,
    rules_file: Path | None,
    strict: bool,
    device: str,
) -> None:
    """Learn the rules of a template."""
    if out is not None:
        check_writable(out)  # and not when all has been learned
    problem = read_problem(data, template, labels)
    rules = [] if rules_file is None else rules_for_problem(rules_file, problem, strict)
    limits = row_limits(memory)
    with progress("learning", options.epochs * options.restarts) as report:

        def on_epoch(epoch: Epoch) -> None:
            report(epoch.restart * options.epochs + epoch.epoch, f"loss {epoch.loss:.4f}")

        learned = learn(
            problem.kb,
            problem.template,
            problem.labels,
            options,
            alpha=alpha,
            impossible="ignore" if ignore_impossible else "error",
            rules=rules,
            limits=limits,
            on_epoch=on_epoch,
            device=device,
        )
    if out is not None:
        save(learned, out)
        print_note(f"run written to {out}")
    if as_json:
        print_json(program_to_json(learned.program))
    else:
        print_rules(render_text(learned.program))
