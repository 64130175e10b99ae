"""An experiment: what it needs, what decides its outcome, and the work that leads to a report."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.errors import OptionError
from rulewright.kb.splits import Dataset
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.report import Headline, Table

OnStep = Callable[[int, str], None]  # steps done, and what is being done
PRESETS = ("best", "paper")


@dataclass(frozen=True)
class Options:
    """What a user chooses.

    seeds    of the repetitions, one run each
    presets  of knowledge-base completion: our settings, the paper's, or both
    threads  None takes all cores; the figures do not depend on them
    """

    seeds: tuple[int, ...]
    presets: tuple[str, ...] = PRESETS
    threads: int | None = None

    def __post_init__(self) -> None:
        if not self.seeds or min(self.seeds) < 0:
            raise OptionError(f"seeds must be at least one number from 0 on, not {self.seeds}")
        if not self.presets or not set(self.presets) <= set(PRESETS):
            raise OptionError(f"presets must be some of {', '.join(PRESETS)}, not {', '.join(self.presets)}")
        if self.threads is not None and self.threads < 1:
            raise OptionError(f"threads must be at least 1, not {self.threads}")


@dataclass(frozen=True, eq=False)
class Drawing:
    """A picture still to be drawn: its file, its caption, and how it is written to a path.

    What is drawn as PNG is drawn as SVG, too: `draw` goes by the ending.
    """

    file: str
    caption: str
    draw: Callable[[Path], None]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What the work gave; `Report` says what the parts are."""

    protocol: str
    headlines: tuple[Headline, ...]
    tables: tuple[Table, ...]
    figures: Mapping[str, Any]
    remarks: tuple[str, ...] = ()
    drawings: tuple[Drawing, ...] = ()


@dataclass(frozen=True, eq=False)
class Prepared:
    """An experiment with its data at hand.

    settings  all that decides the outcome but the code, as plain data; with equal ones a finished report is reused
    steps     how many the work reports at most
    work      may keep finished runs in the journal, and recall those of an earlier attempt
    """

    settings: Mapping[str, Any]
    seeds: tuple[int, ...]
    steps: int
    work: Callable[[OnStep, Journal], Outcome]


@dataclass(frozen=True, eq=False)
class Experiment:
    """One experiment of the paper; `prepare` reads the data and fails where there is none."""

    name: str
    title: str
    paper: str
    prepare: Callable[[Options], Prepared]
    slow: bool = False
    repetitions: int = 3  # seeds, where no one says how many


def data_fingerprint(dataset: Dataset) -> str:
    """Equal for equal triples, so that a report is not reused for other data of the same name."""
    digest = hashlib.sha256()
    for part, triples in dataset.parts().items():
        digest.update(f"{part} {len(triples)} ".encode())
        digest.update(triples.tobytes())
    for names in (dataset.entities.names, dataset.relations.names):
        digest.update("\0".join(names).encode())
    return digest.hexdigest()[:16]
