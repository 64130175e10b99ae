"""Runs docs/tutorials anew and keeps in the notebooks what they show: python scripts/notebooks.py [NAME ...].

With --check nothing is written: a notebook whose outputs are not what its cells give now is an error. Words have to be
the same; numbers may differ a little, since processors round differently.

A notebook runs in an empty folder, with no data but what the package ships, and on one thread.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from math import isclose
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "tutorials"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
LONGEST = 300  # seconds a cell may take
LARGEST = 500_000  # bytes of a notebook
Text = tuple[str, str]  # which cell and output it is, and what it says


def executed(path: Path) -> Any:
    """The notebook with the outputs that its cells give now."""
    notebook = nbformat.read(path, as_version=4)
    environment = {name: value for name, value in os.environ.items() if name != "RULEWRIGHT_DATA"}
    environment |= {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    with tempfile.TemporaryDirectory() as empty:
        client = NotebookClient(
            notebook,
            timeout=LONGEST,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": empty}},
        )
        client.execute(env=environment)
    notebook.metadata = nbformat.from_dict(KERNEL)
    return notebook


def differences(committed: Any, now: Any) -> list[str]:
    """Where the texts of two runs of a notebook differ by more than rounding."""
    before, after = list(texts(committed)), list(texts(now))
    found = [
        f"{place}\n  committed: {old}\n  now:       {new}"
        for (place, old), (other, new) in zip(before, after, strict=False)
        if place != other or not alike(old, new)
    ]
    return found if len(before) == len(after) else [*found, f"{len(before)} outputs committed, now {len(after)}"]


def texts(notebook: Any) -> Iterator[Text]:
    """What the outputs say: what is printed, results as text, and the words of their HTML."""
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if output.output_type == "stream":
                yield f"cell {number}, {output.name}", output.text
            if "text/plain" in data:
                yield f"cell {number}, result", data["text/plain"]
            if "text/html" in data:
                yield f"cell {number}, HTML", words_of(data["text/html"])


class Words(HTMLParser):
    """The text of HTML, without styles."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" not in self.inside:
            self.words += data.split()


def words_of(html: str) -> str:
    """The text of HTML."""
    reader = Words()
    reader.feed(html)
    return " ".join(reader.words)


def alike(old: str, new: str) -> bool:
    """Whether two texts have the same words, and numbers that are nearly the same."""
    if NUMBER.sub("#", old).split() != NUMBER.sub("#", new).split():
        return False
    pairs = zip(NUMBER.findall(old), NUMBER.findall(new), strict=True)
    return all(near(first, second) for first, second in pairs)


def near(first: str, second: str) -> bool:
    """Whether two numbers differ by rounding at most: a twentieth, or two hundredths (of whole ones, two)."""
    slack = 0.02 if "." in first else 2.0
    return isclose(float(first.replace(",", "")), float(second.replace(",", "")), rel_tol=0.05, abs_tol=slack)


def main(arguments: list[str]) -> int:
    names = [argument for argument in arguments if argument != "--check"]
    stale = False
    for path in sorted(FOLDER.glob("*.ipynb")):
        if names and path.stem not in names:
            continue
        now = executed(path)
        if "--check" in arguments:
            found = differences(nbformat.read(path, as_version=4), now)
            stale |= bool(found)
            print("\n".join([f"{path.name}: {'stale' if found else 'up to date'}", *found]))
        else:
            nbformat.write(now, path)
            print(f"{path.name}: {path.stat().st_size:,} bytes")
            stale |= path.stat().st_size > LARGEST
    return int(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
