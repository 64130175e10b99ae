"""Draws the pictures of docs/gallery.md and docs/guides/figures.md anew: python scripts/gallery.py [RESULTS].

Those of the paper's experiments are taken from what `rulewright reproduce` writes to the folder RESULTS, which is run
where it is not finished; the others are of what is learned in examples/.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from PIL import Image

import rulewright as rw
from rulewright import figures
from rulewright.cli.problem import read_problem
from rulewright.figures.style import DOTS

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SCREEN = 150  # dots to the inch, of pictures that are not drawn in lines
# By experiment, what is shown of it.
PICTURES = {
    "figures": ("activations.png", "network.svg"),
    "gridworld": ("rewards.svg", "south-rule.svg", "south-and.png", "policy.svg", "walk.gif"),
    "countries": (
        "S2-areas.svg",
        "S3-areas.svg",
        "S2-rule.svg",
        "S3-rule.svg",
        "S3-without-subregions-rule.svg",
    ),
}


def learned_rules(folder: Path) -> None:
    """What was learned in examples/: trees, a training, a conjunction."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, smallest in (("grandparent", 0.005), ("disjunction", 0.0)):
        problem = read_problem(ROOT / "examples" / name, None, None)
        learned = rw.learn(problem.kb, problem.template, problem.labels)
        figures.save(figures.rule_tree(learned.program, smallest=smallest), folder / f"{name}.svg")
        if name == "grandparent":
            figures.save(figures.training_curve(learned.history), folder / "training.svg")
            conjunction = next(part for part in learned.network.modules() if isinstance(part, rw.And))
            surface = figures.operator_surface(conjunction, inputs=("P(X, Y)", "Q(Y, Z)"))
            for_the_screen(figures.save(surface, folder / "conjunction.png"), folder / "conjunction.png")


def experiment(name: str, results: Path, folder: Path) -> None:
    """Run an experiment of the paper, unless it is finished, and take its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "rulewright", "reproduce", name, "--out", str(results)]
    subprocess.run(command, check=True)
    for file in PICTURES[name]:
        source, target = results / name / file, folder / f"{name}-{file}"
        if source.suffix == ".png":
            for_the_screen(source, target)
        else:
            shutil.copyfile(source, target)


def for_the_screen(source: Path, target: Path) -> None:
    """A picture made for print with fewer dots and colours, which no screen shows, and a tenth of the bytes."""
    with Image.open(source) as full:
        size = (round(full.width * SCREEN / DOTS), round(full.height * SCREEN / DOTS))
        reduced = full.convert("RGB").resize(size, Image.Resampling.LANCZOS).quantize(128)
    reduced.save(target, optimize=True)


def main(results: Path, images: Path) -> None:
    learned_rules(images / "figures")
    for name in PICTURES:
        experiment(name, results, images / "gallery")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "results", IMAGES)
