"""rulewright learn DATA: learn rules and write a run folder."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.output import errors, print_json, print_text, progress
from rulewright.cli.problem import read_problem
from rulewright.learning import learn
from rulewright.lnn.network import DEFAULT_ALPHA
from rulewright.rules.render import render_text
from rulewright.rules.store import program_to_json
from rulewright.saving import save
from rulewright.training.fit import Epoch, FitOptions

DEFAULTS = FitOptions()


def learn_command(
    data: Annotated[Path, typer.Argument(help="A folder with facts (and template.rules, labels), or a file of facts.")],
    template: Annotated[Path | None, typer.Option(help="The template; default: template.rules beside the facts.")] = None,
    labels: Annotated[Path | None, typer.Option(help="Labelled head facts; default: labels.* beside the facts.")] = None,
    out: Annotated[Path | None, typer.Option(help="The run folder to write.")] = None,
    alpha: Annotated[float, typer.Option(help="Threshold of the LNN operators, in (1/2, 1].")] = DEFAULT_ALPHA,
    objective: Annotated[str, typer.Option(help="binary, margin or softmax.")] = DEFAULTS.objective,
    optimiser: Annotated[str, typer.Option(help="adam or adagrad.")] = DEFAULTS.optimiser,
    step: Annotated[float, typer.Option(help="Step size.")] = DEFAULTS.step,
    epochs: Annotated[int, typer.Option(help="Passes over the positives, at most.")] = DEFAULTS.epochs,
    batch: Annotated[int, typer.Option(help="Facts of each kind in a batch.")] = DEFAULTS.batch,
    validation: Annotated[float, typer.Option(help="Share of the labels to stop on.")] = DEFAULTS.validation,
    restarts: Annotated[int, typer.Option(help="Independent trainings; the best is kept.")] = DEFAULTS.restarts,
    seed: Annotated[int, typer.Option(help="The same seed gives the same rules.")] = DEFAULTS.seed,
    ignore_impossible: Annotated[
        bool, typer.Option("--ignore-impossible", help="Leave out labels that the template cannot generate.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Learn weighted rules from DATA and print them."""
    settings: dict[str, Any] = {
        "objective": objective,
        "optimiser": optimiser,
        "step": step,
        "epochs": epochs,
        "batch": batch,
        "validation": validation,
        "restarts": restarts,
        "seed": seed,
    }
    options = FitOptions(**settings)
    problem = read_problem(data, template, labels)
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
            on_epoch=on_epoch,
        )
    if out is not None:
        save(learned, out)
        errors.print(f"run written to {out}", markup=False)
    if as_json:
        print_json(program_to_json(learned.program))
    else:
        print_text(render_text(learned.program))
