"""Whether `--memory` is kept, measured from outside: the peak of the whole command, reading and saving included.

    python benchmarks/soak.py memory [--budgets 4GB 1.5GB]

`rulewright learn FB15k-237` and `rulewright evaluate` with its preset for dense graphs, once with plenty and once with
little. What the command told before it started stands beside the peak that the kernel counted for its process.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from record import read_result

DATA, BUDGETS = "FB15k-237", ("4GB", "1.5GB")
COMMAND = "from rulewright.cli.app import main; main()"
TOLD = re.compile(r"needs up to ([\d.]+) GB [^;\n]*?(?:; to fit: ([^\n]*?))?, of ([\d.]+) GB given")


def measure(budgets: Sequence[str] = BUDGETS, data: str = DATA) -> dict[str, Any]:
    """Every budget; those measured before stay beside the new ones."""
    rows: list[dict[str, Any]] = []
    for budget in budgets:
        rows.append(within(data, budget))
        print(rows[-1], flush=True)
    passed = [row["memory"] for row in rows if max(row["learn_peak_mb"], row["evaluate_peak_mb"]) > row["memory"] * 1e3]
    if passed:
        raise SystemExit(f"the peak passed the memory given: {passed} GB")
    earlier = {row["memory"]: row for row in (read_result("memory") or {}).get("rows", [])}
    every = earlier | {row["memory"]: row for row in rows}
    return {"data": data, "rows": [every[size] for size in sorted(every, reverse=True)]}


def within(data: str, budget: str) -> dict[str, Any]:
    """Learn and rank within a budget."""
    with tempfile.TemporaryDirectory() as place:
        run = Path(place) / "run"
        learning = peak_of(Path(place), "learn", data, "--memory", budget, "--out", str(run))
        ranking = peak_of(Path(place), "evaluate", str(run), "--split", "test", "--memory", budget, "--json")
    told = TOLD.search(" ".join(learning["err"].split()))
    if told is None:
        raise SystemExit(f"no estimate was told before learning: {learning['err']}")
    return {
        "memory": float(told[3]),
        "estimate_mb": float(told[1]) * 1e3,
        "changes": told[2] or "",
        "learn_peak_mb": learning["peak_mb"],
        "learn_s": learning["seconds"],
        "evaluate_peak_mb": ranking["peak_mb"],
        "mrr": json.loads(ranking["out"])["mrr"],
    }


def peak_of(place: Path, *arguments: str) -> dict[str, Any]:
    """Run a command to its end; its peak in millions of bytes, which is at least that of this small process."""
    started = perf_counter()
    with (place / "out").open("w") as out, (place / "err").open("w") as err:
        process = subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    said = (place / "err").read_text(encoding="utf-8")
    if process.returncode:
        raise SystemExit(f"rulewright {' '.join(arguments)} failed: {said}")
    return {
        "peak_mb": round(usage.ru_maxrss * 1024 / 1e6, 1),
        "seconds": round(perf_counter() - started, 1),
        "out": (place / "out").read_text(encoding="utf-8"),
        "err": said,
    }
