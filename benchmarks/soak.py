"""Long trials of what must never break; the figures of each are kept in results/soak.json.

    python benchmarks/soak.py kills [--count 100]

kills    `rulewright learn nations` is killed with -9 at random moments so many times; after every kill all files are
         read, and in the end the run must equal one that nobody disturbed
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from killing import CommandLine, differences, kill_until_done
from record import circumstances, read_result, write_result

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
                command, arguments(killed, asked.engine), killed, asked.count, undisturbed.seconds, asked.seed
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


SOAKS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {"kills": kills}


def main() -> None:
    """Run what was asked for and keep its figures beside those of the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=tuple(SOAKS))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--engine", choices=("pool", "serial"), default="pool")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    started = time.perf_counter()
    figures = SOAKS[asked.what](asked) | {"seconds": round(time.perf_counter() - started, 1)}
    print(figures)
    earlier = (read_result("soak") or {}).get("soaks", {})
    write_result("soak", {"soaks": earlier | {asked.what: circumstances() | figures}})


if __name__ == "__main__":
    main()
