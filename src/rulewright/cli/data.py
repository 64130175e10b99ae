"""rulewright data list|fetch|check: the data sets there are, one of them onto this machine, what is in one."""

from typing import Annotated, Any

import typer

from rulewright.cli.commands import COMMANDS, SETTINGS
from rulewright.cli.completing import data_names
from rulewright.cli.output import busy, print_json, print_note, print_text
from rulewright.cli.terminal import Column, print_table
from rulewright.errors import DatasetError
from rulewright.kb.checking import aligned, check
from rulewright.kb.datasets import load_dataset, locate
from rulewright.kb.registry import REGISTRY, Entry, find
from rulewright.kb.splits import TEST, TRAIN, VALID
from rulewright.paths.reach import LONGEST, reach_by_length

AsJson = Annotated[bool, typer.Option("--json", help="Print for programs.")]

data_app = typer.Typer(
    name="data",
    help=COMMANDS["data"],
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


@data_app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the data sets known by name, and where they are."""
    if as_json:
        print_json([described(entry) for entry in REGISTRY])
        return
    titles = ("name", "where", "entities", "relations", TRAIN, VALID, TEST, "split")
    rows: list[tuple[str, ...]] = []
    for entry in REGISTRY:
        place = locate(entry.name)
        counts = (entry.entities, entry.relations, *(entry.sizes[part] for part in (TRAIN, VALID, TEST)))
        where = "to be downloaded" if place is None else place.found_in
        rows.append((entry.name, where, *(f"{count:,}" for count in counts), entry.split))
    columns = [Column(title, "name" if title in ("name", "where", "split") else "figure") for title in titles]
    print_table(columns, rows, aligned([titles, *rows]))


def described(entry: Entry) -> dict[str, Any]:
    """An entry as plain data."""
    place = locate(entry.name)
    return {
        "name": entry.name,
        "aliases": entry.aliases,
        "split": entry.split,
        "entities": entry.entities,
        "relations": entry.relations,
        "triples": dict(entry.sizes),
        "sha256": dict(entry.checksums),
        "licence": entry.licence,
        "reference": entry.reference,
        "addresses": [source.address for source in entry.sources],
        "found_in": None if place is None else place.found_in,
        "folder": None if place is None else str(place.folder),
    }


@data_app.command("fetch")
def fetch_command(
    name: Annotated[str, typer.Argument(help="A name out of `data list`.", autocompletion=data_names)],
    as_json: AsJson = False,
) -> None:
    """Make sure that the data set NAME is on this machine: download it unless it is."""
    entry = find(name)
    if entry is not None and locate(name) is None:
        print_note(f"downloading {entry.name}; licence: {entry.licence}")
    dataset = load_dataset(name)
    place = locate(name)
    if place is None:
        raise DatasetError(f"{name} is a path; what is already on this machine need not be fetched")
    if as_json:
        print_json({"name": dataset.name, "folder": str(place.folder), "found_in": place.found_in})
        return
    print_text(f"{dataset}\n{place.folder}")


@data_app.command("check")
def check_command(
    data: Annotated[
        str, typer.Argument(help="A name, a folder with train.txt, or one file of triples.", autocompletion=data_names)
    ],
    longest: Annotated[int, typer.Option(min=0, help="How many steps to look for answers; 0: do not look.")] = LONGEST,
    encoding: Annotated[str, typer.Option(help="Of text files.")] = "utf-8",
    seed: Annotated[int, typer.Option(help="Of the split of a single file.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Print counts, repetitions, leaks between the parts, names unseen in training, and how far answers lie."""
    dataset = load_dataset(data, seed=seed, encoding=encoding)
    with busy("looking how far answers lie"):
        report = check(dataset, reach_by_length(dataset, longest=longest) if longest else ())
    if as_json:
        print_json(report.as_dict())
        return
    print_text(str(report))
