"""The settings of knowledge-base completion."""

from dataclasses import dataclass, field
from typing import Literal

from rulewright.completion.constants import ConstantSettings
from rulewright.errors import OptionError
from rulewright.paths.graph import Walker
from rulewright.paths.mine import MiningLimits

LARGEST = 1 << 30
LONGEST = 10  # steps of a path; far beyond what a search can reach
WHOLE = {  # the least value of every setting that counts something
    "length": 1, "paths": 1, "mined": 1, "most": 1, "folds": 2, "used_folds": 1, "queries": 1, "hard": 0, "easy": 0,
    "epochs": 1, "batch": 1, "entries": 1, "seed": 0,
}  # fmt: skip


@dataclass(frozen=True)
class CompletionSettings:
    """How the rules of a knowledge graph are learned.

    length       longest path
    paths        kept for one relation, those along which a walk lands on answers most
    mined        pairs of a relation that are searched for paths
    limits       of that search
    walker       see paths.graph.Graph
    sharpness    of a path's truth, see paths.walk.path_truth; 0 makes a path true or false
    most         entities that a path may meet at one step before it is given up for that query
    folds        the training facts are dealt into so many parts; a part is hidden while its facts are queries
    used_folds   of them taken as queries
    queries      of one relation trained on, at most
    hard, easy   rivals of a query: the most convincing ones, and random past answers
    constants    learn rules with constants (None: no)
    direct       literals s(X, Y) and their negations
    answer       literals s(Y, A) and their negations, and Y's degree
    negation     whether the negations are wanted: they reason from what the graph lacks, which in a benchmark is often
                 just what was taken out of it for testing
    objective    "softmax": cross-entropy of an answer against its rivals, by Adam; "margin": the paper's, by Adagrad
    margin       of "margin"
    epochs, batch, rate   of the fit
    pull         towards the first guess
    sparsity     towards fewer rules
    entries      of training rows held for one relation at most; each takes 8 bytes
    seed         of everything random
    """

    length: int = 3
    paths: int = 1000
    mined: int = 1000
    limits: MiningLimits = field(default_factory=MiningLimits)
    walker: Walker = "symmetric"
    sharpness: float = 1000.0
    most: int = 1 << 30
    folds: int = 8
    used_folds: int = 8
    queries: int = 2000
    hard: int = 200
    easy: int = 50
    constants: ConstantSettings | None = None
    direct: bool = True
    answer: bool = False
    negation: bool = True
    objective: Literal["softmax", "margin"] = "softmax"
    margin: float = 0.5
    epochs: int = 20
    batch: int = 16
    rate: float = 0.03
    pull: float = 0.0
    sparsity: float = 0.01
    entries: int = 20_000_000
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in WHOLE.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= LARGEST:
                raise OptionError(f"{name} must be a whole number from {least} to {LARGEST:,}, not {value!r}")
        for name in ("sharpness", "margin", "rate", "pull", "sparsity"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= LARGEST:
                raise OptionError(f"{name} must be a number from 0 to {LARGEST:,}, not {value!r}")
        for name in ("direct", "answer", "negation"):
            if type(getattr(self, name)) is not bool:
                raise OptionError(f"{name} must be true or false, not {getattr(self, name)!r}")
        if not self.rate > 0:
            raise OptionError("rate must be greater than 0")
        if self.length > LONGEST:
            raise OptionError(f"length must be at most {LONGEST}, not {self.length}")
        if self.used_folds > self.folds:
            raise OptionError(f"used_folds must be at most folds: not {self.used_folds} of {self.folds}")
        if self.objective not in ("softmax", "margin") or self.walker not in ("forward", "symmetric"):
            raise OptionError("objective must be softmax or margin, and walker forward or symmetric")
        if self.hard + self.easy == 0:
            raise OptionError("hard and easy cannot both be 0: a query needs rivals")
