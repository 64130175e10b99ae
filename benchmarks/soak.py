"""Long trials of what must never break. Without a name all of them run, one after the other.

    python benchmarks/soak.py [kills] [fuzz] [memory] [scale] [cluster] [--kills 100] [--runs 20000] ...

kills    `rulewright learn nations` is killed with -9 at random moments so many times; after every kill all files are
         read, and in the end the run must equal one that nobody disturbed
fuzz     every reader and the explorer, guided by coverage (fuzz.py); needs atheris
memory   `--memory` on FB15K-237, measured from outside (memory.py)
scale    generated graphs of 10^4 to 10^7 facts within 4 GB (scale.py)
cluster  a scheduler and workers in network namespaces, one of them killed (cluster.py)
gpu      networks, chains and ranking on a GPU against the CPU (gpu.py); needs a CUDA device

Each keeps its figures in results/NAME.json, and all of them become RESULTS.md. What a machine cannot do is skipped and
said so; anything else that goes wrong ends with 1, once the other trials are through.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cluster
import fuzz
import gpu
import memory
import scale
from killing import CommandLine, differences, kill_until_done
from record import SkippedError, write_result
from report import write_report

SETTINGS = """
length = 2
paths = 40
mined = 60
queries = 60
hard = 20
epochs = 4
folds = 4
used_folds = 4
"""


def kills(asked: argparse.Namespace) -> dict[str, Any]:
    """Kill a learning process again and again."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        settings = place / "settings.toml"
        settings.write_text(SETTINGS, encoding="utf-8")

        def arguments(run: Path, engine: str) -> list[str]:
            return ["learn", "nations", "--settings", str(settings), "--engine", engine, "--out", str(run)]

        whole, killed = place / "whole", place / "killed"
        with CommandLine(place) as command:
            command.run(arguments(whole, "serial"), warm=True)
            undisturbed = command.run(arguments(whole, asked.engine))
            found = kill_until_done(
                command, arguments(killed, asked.engine), killed, asked.kills, undisturbed.seconds, asked.seed
            )
        differing = differences(whole, killed)
        left = sorted(path.name for path in place.iterdir() if "killed" in path.name and path != killed)
    if differing or left or found[-1].code:
        raise SystemExit(f"the run differs in {differing}, left {left}, and ended with {found[-1]}")
    return {
        "engine": asked.engine,
        "seed": asked.seed,
        "kills": sum(attempt.code < 0 for attempt in found),
        "attempts": len(found),
        "completed": sum(attempt.code == 0 for attempt in found),
        "continued": sum("continuing" in attempt.err for attempt in found),
        "differences": len(differing),
        "undisturbed_s": round(undisturbed.seconds, 2),
    }


# A further trial is one more entry: its figures, or a SkippedError that says what the machine lacks.
TRIALS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "kills": kills,
    "fuzz": lambda asked: fuzz.measure(asked.runs, asked.seconds, asked.seed),
    "memory": lambda asked: memory.measure(asked.budgets),
    "scale": lambda asked: scale.measured_and_drawn(),
    "cluster": lambda asked: cluster.measure("umls", 2, kill=True),
    "gpu": lambda asked: gpu.measure(),
}


def main() -> int:
    """Run what was asked for and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trials", nargs="*", metavar="trial", help=", ".join(TRIALS))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--engine", choices=("pool", "serial"), default="pool", help="of the killed process")
    parser.add_argument("--runs", type=int, default=20_000, help="of every fuzz target")
    parser.add_argument("--seconds", type=int, default=300, help="of one fuzz target at most")
    parser.add_argument("--budgets", nargs="+", default=memory.BUDGETS, help="of the trial memory")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if unknown := set(asked.trials) - set(TRIALS):
        parser.error(f"there is no trial {', '.join(sorted(unknown))}: choose from {', '.join(TRIALS)}")
    failed = [name for name in asked.trials or TRIALS if not tried(name, asked)]
    print(write_report())
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def tried(name: str, asked: argparse.Namespace) -> bool:
    """Run one trial and keep its figures; False where something broke."""
    print(f"{name} ...", flush=True)
    started = time.perf_counter()
    try:
        figures = TRIALS[name](asked)
    except SkippedError as reason:
        print(f"{name}: skipped, {reason}", flush=True)
        return True
    except (SystemExit, AssertionError, OSError, subprocess.SubprocessError) as broken:
        print(f"{name}: FAILED: {broken}", file=sys.stderr, flush=True)
        return False
    write_result(name, figures | {"took_s": round(time.perf_counter() - started, 1)})
    print(f"{name}: done in {time.perf_counter() - started:.0f} s", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
