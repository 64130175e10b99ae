"""rulewright reproduce NAME: one experiment of the paper, or all of them, beside the paper's values."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.completing import among
from rulewright.cli.output import print_json, print_note, print_text, progress
from rulewright.cli.terminal import Column, print_table
from rulewright.errors import DatasetError, DownloadError, MissingExtraError, OptionError, nearest
from rulewright.kb.checking import aligned
from rulewright.kb.datasets import DATA_VARIABLE
from rulewright.reproduce.catalogue import EXPERIMENTS
from rulewright.reproduce.experiment import PRESETS, Experiment, Options
from rulewright.reproduce.page import write_page
from rulewright.reproduce.report import Report, Table, report_to_json
from rulewright.reproduce.run import finished, reproduce
from rulewright.reproduce.write import read_report

ALL, BOTH = "all", "both"
NAMES = {experiment.name: experiment for experiment in EXPERIMENTS}


def reproduce_command(
    name: Annotated[
        str, typer.Argument(help=f"{', '.join(NAMES)}, or {ALL}.", metavar="NAME", autocompletion=among([*NAMES, ALL]))
    ],
    out: Annotated[Path, typer.Option(help="The folder for the results.")] = Path("results"),
    seeds: Annotated[
        int | None, typer.Option(min=1, help="How many repetitions: seeds 0, 1, ... Default: 3, of gridworld 10.")
    ] = None,
    preset: Annotated[
        str, typer.Option(help="Knowledge-base completion: best (ours), paper (its own settings), or both.")
    ] = BOTH,
    threads: Annotated[int | None, typer.Option(help="Default: all cores.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Of all: leave out what takes minutes for each seed.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run again what is finished already.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Run an experiment of the paper, print it beside the paper's values, and write results/NAME.

    The page of all results, index.html and index.md, is renewed each time.
    """
    wanted = chosen(name, quick)
    presets = presets_of(preset)
    reports: dict[str, Report] = {}
    missing: dict[str, str] = {}
    for experiment in wanted:
        try:
            options = Options(tuple(range(seeds or experiment.repetitions)), presets, threads)
            reports[experiment.name] = one(experiment, options, out, fresh)
        except (DatasetError, DownloadError, MissingExtraError) as absent:
            missing[experiment.name] = without_data(absent)
            if name.lower() != ALL:
                raise DatasetError(f"{experiment.name} cannot run: {missing[experiment.name]}") from absent
            print_note(f"{experiment.name} is left out: {missing[experiment.name]}")
        page = write_page(results_in(out), missing, out)
        if not as_json and experiment.name in reports:
            print_report(reports[experiment.name])
    if as_json:
        documents = {name: report_to_json(report) for name, report in reports.items()}
        print_json(
            {"results": documents, "missing": missing, "page": str(page)}
            if name.lower() == ALL
            else documents[name.lower()]
        )
    else:
        print_text(f"all results on one page: {page}")


def chosen(name: str, quick: bool) -> tuple[Experiment, ...]:
    """The experiments a name stands for."""
    name = name.lower()
    if name == ALL:
        return tuple(experiment for experiment in EXPERIMENTS if not (quick and experiment.slow))
    if name not in NAMES:
        known = [*NAMES, ALL]
        raise OptionError(f"there is no experiment {name}{nearest(name, known)}; there are {', '.join(known)}")
    if quick:
        raise OptionError(f"--quick chooses among all experiments: write `rulewright reproduce {ALL} --quick`")
    return (NAMES[name],)


def presets_of(preset: str) -> tuple[str, ...]:
    """The presets a word stands for."""
    if preset != BOTH and preset not in PRESETS:
        raise OptionError(f"--preset must be {', '.join(PRESETS)} or {BOTH}, not {preset}{nearest(preset, PRESETS)}")
    return PRESETS if preset == BOTH else (preset,)


def one(experiment: Experiment, options: Options, out: Path, fresh: bool) -> Report:
    """The report of one experiment: the finished one, or a new one."""
    prepared, folder = experiment.prepare(options), out / experiment.name
    report = None if fresh else finished(prepared, folder)
    if report is not None:
        print_note(f"{experiment.name} is finished: {folder} (--fresh runs it again)")
        return report
    with progress(experiment.name, prepared.steps) as on_step:
        return reproduce(experiment, prepared, options, folder, on_step, fresh)


def results_in(out: Path) -> list[Report]:
    """Every report there is, in the order of the paper."""
    found = (read_report(out / name) for name in NAMES)
    return [report for report in found if report is not None]


def without_data(absent: Exception) -> str:
    """Why an experiment cannot run, and how to get what it lacks."""
    return f"{absent}\nOr name a folder that holds the data sets in the environment variable {DATA_VARIABLE}."


def print_report(report: Report) -> None:
    """The tables for people."""
    print_text(f"\n{report.title}\n{report.paper}\n{report.protocol}")
    for table in report.tables:
        kinds = ["rule" if place in table.code else "figure" for place in range(len(table.columns))]
        columns = [Column(name, kind) for name, kind in zip(table.columns, ["name", *kinds[1:]], strict=True)]
        print_text("")
        print_table(columns, table.rows, lines_of(table), table.title)
        if table.note:
            print_text(table.note)
    for remark in report.remarks:
        print_text(f"- {remark}")


def lines_of(table: Table) -> list[str]:
    """A table as plain lines; rules stand to the left, at the end of the line: they are long and of any length."""
    rows = [table.columns, *table.rows]
    places = [place for place in range(len(table.columns)) if place not in table.code]
    parts = [aligned([[row[place] for place in places] for row in rows])]
    for place in table.code:
        width = max(len(row[place]) for row in rows)
        parts.append([row[place].ljust(width) for row in rows])
    return [table.title, *("  ".join(cells).rstrip() for cells in zip(*parts, strict=True))]
