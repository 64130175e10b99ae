"""Gridworld: mean reward against training grids, LNN beside NeuralLP's operators, and whose rules are the paper's.

python benchmarks/run.py gridworld
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from rulewright.gridworld.experiment import ExperimentSettings, Trial, compare, trial
from rulewright.gridworld.grid_policy import ACTIONS, GridPolicy, Operators

LEAVES = 2  # of the paper's rule for every direction: no obstacle there, and the target


def measure(seeds: Sequence[int] = range(10)) -> dict[str, Any]:
    """Both methods on every seed."""
    learned: list[Trial] = []

    def run(operators: Operators, settings: ExperimentSettings, seed: int) -> Trial:
        done = trial(operators, settings, seed)
        if operators == "lnn":
            learned.append(done)
        return done

    started = perf_counter()
    found = compare(ExperimentSettings(), tuple(seeds), run=run)
    programs = learned[0].policy.programs()
    return {
        "seeds": len(found.seeds),
        "seconds": round(perf_counter() - started, 1),
        "grids": list(found.grids),
        "ceiling": found.ceiling,
        "uniform": found.uniform,
        "curves": {
            name: {
                "mean": values.mean(axis=0).tolist(),
                "worst": values.min(axis=0).tolist(),
                "best": values.max(axis=0).tolist(),
            }
            for name, values in ((name, np.asarray(curve)) for name, curve in found.curves.items())
        },
        "rules": [str(rule) for program in programs.values() for rule in program.rules],
        "seeds_with_two_leaves": sum(all(leaves(done.policy, name) == LEAVES for name in ACTIONS) for done in learned),
    }


def leaves(policy: GridPolicy, action: str) -> int:
    """How many predicates have weight in an action's rule."""
    return sum(int(mixture.weights.count_nonzero()) for mixture in policy.network(action).mixtures().values())


def gridworld_table(found: dict[str, Any]) -> str:
    """The curves as numbers, and the rules."""
    lines = [
        "## Gridworld\n",
        "5 x 5 cells, 3 obstacles in training; mean reward of one step over all free cells of 50 test grids with 12 "
        f"obstacles. {found['seeds']} seeds: mean, and the worst and the best seed. The best possible reward, computed "
        f"exactly, is **{found['ceiling']:.3f}**, random steps earn {found['uniform']:.3f}.\n",
        "| training grids | " + " | ".join(found["curves"]) + " |",
        "|---|" + "---|" * len(found["curves"]),
    ]
    for place, grids in enumerate(found["grids"]):
        cells = (
            f"{curve['mean'][place]:.3f} ({curve['worst'][place]:.3f} to {curve['best'][place]:.3f})"
            for curve in found["curves"].values()
        )
        lines.append(f"| {grids} | " + " | ".join(cells) + " |")
    lines += [
        f"\nAfter {found['grids'][-1]} grids every direction's rule has just the paper's two predicates on "
        f"**{found['seeds_with_two_leaves']} of {found['seeds']}** seeds. Those of the first seed:\n",
        *(f"    {rule}" for rule in found["rules"]),
        f"\n{found['seconds']:.0f} s for both methods on all seeds. In the paper NeuralLP's operators need more grids "
        "than LNN; in one code, with the step size that suits each, they need fewer.\n",
    ]
    return "\n".join(lines)
