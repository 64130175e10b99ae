"""Fuzz with atheris, guided by coverage: so many runs of every target of tests/fuzz, each in a process of its own.

    python benchmarks/soak.py fuzz [--runs 20000] [--seconds 300] [--seed 0]
    python benchmarks/fuzz.py --targets template ...        some of them, without keeping the figures

atheris (PyPI, Linux) comes with the extra `fuzz`; the tests in tests/fuzz run the same targets without guidance. What
is found is written to fuzz-findings/TARGET/; once it is repaired, the input belongs into tests/fuzz.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from record import SkippedError

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src"
FINDINGS = HERE.parent / "fuzz-findings"
EXPLORER = "explorer"
EXECUTED, COVERED = re.compile(r"stat::number_of_executed_units:\s*(\d+)"), re.compile(r"\bcov: (\d+)")


def measure(runs: int, seconds: int, seed: int, targets: list[str] | None = None) -> dict[str, Any]:
    """Every target; what was found is an error."""
    if find_spec("atheris") is None:
        raise SkippedError("atheris is not installed: pip install 'rulewright[fuzz]' (Linux); tests/fuzz does without")
    rows = {}
    for name in targets or all_targets():
        rows[name] = fuzzed(name, runs, seconds, seed)
        print(name, rows[name], flush=True)
    if failed := [name for name, row in rows.items() if row["found"]]:
        raise SystemExit(f"found something in {', '.join(failed)}: see {FINDINGS.name}/")
    return {"atheris": version("atheris"), "seed": seed, "asked": runs, "most_s": seconds, "targets": rows}


def all_targets() -> list[str]:
    """The names of the targets."""
    sys.path.insert(0, str(HERE.parent))
    from tests.fuzz.targets import FOLDERS, TEXTS

    return [*TEXTS, *FOLDERS, EXPLORER]


def fuzzed(name: str, runs: int, seconds: int, seed: int) -> dict[str, int]:
    """How a process of its own that fuzzes one target ended."""
    options = [f"--runs={runs}", f"--seconds={seconds}", f"--seed={seed}"]
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=memory) as place:
        command = [sys.executable, __file__, "--inside", name, "--place", place, *options]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    said = done.stdout + done.stderr
    if done.returncode:  # negative: a signal, of which nothing else may tell
        print(f"{said[-4000:]}\n{name} ended with {done.returncode}", flush=True)
    executed, covered = EXECUTED.search(said), COVERED.findall(said)
    return {
        "runs": int(executed[1]) if executed else 0,
        "covered": int(covered[-1]) if covered else 0,
        "found": int(done.returncode != 0 or executed is None),
    }


def kernels() -> list[str]:
    """The modules that numba compiles, which it cannot once they are instrumented."""
    files = (file for file in SOURCE.rglob("*.py") if "from numba import" in file.read_text(encoding="utf-8"))
    return [".".join(file.relative_to(SOURCE).with_suffix("").parts) for file in sorted(files)]


def fuzz(name: str, runs: int, seconds: int, seed: int, place: Path) -> None:
    """Fuzz one target in this process, which atheris ends, with files at a place that the caller removes."""
    import atheris

    sys.path.insert(0, str(HERE.parent))
    with atheris.instrument_imports(include=["lark", "rulewright"], exclude=kernels()):
        from tests.fuzz.explorer import feed_explorer
        from tests.fuzz.runs import explorers, write_runs
        from tests.fuzz.targets import FOLDERS, TEXTS, feed_folder, feed_text
    found = FINDINGS / name.replace(" ", "-")
    found.mkdir(parents=True, exist_ok=True)
    corpus = place / "corpus"
    corpus.mkdir()
    options = [f"-runs={runs}", f"-max_total_time={seconds}", f"-seed={seed + 1}", "-timeout=60", "-rss_limit_mb=6000"]
    options += [f"-artifact_prefix={found}/", "-print_final_stats=1", "-max_len=2000", str(corpus)]
    if name in TEXTS:
        words = TEXTS[name].words
        for number, word in enumerate(("\n".join(words), *words)):
            (corpus / f"{number}").write_bytes(word.encode("utf-8", "surrogatepass"))
    else:
        for number in range(200):
            (corpus / f"{number}").write_bytes(bytes((number * k * 37 + k) % 251 for k in range(1, 30)))
    sound = {} if name in TEXTS else write_runs(place / "sound")
    apps = explorers(sound) if name == EXPLORER else []

    def once(data: bytes) -> None:
        """One run; errors of our tree are answers."""
        if name in TEXTS:
            feed_text(name, data, place)
        elif name in FOLDERS:
            feed_folder(name, data, sound[name], place / "broken")
        else:
            feed_explorer(apps, data)

    atheris.Setup([__file__, *options], once)
    atheris.Fuzz()


def main() -> None:
    """Fuzz some targets, or be the process of one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=300, help="of one target at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--targets", nargs="+", default=None)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        fuzz(asked.inside, asked.runs, asked.seconds, asked.seed, asked.place)
    else:
        measure(asked.runs, asked.seconds, asked.seed, asked.targets)


if __name__ == "__main__":
    main()
