"""Knowledge-base completion on the paper's data sets: learn and evaluate, each run in a process of its own.

    python benchmarks/run.py completion [--data umls ...] [--presets best paper] [--seeds 3] [--split test]

One run is timed from reading the data to the last rank, with warm compiled kernels (a first, discarded run on the
smallest data set compiles them once for the machine). The test split is used for the reported figures alone; settings
were chosen on validation, those of the preset `paper` by its own grid of step sizes and margins.
"""

import json
import statistics
import subprocess
import sys
from dataclasses import asdict, replace
from time import perf_counter
from typing import Any

from record import commit

DATA = ("umls", "kinship", "WN18RR", "FB15k-237")
WITHOUT_NEGATION = "best, no negation"
FIGURES = ("mrr", "hits@1", "hits@3", "hits@10")
# step size and margin for the preset `paper`, chosen on validation among the paper's {0.1, 1} x {0.1, 0.5, 1, 2}
PAPER_CHOICES = {"umls": (0.1, 2.0), "kinship": (0.1, 2.0), "WN18RR": (0.1, 0.5), "FB15k-237": (0.1, 0.5)}


def one_run(data: str, preset: str, seed: int, split: str, threads: int | None = None) -> dict[str, Any]:
    """Learn and evaluate once, in this process."""
    from rulewright.completion.complete import complete
    from rulewright.completion.evaluate import evaluate, peak_rss_mb
    from rulewright.completion.presets import preset_for
    from rulewright.kb.datasets import load_dataset

    started = perf_counter()
    dataset = load_dataset(data)
    settings = preset_for(dataset, "best" if preset == WITHOUT_NEGATION else preset, seed)
    if preset == WITHOUT_NEGATION:
        settings = replace(settings, negation=False)
    if preset == "paper":
        rate, margin = PAPER_CHOICES[data]
        settings = replace(settings, rate=rate, margin=margin)
    model = complete(dataset, settings, threads)
    learned = perf_counter()
    result = evaluate(model, dataset, split, threads)
    return {
        **result.figures,
        "optimistic": result.optimistic["mrr"],
        "pessimistic": result.pessimistic["mrr"],
        "queries": result.queries,
        "protocol": result.protocol,
        "learn_s": learned - started,
        "evaluate_s": perf_counter() - learned,
        "seconds": perf_counter() - started,
        "peak_rss_mb": peak_rss_mb(),
        "path_rules": sum(int((mixture.weights > 0).sum()) for mixture in model.mixtures.values()),
        "constant_rules": sum(len(mixture.constants) for mixture in model.mixtures.values()),
        "settings": asdict(settings),
        "seed": seed,
    }


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


def summary(runs: list[dict[str, Any]]) -> dict[str, float]:
    """Means, the deviation of the MRR over seeds, and the worst time and memory."""
    means = {figure: statistics.fmean(run[figure] for run in runs) for figure in FIGURES}
    return {
        **means,
        "mrr_deviation": statistics.stdev([run["mrr"] for run in runs]) if len(runs) > 1 else 0.0,
        "seconds": max(run["seconds"] for run in runs),
        "peak_rss_mb": max(run["peak_rss_mb"] for run in runs),
    }


if __name__ == "__main__":
    name, preset, seed, split = sys.argv[1:]
    print(json.dumps(one_run(name, preset, int(seed), split)))
