"""A report: what one experiment gave, as plain values; tables, pictures and pages are drawn from it alone."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

FORMAT = 1


@dataclass(frozen=True)
class Table:
    """A table of text; the columns numbered in `code` hold rules, shown in type of equal width."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    code: tuple[int, ...] = ()


@dataclass(frozen=True)
class Headline:
    """One figure for the summary: what it is, the paper's value, ours."""

    what: str
    paper: str
    ours: str


@dataclass(frozen=True)
class Picture:
    """A picture's file in the report's folder, and what it shows."""

    file: str
    caption: str


@dataclass(frozen=True)
class Report:
    """One experiment beside the paper.

    paper          which part of the paper it reproduces
    settings       everything that the outcome depends on but the code
    code           fingerprint of the code, see `circumstances.code`
    circumstances  machine, versions, commit
    figures        all numbers unrounded, by seed where there are seeds
    remarks        what a reader must know to compare
    """

    name: str
    title: str
    paper: str
    protocol: str
    headlines: tuple[Headline, ...]
    tables: tuple[Table, ...]
    pictures: tuple[Picture, ...]
    remarks: tuple[str, ...]
    settings: Mapping[str, Any]
    seeds: tuple[int, ...]
    code: str
    circumstances: Mapping[str, Any]
    seconds: float
    figures: Mapping[str, Any] = field(default_factory=dict)


def report_to_json(report: Report) -> dict[str, Any]:
    """A report as plain data."""
    return {"format": FORMAT, **asdict(report)}


def report_from_json(data: Mapping[str, Any]) -> Report:
    """The report behind `report_to_json`; a LookupError, TypeError or ValueError where it is none of this format."""
    if data["format"] != FORMAT:
        raise ValueError(f"a report of format {data['format']!r}, not {FORMAT}")
    plain = {name: value for name, value in data.items() if name != "format"}
    plain["headlines"] = tuple(Headline(**one) for one in plain["headlines"])
    plain["pictures"] = tuple(Picture(**one) for one in plain["pictures"])
    plain["tables"] = tuple(table_from_json(one) for one in plain["tables"])
    for name in ("remarks", "seeds"):
        plain[name] = tuple(plain[name])
    return Report(**plain)


def table_from_json(data: Mapping[str, Any]) -> Table:
    """A table, its lists made tuples again."""
    rows = tuple(tuple(map(str, row)) for row in data["rows"])
    return Table(data["title"], tuple(data["columns"]), rows, data["note"], tuple(data["code"]))


def shown(value: float, digits: int = 3) -> str:
    """A figure as the tables print it."""
    return f"{value:.{digits}f}"


def with_deviation(mean: float, deviation: float, seeds: int) -> str:
    """A mean, with its deviation where there is one."""
    return f"{mean:.3f} ± {deviation:.3f}" if seeds > 1 else f"{mean:.3f}"
