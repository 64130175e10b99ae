"""fit(build, grounding, targets): plain backpropagation; the operators keep their own constraints."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import torch

from rulewright.errors import LabelError, OptionError, TrainingDivergedError, nearest
from rulewright.grounding.lineage import Grounding
from rulewright.lnn.network import RuleNetwork
from rulewright.training.batches import balanced_batches
from rulewright.training.descent import Adagrad, Adam, Descent
from rulewright.training.history import Epoch, History
from rulewright.training.judge import Judge, Values, state_of
from rulewright.training.labels import Targets
from rulewright.training.objectives import BinaryCrossEntropy, MarginRanking, Objective, SoftmaxCrossEntropy
from rulewright.training.prune import prune
from rulewright.training.slope import Slope

ObjectiveName = Literal["binary", "margin", "softmax"]
OptimiserName = Literal["adam", "adagrad"]


@dataclass(frozen=True)
class FitOptions:
    """How a network is trained.

    objective   "binary": binary cross-entropy, gives truth values one can threshold (default);
                "margin": the paper's ranking loss; "softmax": softmax cross-entropy against the batch's negatives
    balanced    of "binary": positives as a whole weigh as much as negatives, however few they are. That finds rules
                that explain the positives at the price of many false ones; by default every fact weighs the same
    margin      of "margin"; the paper tries 0.1, 0.5, 1, 2
    optimiser   "adam" (default) or "adagrad", the paper's
    step        step size; the paper tries 0.1 and 1 with adagrad
    epochs      at most so many passes over the positives
    batch       facts of each kind in a batch; the paper uses 8
    sparsity    weight of the sum of all leaf weights in the loss: drives useless predicates to exactly 0. Above 0,
                weights that are not needed are also removed when training is over
    validation  share of the labels put aside to stop on; 0 stops on the training loss
    patience    epochs in which the loss has to fall by more than `gain`, or training stops
    gain        see patience
    restarts    at most so many trainings from different initial values, of which the best is kept; once the loss
                without the sparsity term is below `solved`, no further one is made
    solved      see restarts
    seed        of initial values, batches and the validation split
    """

    objective: ObjectiveName = "binary"
    balanced: bool = False
    margin: float = 0.5
    optimiser: OptimiserName = "adam"
    step: float = 0.05
    epochs: int = 300
    batch: int = 256
    sparsity: float = 0.002
    validation: float = 0.0
    patience: int = 30
    gain: float = 1e-3
    restarts: int = 5
    solved: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        for name, names in (("objective", ObjectiveName), ("optimiser", OptimiserName)):
            if getattr(self, name) not in get_args(names):
                wrong, known = getattr(self, name), get_args(names)
                raise OptionError(
                    f"{name} must be one of {', '.join(known)}, not {wrong!r}{nearest(str(wrong), known)}"
                )
        for name, least in (("epochs", 1), ("batch", 1), ("patience", 1), ("restarts", 1), ("seed", 0)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise OptionError(f"{name} must be a whole number, at least {least}, not {value!r}")
        for name in ("step", "margin", "sparsity", "validation", "gain", "solved"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                raise OptionError(f"{name} must be a finite number, at least 0, not {value!r}")
        if type(self.balanced) is not bool:
            raise OptionError(f"balanced must be True or False, not {self.balanced!r}")
        if not (self.step and self.margin):
            raise OptionError("step and margin must be greater than 0")
        if self.validation >= 1:
            raise OptionError(f"validation is a share of the labels and must be below 1, not {self.validation!r}")

    def loss(self, targets: Targets) -> Objective:
        """The objective by its name, for these targets."""
        match self.objective:
            case "binary" if self.balanced:
                return BinaryCrossEntropy()
            case "binary":
                return BinaryCrossEntropy.of(len(targets.positives), len(targets.negatives))
            case "margin":
                return MarginRanking(self.margin)
            case "softmax":
                return SoftmaxCrossEntropy()


def fit(
    build: Callable[[int], RuleNetwork],
    grounding: Grounding,
    targets: Targets,
    options: FitOptions | None = None,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> tuple[RuleNetwork, History]:
    """The best network of all restarts, with the values of its best epoch, in eval mode.

    `build(seed)` makes an untrained network; restart i gets seed `options.seed + i`.
    """
    options = options or FitOptions()
    if not len(targets.positives):
        raise LabelError("there is no positive fact to learn from")
    if not len(targets.negatives):
        raise LabelError("there is no negative fact to learn against: label some facts false, or widen the template")
    rng = np.random.default_rng(options.seed)
    training, validation = targets.split(options.validation, rng)
    best = build(options.seed)
    values = Values(grounding, best.device)
    judged = validation if options.validation else training
    objective = options.loss(training)
    judge = Judge(values, judged, objective, options.sparsity, rng)
    history = History()
    for restart in range(options.restarts):
        network = build(options.seed + restart)
        reached = Run(network, values, training, objective, judge, options).train(restart, history, on_epoch)
        if history.best is None or reached.judged < history.best.judged:
            history.best, best = reached, network
        if history.best.fitting < options.solved:
            break
    return best.eval(), history


class Run:
    """One training from one initial value."""

    def __init__(
        self,
        network: RuleNetwork,
        values: Values,
        training: Targets,
        objective: Objective,
        judge: Judge,
        options: FitOptions,
    ) -> None:
        self.network, self.training, self.judge, self.options = network, training, judge, options
        parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
        self.slope = Slope(network, values, objective, options.sparsity, parameters)
        self.descent = descent_of(options, parameters) if parameters else None

    def train(self, restart: int, history: History, on_epoch: Callable[[Epoch], None] | None) -> Epoch:
        """Train until epochs or patience are used up; leaves the network with its best values; the epoch of these."""
        rng = np.random.default_rng([self.options.seed, restart])
        started = time.perf_counter()

        def record(number: int, loss: float | None = None) -> Epoch:
            judged = self.judge(self.network)
            loss = judged.loss if loss is None else loss
            if not (math.isfinite(loss) and math.isfinite(judged.loss)):
                raise TrainingDivergedError(number, history.epochs[-1].loss if history.epochs else None)
            epoch = Epoch(restart, number, loss, judged.fitting, judged.loss, time.perf_counter() - started)
            history.epochs.append(epoch)
            return epoch

        best = progress = record(0)
        kept = state_of(self.network)
        for number in range(1, self.options.epochs + 1) if self.descent else ():
            epoch = record(number, self.epoch(rng))
            if epoch.judged < best.judged:
                best, kept = epoch, state_of(self.network)
            if epoch.judged < progress.judged - self.options.gain:
                progress = epoch
            if on_epoch is not None:
                on_epoch(epoch)
            if number - progress.epoch >= self.options.patience:
                break
        self.network.load_state_dict(kept)
        if self.options.sparsity and prune(self.network, self.judge).loss < best.judged:
            best = record(history.epochs[-1].epoch + 1)
        return best

    def epoch(self, rng: np.random.Generator) -> float:
        """One pass over the positives; the mean of its batches' losses before each step."""
        assert self.descent is not None
        self.network.train()
        losses = []
        for batch in balanced_batches(self.training.positives, self.training.negatives, self.options.batch, rng):
            loss, gradients = self.slope.at(batch)
            self.descent.follow(gradients)
            losses.append(loss)
        return float(torch.stack(losses).double().mean())  # read once an epoch: a GPU need not wait for it before


def descent_of(options: FitOptions, parameters: list[torch.nn.Parameter]) -> Descent:
    """The optimiser by its name."""
    match options.optimiser:
        case "adam":
            return Adam(parameters, options.step)
        case "adagrad":
            return Adagrad(parameters, options.step)
