"""What completion costs from 10^4 to 10^7 facts: generated graphs, each size in a process of its own.

    python benchmarks/run.py scale

The settings are the same for every size (those for dense graphs, with fewer queries per relation), and so are the
number of test queries; entities grow with the facts. Learning stays within MEMORY: the plan made before the work, its
estimate and the peak that was then reached are recorded side by side. The slope is that of a line through the
logarithms, so 1 means in proportion.
"""

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from record import HERE, figures_of
from rulewright.completion.constants import ConstantSettings

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
SEED, MEMORY = 0, 4_000_000_000
# Few queries per relation, so that what grows with the graph is what is seen.
QUICK = {
    "paths": 50, "mined": 40, "queries": 60, "used_folds": 2, "hard": 100, "easy": 50, "epochs": 5,
    "entries": 2_000_000, "constants": ConstantSettings(per_answer=5, epochs=1),
}  # fmt: skip
PLOT = HERE.parent / "docs" / "images" / "scale.svg"
GIGABYTES = (0.5, 1, 2, 4, 8, 16, 32)  # marks of the axis
LEARNING, RANKING, MEASURED, ESTIMATED = "#0b5394", "0.45", "#b45f06", "0.45"


def measure(sizes: tuple[int, ...] = SIZES, memory: int = MEMORY) -> dict[str, Any]:
    """Every size."""
    figures_of(__file__, sizes[0], memory)  # compiles the kernels
    points = []
    for size in sizes:
        points.append(figures_of(__file__, size, memory))
        print(points[-1], flush=True)
        if points[-1]["peak_mb"] > memory / 1e6:
            raise SystemExit(f"the peak of {points[-1]['peak_mb']:,.0f} MB passes the memory given")
    slopes = {name: slope(points, name) for name in ("learn_processor_s", "evaluate_processor_s")}
    return {"seed": SEED, "memory": memory, "points": points, "slopes": slopes}


def measured_and_drawn() -> dict[str, Any]:
    """The figures, with the plot of them renewed."""
    figures = measure()
    draw(figures)
    return figures


def slope(points: list[dict[str, Any]], name: str, least: int = 100_000) -> float:
    """The power of the facts with which something grows, from where the fixed costs no longer count."""
    large = [point for point in points if point["facts"] >= 0.9 * least]
    if len(large) < 2:
        return float("nan")
    return float(np.polyfit(np.log([p["facts"] for p in large]), np.log([p[name] for p in large]), 1)[0])


def point(size: int, memory: int) -> dict[str, Any]:
    """Generate, learn and rank once, in this process."""
    from generate import generated
    from rulewright.completion.complete import complete
    from rulewright.completion.evaluate import evaluate
    from rulewright.completion.memory import plan_learning
    from rulewright.completion.peak_memory import peak_rss_mb
    from rulewright.completion.presets import DENSE

    dataset = generated(size, SEED)
    settings = replace(DENSE, **QUICK, seed=SEED)
    before = peak_rss_mb()
    plan = plan_learning(dataset, settings, None, memory)
    clock, started = perf_counter(), process_time()
    model = complete(dataset, plan.settings, plan.threads)
    learned, elapsed, peak = process_time(), perf_counter() - clock, peak_rss_mb()
    result = evaluate(model, dataset, "test", plan.threads)
    return {
        "facts": len(dataset.train),
        "entities": len(dataset.entities),
        "relations": len(dataset.relations),
        "generating_peak_mb": before,
        "plan": str(plan),
        "estimate_mb": plan.estimate.total / 1e6,
        "estimate": asdict(plan.estimate),
        "changes": plan.changes,
        "learn_peak_mb": peak * 1.048576,
        "peak_mb": peak_rss_mb() * 1.048576,
        "learn_s": elapsed,
        "learn_processor_s": learned - started,
        "evaluate_processor_s": process_time() - learned,
        "mrr": result.figures["mrr"],
        "rules": sum(int((m.weights > 0).sum()) + len(m.constants) for m in model.mixtures.values()),
    }


def draw(figures: dict[str, Any], path: Path = PLOT) -> Path:
    """Seconds on the left, memory on the right, both against the number of facts."""
    import matplotlib

    matplotlib.use("svg" if path.suffix == ".svg" else "agg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"font.size": 12, "svg.hashsalt": "scale"})
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    points, slopes = figures["points"], figures["slopes"]
    facts = [found["facts"] for found in points]
    for name, label, style, colour in (
        ("learn_processor_s", "learn", "o-", LEARNING),
        ("evaluate_processor_s", "rank 100 test triples", "s--", RANKING),
    ):
        shown = f"{label}: slope {slopes[name]:.2f} from 10⁵ facts"
        left.loglog(facts, [found[name] for found in points], style, color=colour, label=shown)
    left.set_ylabel("processor seconds")
    for name, label, style, colour in (
        ("estimate_mb", "estimated before", "x:", ESTIMATED),
        ("learn_peak_mb", "measured peak", "^-", MEASURED),
    ):
        right.loglog(facts, [found[name] / 1e3 for found in points], style, color=colour, label=label)
    given = figures["memory"] / 1e9
    right.axhline(given, color="0.2", linewidth=1)
    right.annotate("memory given", (facts[0], given), textcoords="offset points", xytext=(0, -14))
    right.set_ylabel("memory (GB)")
    right.set_yticks(
        [tick for tick in GIGABYTES if tick <= given], [f"{tick:g}" for tick in GIGABYTES if tick <= given]
    )
    right.minorticks_off()
    for panel in (left, right):
        panel.set_xlabel("facts")
        panel.grid(color="0.88")
        panel.spines[["top", "right"]].set_visible(False)
        # above the panel, where no line can run into it
        panel.legend(frameon=False, fontsize=10, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)
    return path


if __name__ == "__main__":
    print(json.dumps(point(int(sys.argv[1]), int(sys.argv[2]))))
