"""What completion costs as the data and the settings grow: seconds and peak memory, each point in a process of its own.

    python benchmarks/run.py cost

On WN18RR with the preset for sparse data, one thing varied at a time:

facts    random subsets of the training triples (the entities stay all 40,943 of them, and so do the test queries)
length   of the longest path
paths    kept for one relation

Cost is counted in processor seconds, all threads together, so that other work on the machine does not count; elapsed
seconds are recorded beside them. The count runs from the data in memory to the last rank; peak memory is that of the
whole process. A first, discarded run compiles the kernels for the machine. The plot is drawn from the recorded figures
alone.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from record import HERE, figures_of

DATA, SEED, SPLIT = "WN18RR", 0, "test"
SWEEPS: dict[str, tuple[int, ...]] = {
    "facts": (10_000, 20_000, 40_000, 60_000, 86_835),
    "length": (1, 2, 3, 4, 5),
    "paths": (50, 100, 200, 400, 1000),
}
WHOLE = {"facts": 86_835, "length": 5, "paths": 400}  # the preset on all facts: one point of every sweep, measured once
AXES = {"facts": "training facts (thousands)", "length": "longest path", "paths": "paths kept per relation"}
PLOT = HERE.parent / "docs" / "images" / "cost.svg"
SECONDS, MEMORY = "#0b5394", "#b45f06"  # dark blue and dark orange: different greys in print, and for every eye


def measure() -> dict[str, Any]:
    """Every point of every sweep."""
    figures_of(__file__, "length", 1)
    whole = figures_of(__file__, "facts", SWEEPS["facts"][-1])
    sweeps: dict[str, list[dict[str, Any]]] = {}
    for sweep, values in SWEEPS.items():
        sweeps[sweep] = []
        for value in values:
            as_preset = value == WHOLE[sweep]
            sweeps[sweep].append(whole | {"value": value} if as_preset else figures_of(__file__, sweep, value))
            print(sweep, sweeps[sweep][-1], flush=True)
    return {"data": DATA, "split": SPLIT, "seed": SEED, "sweeps": sweeps}


def point(sweep: str, value: int) -> dict[str, Any]:
    """Learn and evaluate once, in this process."""
    from rulewright.completion.complete import complete
    from rulewright.completion.evaluate import evaluate
    from rulewright.completion.peak_memory import peak_rss_mb
    from rulewright.completion.presets import SPARSE
    from rulewright.kb.datasets import load_dataset

    dataset, settings = load_dataset(DATA), replace(SPARSE, seed=SEED)
    if sweep == "facts":
        kept = np.sort(np.random.default_rng(SEED).permutation(len(dataset.train))[:value])
        dataset = replace(dataset, graph=dataset.train[kept], train=dataset.train[kept])
    elif sweep == "length":
        settings = replace(settings, length=value)
    else:
        settings = replace(settings, paths=value, mined=max(value, settings.mined))
    before, clock, started = peak_rss_mb(), perf_counter(), process_time()
    model = complete(dataset, settings)
    learned = process_time()
    result = evaluate(model, dataset, SPLIT)
    ended = process_time()
    return {
        "value": len(dataset.train) if sweep == "facts" else value,
        "learn_processor_s": learned - started,
        "evaluate_processor_s": ended - learned,
        "processor_s": ended - started,
        "seconds": perf_counter() - clock,
        "peak_rss_mb": peak_rss_mb(),
        "before_mb": before,
        "mrr": result.figures["mrr"],
        "rules": sum(int((mixture.weights > 0).sum()) for mixture in model.mixtures.values()),
    }


def draw(figures: dict[str, Any], path: Path = PLOT) -> Path:
    """One column per sweep: seconds above, memory below."""
    import matplotlib

    matplotlib.use("svg" if path.suffix == ".svg" else "agg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"font.size": 12, "svg.hashsalt": "cost"})
    figure, panels = pyplot.subplots(2, 3, figsize=(11, 6), sharey="row", sharex="col", layout="constrained")
    for column, (sweep, points) in enumerate(figures["sweeps"].items()):
        scale = 1000 if sweep == "facts" else 1
        at = [found["value"] / scale for found in points]
        top, bottom = panels[0, column], panels[1, column]
        whole, evaluating = ([found[part] for found in points] for part in ("processor_s", "evaluate_processor_s"))
        top.plot(at, whole, "o-", color=SECONDS, label="learn and evaluate")
        top.plot(at, evaluating, "s--", color="0.45", label="of which evaluate")
        bottom.plot(at, [found["peak_rss_mb"] for found in points], "^-", color=MEMORY)
        bottom.set_xlabel(AXES[sweep])
        if sweep == "length":
            bottom.set_xticks(at)
        for panel in (top, bottom):
            panel.grid(color="0.88")
            panel.spines[["top", "right"]].set_visible(False)
    for row, unit in enumerate(("processor_s", "peak_rss_mb")):  # the panels of a row share their axis
        panels[row, 0].set_ylim(0, 1.1 * max(found[unit] for points in figures["sweeps"].values() for found in points))
    panels[0, 0].set_ylabel("processor seconds")
    panels[1, 0].set_ylabel("peak memory (MB)")
    panels[0, 0].legend(frameon=False, loc="upper left", fontsize=11)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)
    return path


if __name__ == "__main__":
    print(json.dumps(point(sys.argv[1], int(sys.argv[2]))))
