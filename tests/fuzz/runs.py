"""Sound run folders of both kinds, small, for breaking."""

from pathlib import Path

from tests.completion.toys import dataset_of, families, quick, random_pairs
from tests.learning_problems import PROBLEMS

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.saving import save_model
from rulewright.learning import learn
from rulewright.saving import save
from rulewright.training.fit import FitOptions
from rulewright.web.app import create_app
from rulewright.web.guard import Application
from rulewright.web.run import open_run


def write_runs(place: Path) -> dict[str, Path]:
    """A run for each target that takes one."""
    problem = PROBLEMS["negation"]
    learned = learn(problem.kb, problem.template, problem.labels, FitOptions(epochs=5, restarts=1))
    settings = quick(constants=ConstantSettings(), answer=True, epochs=2, queries=20, mined=20)
    model = complete(dataset_of([*families(4), *random_pairs("noise", 12, 30, 1)]), settings, threads=1)
    return {
        "template run": save(learned, place / "template"),
        "graph run": save_model(model, place / "graph", "toy", {"mrr": 0.5}),
    }


def explorers(sound: dict[str, Path]) -> list[Application]:
    """An explorer of each sound run."""
    return [create_app(open_run(folder)) for folder in sound.values()]
