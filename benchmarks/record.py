"""The recorded figures of the benchmarks, each with the circumstances it was measured in."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from rulewright.reproduce.circumstances import LIBRARIES, circumstances

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
MEASURED = (*LIBRARIES, "pandas")  # one of the benchmarks compares with it


class SkippedError(Exception):
    """What a trial needs and this machine has not."""


def figures_of(script: str, *arguments: object) -> dict[str, Any]:
    """What a script prints as its last line, run in a process of its own, so that its peak of memory is its own too."""
    output = subprocess.run(
        [sys.executable, script, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found


def write_result(name: str, figures: dict[str, Any]) -> Path:
    """Keep the figures of one benchmark."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(
        json.dumps(circumstances(MEASURED) | figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return path


def read_result(name: str) -> dict[str, Any] | None:
    """The figures of one benchmark, None where it has not been run."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
