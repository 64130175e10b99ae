"""Learn, and be killed with -9 at random moments, until the run is complete: with every file looked at after each kill.

Importing the package and loading its kernels takes seconds, so a process that has run the command once is copied (fork)
for every attempt; the kill itself is real.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from safetensors.numpy import load_file

WARM = """
import json, os, sys
from rulewright.cli.app import main
for line in sys.stdin:
    task = json.loads(line)
    child = os.fork() if task["fork"] else 0
    if child == 0:
        kept = os.dup(1)
        for descriptor, name in ((1, task["out"]), (2, task["err"])):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
        sys.argv = ["rulewright", *task["arguments"]]
        code = 0
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code or 0
        if task["fork"]:
            os._exit(code)
        os.dup2(kept, 1)
        print(os.getpid(), flush=True)
        print(code, flush=True)
        continue
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@dataclass(frozen=True)
class Attempt:
    """How one attempt ended: its exit code (below 0: the signal), what it printed, and how long it took."""

    code: int
    out: str
    err: str
    seconds: float


class CommandLine:
    """`rulewright`, loaded once and started many times."""

    def __init__(self, folder: Path) -> None:
        self.files = {"out": str(folder / "out.txt"), "err": str(folder / "err.txt")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", WARM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> "CommandLine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def run(self, arguments: Sequence[str], kill_after: float | None = None, warm: bool = False) -> Attempt:
        """Run a command to its end, or kill it after so many seconds. To warm up, the process runs it itself."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"arguments": list(arguments), "fork": not warm, **self.files}) + "\n")
        self.process.stdin.flush()
        child, started = int(self.process.stdout.readline()), time.perf_counter()
        if kill_after is not None:
            time.sleep(kill_after)
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        code = int(self.process.stdout.readline())
        out, err = (Path(self.files[name]).read_text(encoding="utf-8") for name in ("out", "err"))
        return Attempt(code, out, err, time.perf_counter() - started)


def kill_until_done(
    command: CommandLine, arguments: Sequence[str], run: Path, kills: int, longest: float, seed: int
) -> list[Attempt]:
    """Repeat a command that writes a run; kill it so often, each time within `longest` seconds, then let it finish.

    An attempt that ends before its kill has completed the run; the next one begins anew.
    """
    rng = random.Random(seed)
    attempts = []
    while sum(attempt.code < 0 for attempt in attempts) < kills:
        attempts.append(command.run(arguments, rng.random() * longest))
        if attempts[-1].code > 0:
            raise AssertionError(f"the command failed: {attempts[-1].err}")
        look_at(run)
    attempts.append(command.run(arguments))
    look_at(run)
    return attempts


def look_at(run: Path) -> None:
    """Read every file of a run and of what is finished of it; an error if one is not whole."""
    for folder in (run, run.with_name(f".{run.name}.partial")):
        for path in sorted(folder.iterdir()) if folder.exists() else ():
            if path.suffix == ".json":
                json.loads(path.read_text(encoding="utf-8"))
            elif path.suffix == ".safetensors":
                load_file(path)


def differences(one: Path, other: Path) -> list[str]:
    """Where two runs differ, times and memory left aside."""
    names = sorted(path.name for path in one.iterdir())
    if names != sorted(path.name for path in other.iterdir()):
        return ["the files"]
    found = [n for n in names if n.endswith(".safetensors") and (one / n).read_bytes() != (other / n).read_bytes()]
    for name in ("run.json", "figures.json"):
        first, second = (timeless(json.loads((run / name).read_text(encoding="utf-8"))) for run in (one, other))
        found += [name] * (first != second)
    return found


def timeless(document: object) -> object:
    """A document without what no two executions share."""
    if isinstance(document, dict):
        return {key: timeless(value) for key, value in document.items() if key not in ("seconds", "peak_rss_mb")}
    return document
