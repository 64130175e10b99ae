"""What every measurement states beside its figures: the machine, the commit, the versions."""

import json
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
LIBRARIES = ("rulewright", "numpy", "numba", "scipy", "torch", "pandas")


def circumstances() -> dict[str, Any]:
    """Where and with what something was measured."""
    return {
        "machine": f"{os.cpu_count()} cores, {memory_gib():.0f} GiB, {platform.machine()}, {cpu_model()}",
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in LIBRARIES},
        "commit": commit(),
    }


def commit() -> str:
    """The commit measured, marked where files differ from it."""
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=HERE, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()


def memory_gib() -> float:
    """The machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def cpu_model() -> str:
    """The processor's name where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


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
    path.write_text(json.dumps(circumstances() | figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def read_result(name: str) -> dict[str, Any] | None:
    """The figures of one benchmark, None where it has not been run."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
