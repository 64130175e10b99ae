"""fit(network, grounding, targets): plain backpropagation; the operators keep their own constraints.

The whole grounding is evaluated at once while it is small; otherwise each batch is evaluated on its own lineage.
"""

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from rulewright.errors import LabelError, OptionError, TrainingDivergedError
from rulewright.grounding.lineage import Grounding
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.tensors import lineage_tensors
from rulewright.training.batches import Batch, balanced_batches
from rulewright.training.labels import Targets
from rulewright.training.objectives import BinaryCrossEntropy, MarginRanking, Objective, SoftmaxCrossEntropy

WHOLE_UP_TO = 200_000  # entries of lineage below which slicing a batch out costs more than evaluating everything


@dataclass(frozen=True)
class FitOptions:
    """How a network is trained.

    objective   "binary": binary cross-entropy, gives truth values one can threshold (default);
                "margin": the paper's ranking loss; "softmax": softmax cross-entropy against the batch's negatives
    margin      of "margin"; the paper tries 0.1, 0.5, 1, 2
    optimiser   "adam" (default) or "adagrad", the paper's
    step        step size; the paper tries 0.1 and 1 with adagrad
    epochs      at most so many passes over the positives
    batch       facts of each kind in a batch; the paper uses 8
    sparsity    weight of the sum of all leaf weights in the loss: drives useless predicates to exactly 0
    validation  share of the labels put aside to stop on; 0 stops on the training loss
    patience    epochs without an improvement by at least `gain` before stopping
    gain        see patience
    restarts    at most so many trainings from different initial values, of which the best is kept; once the loss without
                the sparsity term is below `solved`, no further one is made
    solved      see restarts
    seed        of initial values, batches and the validation split
    """

    objective: Literal["binary", "margin", "softmax"] = "binary"
    margin: float = 0.5
    optimiser: Literal["adam", "adagrad"] = "adam"
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
        choices = {"objective": ("binary", "margin", "softmax"), "optimiser": ("adam", "adagrad")}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise OptionError(f"{name} must be one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        for name in ("step", "epochs", "batch", "patience", "restarts", "margin"):
            if not getattr(self, name) > 0:
                raise OptionError(f"{name} must be greater than 0, not {getattr(self, name)!r}")
        if not (0 <= self.validation < 1 and self.sparsity >= 0 and self.gain >= 0):
            raise OptionError("validation must lie in [0, 1), and sparsity and gain must be at least 0")

    def loss(self) -> Objective:
        match self.objective:
            case "binary":
                return BinaryCrossEntropy()
            case "margin":
                return MarginRanking(self.margin)
            case "softmax":
                return SoftmaxCrossEntropy()


@dataclass(frozen=True)
class Epoch:
    """One pass: the mean training loss, without the sparsity term too; the loss that decides; seconds since the start."""

    restart: int
    epoch: int
    loss: float
    fitting: float
    judged: float
    seconds: float


@dataclass
class History:
    """What happened during training."""

    epochs: list[Epoch] = field(default_factory=list)
    best: Epoch | None = None

    def rows(self) -> list[dict[str, float | int]]:
        """The epochs as plain records."""
        return [asdict(epoch) for epoch in self.epochs]


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
    if not len(targets.negatives):
        raise LabelError("there is no negative fact to learn against: label some facts false, or widen the template")
    training, validation = targets.split(options.validation, np.random.default_rng(options.seed))
    history = History()
    best: RuleNetwork | None = None
    for restart in range(options.restarts):
        network = build(options.seed + restart)
        run = Run(network, grounding, training, validation, options, restart)
        reached = run.train(history, on_epoch)
        if history.best is None or reached.judged < history.best.judged:
            history.best, best = reached, network
        if history.best.fitting < options.solved:
            break
    assert best is not None
    return best.eval(), history


class Run:
    """One training from one initial value."""

    def __init__(
        self,
        network: RuleNetwork,
        grounding: Grounding,
        training: Targets,
        validation: Targets,
        options: FitOptions,
        restart: int,
    ) -> None:
        self.network, self.grounding, self.options, self.restart = network, grounding, options, restart
        self.training, self.validation = training, validation
        self.objective = options.loss()
        self.rng = np.random.default_rng([options.seed, restart])
        entries = sum(lineage.size for lineage in grounding.lineage)
        self.whole = lineage_tensors(grounding, network.device) if entries <= WHOLE_UP_TO else None

    def train(self, history: History, on_epoch: Callable[[Epoch], None] | None) -> Epoch:
        """Train to the end or to the patience's; leaves the network with the best epoch's values, and returns that epoch."""
        trainable = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        optimiser = self.optimiser(trainable) if trainable else None
        best: Epoch | None = None
        kept = {name: value.clone() for name, value in self.network.state_dict().items()}
        started, last_finite, progressed = time.perf_counter(), None, 1
        for number in range(1, self.options.epochs + 1):
            loss, fitting = self.epoch(optimiser)
            judged = self.judge() if len(self.validation.positives) else loss
            if not math.isfinite(loss) or not math.isfinite(judged):
                raise TrainingDivergedError(number, last_finite)
            last_finite = loss
            epoch = Epoch(self.restart, number, loss, fitting, judged, time.perf_counter() - started)
            history.epochs.append(epoch)
            if best is None or judged < best.judged:
                if best is None or judged < best.judged - self.options.gain:
                    progressed = number
                best = epoch
                kept = {name: value.clone() for name, value in self.network.state_dict().items()}
            if on_epoch is not None:
                on_epoch(epoch)
            if number - progressed >= self.options.patience or optimiser is None:
                break
        self.network.load_state_dict(kept)
        assert best is not None
        return best

    def epoch(self, optimiser: torch.optim.Optimizer | None) -> tuple[float, float]:
        """One pass over the positives; the mean of its batches' losses, with and without sparsity, before each step."""
        self.network.train()
        losses = []
        for batch in balanced_batches(self.training.positives, self.training.negatives, self.options.batch, self.rng):
            fitting = self.objective(*self.outputs(batch))
            loss = fitting + self.options.sparsity * self.leaf_weights()
            if optimiser is not None:
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
            losses.append((float(loss.detach()), float(fitting.detach())))
        total, data = np.mean(losses, axis=0).tolist()
        return total, data

    @torch.no_grad()
    def judge(self) -> float:
        """The loss on all validation facts."""
        self.network.eval()
        return float(self.objective(*self.outputs(Batch(self.validation.positives, self.validation.negatives))))

    def outputs(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The values of a batch: truths for cross-entropy, unclamped scores for the ranking losses."""
        rows = np.concatenate([batch.positives, batch.negatives])
        evaluate = self.network if self.options.objective == "binary" else self.network.score
        values: Tensor
        if self.whole is not None:
            values = evaluate(self.whole)[torch.from_numpy(rows).to(self.network.device)]
        else:
            values = evaluate(self.grounding.take(rows))
        return values[: len(batch.positives)], values[len(batch.positives) :]

    def leaf_weights(self) -> Tensor:
        """The sum of all leaf weights."""
        total = torch.zeros((), device=self.network.device)
        for mixture in self.network.mixtures().values():
            total = total + mixture.weights.sum()
        return total

    def optimiser(self, parameters: list[torch.nn.Parameter]) -> torch.optim.Optimizer:
        kind = torch.optim.Adam if self.options.optimiser == "adam" else torch.optim.Adagrad
        return kind(parameters, lr=self.options.step)

