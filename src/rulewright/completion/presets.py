"""Settings that validation found best, by the shape of the data.

Three shapes differ in what can be afforded and in what helps. Measured on validation data only; benchmarks/RESULTS.md
has the figures.

small      up to a few hundred entities: everything fits, so all facts are queries and many paths are weighed; what
           holds between two entities beside the question tells most, hence direct literals
sparse     few relations, few facts per entity: long paths, and what the answer takes part in decides among those
           reached
dense      many relations: short paths, many rivals, and rules with constants
"""

from dataclasses import replace

from rulewright.completion.constants import ConstantSettings
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import OptionError, nearest
from rulewright.kb.splits import Dataset

SMALL = CompletionSettings(paths=500, queries=1500, sparsity=0.1)
SPARSE = CompletionSettings(
    length=5, paths=400, folds=20, used_folds=20, queries=2000, most=2000, answer=True, sparsity=0.1
)
DENSE = CompletionSettings(
    paths=150,
    mined=600,
    walker="forward",
    used_folds=3,
    queries=2400,
    hard=1000,
    easy=500,
    direct=False,
    constants=ConstantSettings(),
    pull=0.01,
    sparsity=0.0,
    epochs=25,
    batch=8,
)

PAPER_DENSE_LENGTH = 4
SMALL_ENTITIES = 1000
SPARSE_RELATIONS = 50


PAPER = CompletionSettings(
    walker="forward",
    sharpness=0.0,
    direct=False,
    answer=False,
    objective="margin",
    sparsity=0.0,
    rate=0.1,
    batch=8,
)


NAMES = ("best", "paper")


def preset_for(dataset: Dataset, name: str, seed: int = 0) -> CompletionSettings:
    """The settings of a preset for a data set."""
    if name == "best":
        return best_for(dataset, seed)
    if name == "paper":
        return paper_for(dataset, seed)
    raise OptionError(f"preset must be {' or '.join(NAMES)}, not {name!r}{nearest(name, NAMES)}")


def paper_for(dataset: Dataset, seed: int = 0) -> CompletionSettings:
    """What the paper's appendix describes: mined paths alone, true or false, one LNN-pred; Adagrad and the margin loss.

    Lengths are the paper's. Its step sizes and margins are for validation to choose: `--tune` or benchmarks/.
    """
    best = best_for(dataset, seed)
    length = PAPER_DENSE_LENGTH if best.constants is not None else best.length
    copied = {
        name: getattr(best, name)
        for name in ("paths", "mined", "folds", "used_folds", "queries", "most", "hard", "easy")
    }
    return replace(PAPER, length=length, seed=seed, **copied)


def best_for(dataset: Dataset, seed: int = 0) -> CompletionSettings:
    """The settings for a data set's shape."""
    if len(dataset.entities) <= SMALL_ENTITIES:
        chosen = SMALL
    elif len(dataset.relations) <= SPARSE_RELATIONS:
        chosen = SPARSE
    else:
        chosen = DENSE
    return replace(chosen, seed=seed)
