"""Knowledge-base completion on the paper's data sets: learn and evaluate, each run in a process of its own.

    python benchmarks/run.py completion [--data umls ...] [--presets best paper] [--seeds 3] [--split test]

One run is timed from reading the data to the last rank, with warm compiled kernels (a first, discarded run on the
smallest data set compiles them once for the machine). The test split is used for the reported figures alone; settings
were chosen on validation, those of the preset `paper` by its own grid of step sizes and margins.
"""

import json
import subprocess
import sys
from time import perf_counter
from typing import Any

from rulewright.kb.datasets import load_dataset
from rulewright.reproduce.circumstances import commit
from rulewright.reproduce.completion_runs import FIGURES, learn_and_rank, settings_for, summary

DATA = ("umls", "kinship", "WN18RR", "FB15k-237")


def one_run(data: str, preset: str, seed: int, split: str, threads: int | None = None) -> dict[str, Any]:
    """Learn and evaluate once, in this process."""
    started = perf_counter()
    dataset = load_dataset(data)
    _, found = learn_and_rank(dataset, settings_for(dataset, preset, seed), split, threads)
    seconds = perf_counter() - started
    return found | {"learn_s": seconds - found["evaluate_s"], "seconds": seconds}


def measure(data: tuple[str, ...], presets: tuple[str, ...], seeds: int, split: str) -> dict[str, Any]:
    """All runs, and their mean and deviation."""
    in_process("umls", "best", 0, "valid")
    runs: dict[str, Any] = {}
    for preset in presets:
        for name in data:
            found = [in_process(name, preset, seed, split) for seed in range(seeds)]
            runs[f"{name} {preset}"] = {"seeds": seeds, "commit": commit(), "runs": found, **summary(found)}
            print(
                name,
                preset,
                {figure: round(runs[f"{name} {preset}"][figure], 4) for figure in (*FIGURES, "seconds")},
                flush=True,
            )
    return {"split": split, "sets": runs}


def in_process(data: str, preset: str, seed: int, split: str) -> dict[str, Any]:
    """One run in a process of its own."""
    command = [sys.executable, __file__, data, preset, str(seed), split]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found


if __name__ == "__main__":
    name, preset, seed, split = sys.argv[1:]
    print(json.dumps(one_run(name, preset, int(seed), split)))
