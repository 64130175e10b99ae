"""The experiment Gridworld as a report: rewards against training grids, the rule for GoSouth, a walk."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rulewright.gridworld.experiment import METHODS, TESTING, Comparison, ExperimentSettings, compare, grids_of
from rulewright.lnn.operators import And
from rulewright.logic.node import SHOWN_WEIGHT
from rulewright.logic.program import Program
from rulewright.reproduce.experiment import Drawing, Experiment, OnStep, Options, Outcome, Prepared
from rulewright.reproduce.gridworld_runs import MOST_STEPS, Walks, recalling, walks
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import GO_SOUTH, GRIDS_TO_ALMOST_PERFECT
from rulewright.reproduce.pictures import draw_curves, draw_policy, draw_rule, draw_surface, draw_walk
from rulewright.reproduce.report import Headline, Table, shown
from rulewright.reproduce.weights import conjunction_weights
from rulewright.rules.store import program_to_json

ALMOST = 0.95  # of the way from the random walker to the best possible reward
RULES = 3  # of each direction in the table
SOUTH = "South"
OVER_SEEDS = (
    ". Lines are means over the seeds, bands reach from the worst to the best. Best possible is a mean over the seeds, "
    "too, each of which has test grids of its own: where these are easy, a seed earns more than that"
)
POLICY = "The learned policy on the test grid with the longest walk to the target: the most true step from each cell"

PROTOCOL = (
    "Mean reward of one step over all free cells of the test grids, as the paper has it: +1 towards the target, -1 "
    "away from it, -2 into an obstacle. The best possible reward is exact: it is that of the best step from every cell."
)


def prepare(options: Options) -> Prepared:
    """Nothing to read: grids are drawn at random."""
    settings = ExperimentSettings()
    steps = len(METHODS) * len(options.seeds)
    return Prepared(asdict(settings), options.seeds, steps, partial(work, settings, options.seeds))


def work(settings: ExperimentSettings, seeds: tuple[int, ...], on_step: OnStep, journal: Journal) -> Outcome:
    """Learn with both kinds of operators, on more and more grids."""
    found = compare(settings, seeds, on_step, recalling(journal))
    programs = found.policy.programs()
    go_south = next(name for name in programs if name.endswith(SOUTH))
    seen = walks(found.policy, grids_of(settings, seeds[0], TESTING))
    return Outcome(
        PROTOCOL,
        tuple(
            Headline(f"training grids until almost perfect, {name}", paper, first_almost_perfect(found, name))
            for name, paper in GRIDS_TO_ALMOST_PERFECT.items()
        ),
        (rewards_table(found), weights_table(programs[go_south]), rules_table(programs)),
        {
            "grids": list(found.grids),
            "curves": {name: np.asarray(values).tolist() for name, values in found.curves.items()},
            "ceiling": found.ceiling,
            "uniform": found.uniform,
            "walks": {"cells": seen.cells, "connected": seen.connected, "arrived": seen.arrived},
            "programs": {name: program_to_json(program) for name, program in programs.items()},
        },
        (
            f"Almost perfect means here: {ALMOST:.0%} of the way from the random walker to the best possible reward, "
            "in the mean over the seeds. The paper does not say what it means there, and prints no rewards as numbers.",
            "NeuralLP's operators learn from the same grids in the same code, with a step size and sharpness that suit "
            "them, chosen on other seeds as ours are. The paper does not say how it trained them.",
            "The paper's rules are of the seed it shows; ours are those of the first seed.",
            "Weights that differ can say the same: with ours the truths of the mixtures move little, and a steep "
            "conjunction tells that little apart; with the paper's they go from 0 to 1.",
            "The reward is that of one step, and an agent sees one cell far. There is a way to the target from "
            f"{seen.connected:,} of the {seen.cells:,} free cells of the first seed's test grids, and from "
            f"{seen.arrived:,} an agent arrives by these rules within {MOST_STEPS} steps. From the others every step "
            "towards the target is barred somewhere, and the agent goes to and fro.",
        ),
        drawings(found, go_south, programs[go_south], seen),
    )


def first_almost_perfect(found: Comparison, method: str) -> str:
    """The fewest training grids after which a method's mean reward is almost the best possible."""
    wanted = found.uniform + ALMOST * (found.ceiling - found.uniform)
    reached = np.flatnonzero(np.asarray(found.curves[method]).mean(axis=0) >= wanted)
    return str(found.grids[reached[0]]) if len(reached) else "not reached"


def rewards_table(found: Comparison) -> Table:
    """The curves of figure (a) as numbers."""
    rows = [
        (str(grids), *(mean_and_range(np.asarray(values)[:, place]) for values in found.curves.values()))
        for place, grids in enumerate(found.grids)
    ]
    spread = "Mean, and in parentheses the worst and the best seed. " if len(found.seeds) > 1 else ""
    note = (
        f"{spread}Best possible: {found.ceiling:.3f}; a random walker: {found.uniform:.3f}. The paper gives this "
        "figure as a plot only."
    )
    return Table(
        "Mean reward against training grids",
        ("training grids", *found.curves),
        tuple(rows),
        note,
    )


def mean_and_range(values: NDArray[np.float64]) -> str:
    """The mean over the seeds, with the extremes where there are several."""
    if len(values) == 1:
        return shown(values[0])
    return f"{values.mean():.3f} ({values.min():.3f} to {values.max():.3f})"


def weights_table(south: Program) -> Table:
    """The paper's figure (b), ours beside it."""
    rows = [
        (name, shown(paper), shown(ours)) for (name, paper), ours in zip(GO_SOUTH.items(), weights(south), strict=True)
    ]
    others = other_weights(south)
    rows.append(("largest weight of any other predicate", "0", shown(max(others, default=0.0))))
    return Table("The rule for GoSouth", ("", "the paper", "ours"), tuple(rows))


def weights(south: Program) -> Iterator[float]:
    """Our weights in the order of the paper's."""
    found = conjunction_weights(south)
    yield found.bias
    yield from (found.weights[leaf] for leaf in "PQ")
    for leaf, member in (("P", f"not HasObstacle{SOUTH}"), ("Q", f"HasTarget{SOUTH}")):
        yield found.mixtures[leaf].bias
        yield found.mixtures[leaf].weights.get(member, 0.0)


def other_weights(south: Program) -> list[float]:
    """The weights of the predicates that the paper's rule leaves out."""
    named = {f"not HasObstacle{SOUTH}", f"HasTarget{SOUTH}"}
    mixtures = conjunction_weights(south).mixtures.values()
    return [weight for mixture in mixtures for name, weight in mixture.weights.items() if name not in named]


def rules_table(programs: Mapping[str, Program]) -> Table:
    """The strongest rules of all four directions."""
    counts = [f"{len(program.rules)} for {direction}" for direction, program in programs.items()]
    rows = [
        (direction, shown(learned.truth), str(learned.rule))
        for direction, program in programs.items()
        for learned in program.rules[:RULES]
    ]
    more = any(len(program.rules) > RULES for program in programs.values())
    note = f"Of each direction the {RULES} rules of most truth; there are {', '.join(counts)}." if more else ""
    return Table("The rules of all directions", ("direction", "truth", "rule"), tuple(rows), note, (2,))


def drawings(found: Comparison, go_south: str, south: Program, seen: Walks) -> tuple[Drawing, ...]:
    """The paper's figure, and what the policy does on a test grid."""
    connective = next(part for part in found.policy.network(go_south).operators.values() if isinstance(part, And))
    inputs = (f"not HasObstacle{SOUTH}", f"HasTarget{SOUTH}")
    return (
        Drawing(
            "rewards.png",
            "Mean reward against training grids" + (OVER_SEEDS if len(found.seeds) > 1 else ""),
            partial(draw_curves, found.grids, found.curves, found.ceiling),
        ),
        Drawing("south-rule.png", "The network of the rule for GoSouth", partial(draw_rule, south, SHOWN_WEIGHT)),
        Drawing("south-and.png", "The learned LNN-and of GoSouth", partial(draw_surface, connective, inputs)),
        Drawing("policy.png", POLICY, partial(draw_policy, seen.grid, seen.probabilities)),
        Drawing("walk.gif", "That walk", partial(draw_walk, seen.grid, seen.walk, seen.probabilities)),
    )


EXPERIMENT = Experiment(
    "gridworld",
    "Gridworld",
    "Section 'Gridworld': its figure, (a) rewards, (b) and (c) the rule for GoSouth.",
    prepare,
    repetitions=10,
)
