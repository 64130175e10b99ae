"""The experiment Gridworld as a report: rewards against training grids, the rule for GoSouth, a walk."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rulewright.gridworld.experiment import METHODS, TESTING, Comparison, ExperimentSettings, compare, grids_of
from rulewright.gridworld.grid import Cell, Grid
from rulewright.lnn.operators import And
from rulewright.logic.program import Program
from rulewright.reproduce.experiment import Drawing, Experiment, OnStep, Options, Outcome, Prepared
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import GO_SOUTH, GRIDS_TO_ALMOST_PERFECT
from rulewright.reproduce.pictures import draw_curves, draw_policy, draw_rule, draw_surface, draw_walk
from rulewright.reproduce.report import Headline, Table, shown
from rulewright.reproduce.weights import conjunction_weights
from rulewright.rules.store import program_to_json

ALMOST = 0.95  # of the way from the random walker to the best possible reward
RULES = 3  # of each direction in the table
SOUTH = "South"

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
    found = compare(settings, seeds, on_step)
    programs = found.policy.programs()
    go_south = next(name for name in programs if name.endswith(SOUTH))
    grid = grids_of(settings, seeds[0], TESTING)[0]
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
            "programs": {name: program_to_json(program) for name, program in programs.items()},
        },
        (
            f"Almost perfect means here: {ALMOST:.0%} of the way from the random walker to the best possible reward, "
            "in the mean over the seeds. The paper does not say what it means there, and prints no rewards as numbers.",
            "The paper's rules are of the seed it shows; ours are those of the first seed.",
        ),
        drawings(found, go_south, programs[go_south], grid),
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
    note = (
        "Mean, and in parentheses the worst and the best seed. Best possible: "
        f"{found.ceiling:.3f}; a random walker: {found.uniform:.3f}. The paper gives this figure as a plot only."
    )
    return Table(
        "Mean reward against training grids",
        ("training grids", *found.curves),
        tuple(rows),
        note,
    )


def mean_and_range(values: NDArray[np.float64]) -> str:
    """The mean over the seeds, with the extremes."""
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
    note = f"Of each direction the {RULES} rules of most truth; there are {', '.join(counts)}."
    return Table("The rules of all directions", ("direction", "truth", "rule"), tuple(rows), note, (2,))


def drawings(found: Comparison, go_south: str, south: Program, grid: Grid) -> tuple[Drawing, ...]:
    """The paper's figure, and what the policy does on a test grid."""
    policy = found.policy
    connective = next(part for part in policy.network(go_south).operators.values() if isinstance(part, And))
    probabilities = policy.probabilities(grid)
    walk = policy.walk(grid, start(grid))
    inputs = (f"not HasObstacle{SOUTH}", f"HasTarget{SOUTH}")
    return (
        Drawing(
            "rewards.png",
            "Mean reward against training grids; the bands reach from the worst to the best seed",
            partial(draw_curves, found.grids, found.curves, found.ceiling),
        ),
        Drawing("south-rule.png", "The network of the rule for GoSouth", partial(draw_rule, south)),
        Drawing("south-and.png", "The learned LNN-and of GoSouth", partial(draw_surface, connective, inputs)),
        Drawing("policy.png", "The policy on a test grid", partial(draw_policy, grid, probabilities)),
        Drawing("walk.gif", "A walk on it", partial(draw_walk, grid, walk, probabilities)),
    )


def start(grid: Grid) -> Cell:
    """The free cell furthest from the target: the longest walk to look at."""
    row, column = np.nonzero(grid.free)
    far = int(np.argmax(np.abs(row - grid.target[0]) + np.abs(column - grid.target[1])))
    return int(row[far]), int(column[far])


EXPERIMENT = Experiment(
    "gridworld",
    "Gridworld",
    "Section 'Gridworld': its figure, (a) rewards, (b) and (c) the rule for GoSouth.",
    prepare,
    repetitions=10,
)
