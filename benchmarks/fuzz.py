"""Fuzz with atheris, guided by coverage: so many runs of every target of tests/fuzz/targets.py, each its own process.

    python benchmarks/fuzz.py [--runs 20000] [--seconds 300] [--seed 1] [--targets template ...]

atheris (PyPI, Linux and macOS) is no dependency of the project; without it this says so and leaves with 2. The tests in
tests/fuzz run the same targets without guidance. What is found is written to fuzz-findings/TARGET/; once it is
repaired, the input belongs into tests/fuzz.
"""

import argparse
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
READERS = [  # what reads hostile input; numba cannot compile an instrumented kernel
    "lark", "rulewright.errors", "rulewright.logic", "rulewright.kb", "rulewright.template", "rulewright.grounding",
    "rulewright.rules", "rulewright.saving", "rulewright.completion.saving", "rulewright.cli",
]  # fmt: skip
FINDINGS = HERE.parent / "fuzz-findings"


def main() -> int:
    """Run every target; 1 if any of them found something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=300, help="of one target at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--targets", nargs="+", default=None)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if find_spec("atheris") is None:
        print("atheris is not installed: pip install atheris (Linux and macOS); tests/fuzz fuzzes without it")
        return 2
    sys.path.insert(0, str(HERE.parent))
    if asked.inside:
        return fuzz(asked.inside, asked.runs, asked.seconds, asked.seed)
    from tests.fuzz.targets import FOLDERS, TEXTS

    failed = []
    for name in asked.targets or (*TEXTS, *FOLDERS):
        options = [f"--runs={asked.runs}", f"--seconds={asked.seconds}", f"--seed={asked.seed}"]
        done = subprocess.run(
            [sys.executable, __file__, "--inside", name, *options], capture_output=True, text=True, errors="replace"
        )
        said = done.stdout + done.stderr
        count = [line for line in said.splitlines() if line.startswith(("Done ", "stat::number_of_executed_units"))]
        print(f"{name}: {'nothing found' if done.returncode == 0 else 'FAILED'}; {' '.join(count)}", flush=True)
        if done.returncode:
            failed.append(name)
            print(said[-4000:])
    return 1 if failed else 0


def fuzz(name: str, runs: int, seconds: int, seed: int) -> int:
    """Fuzz one target in this process, which atheris ends."""
    import atheris

    with atheris.instrument_imports(include=READERS):
        from tests.fuzz.runs import write_runs
        from tests.fuzz.targets import FOLDERS, TEXTS, feed_folder, feed_text
    found = FINDINGS / name.replace(" ", "-")
    found.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    corpus = place / "corpus"
    corpus.mkdir()
    options = [f"-runs={runs}", f"-max_total_time={seconds}", f"-seed={seed}", "-timeout=30", "-rss_limit_mb=6000"]
    options += [f"-artifact_prefix={found}/", "-print_final_stats=1", "-max_len=2000", str(corpus)]
    if name in TEXTS:
        words = TEXTS[name].words
        for number, word in enumerate(("\n".join(words), *words)):
            (corpus / f"{number}").write_bytes(word.encode("utf-8", "surrogatepass"))
        atheris.Setup([__file__, *options], lambda data: feed(feed_text, name, data, place))
    else:
        assert name in FOLDERS
        sound = write_runs(place / "sound")[name]
        for number in range(200):
            (corpus / f"{number}").write_bytes(bytes((number * k * 37 + k) % 251 for k in range(1, 30)))
        atheris.Setup([__file__, *options], lambda data: feed(feed_folder, name, data, sound, place / "broken"))
    atheris.Fuzz()
    return 0


def feed(feeder, *arguments) -> None:  # type: ignore[no-untyped-def]
    """One run; errors of our tree are answers."""
    feeder(*arguments)


if __name__ == "__main__":
    sys.exit(main())
