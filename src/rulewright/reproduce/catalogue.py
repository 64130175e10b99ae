"""Every experiment, in the order of the paper; the slow ones take minutes for each seed."""

from rulewright.reproduce import completion, countries, figures, gridworld
from rulewright.reproduce.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    figures.EXPERIMENT,
    gridworld.EXPERIMENT,
    *completion.EXPERIMENTS,
    countries.EXPERIMENT,
)
