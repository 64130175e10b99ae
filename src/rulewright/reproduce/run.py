"""reproduce(experiment, options, folder): from data to a finished folder, unless it is there already."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.errors import MissingExtraError
from rulewright.reproduce.circumstances import circumstances, code
from rulewright.reproduce.experiment import Drawing, Experiment, OnStep, Options, Prepared
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.report import Picture, Report
from rulewright.reproduce.write import check_place, new_folder, read_report, write_report


def finished(prepared: Prepared, folder: Path) -> Report | None:
    """The report in the folder, where the same code made it with the same settings, data and seeds."""
    report = read_report(folder)
    if report is None:
        return None
    asked = (plain(prepared.settings), prepared.seeds, code())
    return report if (report.settings, report.seeds, report.code) == asked else None


def reproduce(
    experiment: Experiment, prepared: Prepared, options: Options, folder: Path, on_step: OnStep, fresh: bool = False
) -> Report:
    """Do the work and write the folder; an earlier one stays until the new one is complete.

    Runs that an earlier attempt finished before it was stopped are recalled from its journal; not if `fresh`.
    """
    check_place(folder)  # before the work, not after it
    made_by, started = code(), time.perf_counter()
    journal = Journal(folder.with_name(f".{experiment.name}.jsonl"), plain(prepared.settings), made_by)
    if fresh:
        journal.forget()
    outcome = prepared.work(on_step, journal)
    seconds = time.perf_counter() - started
    with new_folder(folder) as unfinished:
        pictures, missing = drawn(outcome.drawings, unfinished)
        report = Report(
            name=experiment.name,
            title=experiment.title,
            paper=experiment.paper,
            protocol=outcome.protocol,
            headlines=outcome.headlines,
            tables=outcome.tables,
            pictures=pictures,
            remarks=(*outcome.remarks, *missing),
            settings=plain(prepared.settings),
            seeds=prepared.seeds,
            code=made_by,
            circumstances=circumstances() | {"threads": options.threads},
            seconds=round(seconds, 3),
            figures=plain(outcome.figures),
        )
        write_report(report, unfinished)
    journal.forget()
    return report


def drawn(drawings: tuple[Drawing, ...], folder: Path) -> tuple[tuple[Picture, ...], tuple[str, ...]]:
    """The pictures that could be drawn, and what to say about the others."""
    pictures: list[Picture] = []
    missing: tuple[str, ...] = ()
    for drawing in drawings:
        try:
            drawing.draw(folder / drawing.file)
            if drawing.file.endswith(".png"):  # the page shows this one; print wants the other
                drawing.draw(folder / f"{Path(drawing.file).stem}.svg")
        except MissingExtraError as extra:
            missing = (f"Pictures are missing: {extra}.",)
        else:
            pictures.append(Picture(drawing.file, drawing.caption))
    return tuple(pictures), missing


def plain(value: Any) -> Any:
    """The value as JSON gives it back: what is compared must not differ by tuples and lists."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value
