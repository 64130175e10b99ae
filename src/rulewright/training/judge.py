"""How good a network is: its loss on fixed facts, of the values that it has at that moment and with the exact clamp."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from rulewright.grounding.lineage import Grounding
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.tensors import lineage_tensors
from rulewright.training.batches import Rows
from rulewright.training.labels import Targets
from rulewright.training.objectives import Objective

WHOLE_UP_TO = 200_000  # entries of lineage below which slicing a batch out costs more than evaluating everything
BYTES_ON_GPU = 64  # of an entry with its values, gradients and order
SHARE_OF_GPU = 0.5  # of its free memory, up to which a GPU evaluates everything: faster than the CPU slices
JUDGED = 5_000  # facts of each kind that are judged where the grounding is too large to be evaluated whole


State = dict[str, Tensor]


class Values:
    """A network's truths at rows of one grounding.

    The whole grounding is evaluated at once while it is small for the device; otherwise the rows are evaluated on their
    own lineage. What is `large`, and so judged by a sample, does not depend on the device.

    The ranking losses, too, get truths, as in the paper: unclamped scores may rank well at a level where nothing passes
    a threshold.
    """

    def __init__(self, grounding: Grounding, device: torch.device) -> None:
        self.grounding, self.device = grounding, device
        entries = sum(lineage.size for lineage in grounding.lineage)
        self.large = entries > WHOLE_UP_TO
        whole = fits(entries, device) if device.type == "cuda" else not self.large
        self.whole = lineage_tensors(grounding.lineage, device) if whole else None

    def at(self, network: RuleNetwork, rows: Rows) -> Tensor:
        """The truths at some rows, (n_rows,)."""
        if self.whole is None:
            lineage, _ = self.grounding.take_lineage(rows)
            values: Tensor = network(lineage_tensors(lineage, self.device))
            return values
        return self.among_all(network, torch.from_numpy(rows).to(self.device))

    def among_all(self, network: RuleNetwork, rows: Tensor) -> Tensor:
        """The truths at some rows, each given once, where everything is evaluated."""
        assert self.whole is not None
        everything: Tensor = network(self.whole)
        return everything.index_select(0, rows)


def fits(entries: int, device: torch.device) -> bool:
    """Whether so many entries can be evaluated at once on a GPU."""
    free, _ = torch.cuda.mem_get_info(device)
    return entries * BYTES_ON_GPU <= SHARE_OF_GPU * free


@dataclass(frozen=True)
class Judgement:
    """The loss that decides, and the same without the sparsity term."""

    loss: float
    fitting: float


class Judge:
    """Judges networks by the same facts: all of the targets, or a sample of them where that would be too slow."""

    def __init__(
        self, values: Values, targets: Targets, objective: Objective, sparsity: float, rng: np.random.Generator
    ) -> None:
        self.objective, self.sparsity = objective, sparsity
        positives, negatives = targets.positives, targets.negatives
        if values.large:
            positives, negatives = sampled(positives, rng), sampled(negatives, rng)
            # Sliced out once; what is left is evaluated as a whole.
            rows = np.concatenate([positives, negatives])
            values = Values(values.grounding.take(rows), values.device)
            positives, negatives = np.split(np.arange(len(rows)), [len(positives)])
        self.values, self.positives, self.negatives = values, positives, negatives

    @torch.no_grad()
    def __call__(self, network: RuleNetwork) -> Judgement:
        """The network's loss as it is now; leaves it in eval mode."""
        network.eval()
        values = self.values.at(network, np.concatenate([self.positives, self.negatives]))
        fitting = self.objective(values[: len(self.positives)], values[len(self.positives) :])
        return Judgement(float(fitting + self.sparsity * leaf_weights(network)), float(fitting))


def leaf_weights(network: RuleNetwork) -> Tensor:
    """The sum of all leaf weights: what the sparsity term counts."""
    total = torch.zeros((), device=network.device)
    for mixture in network.mixtures().values():
        total = total + mixture.weights.sum()
    return total


def sampled(rows: Rows, rng: np.random.Generator) -> Rows:
    """At most JUDGED of the rows, in order."""
    return rows if len(rows) <= JUDGED else np.sort(rng.choice(rows, size=JUDGED, replace=False))


def state_of(network: RuleNetwork) -> State:
    """A copy of the network's values."""
    return {name: value.clone() for name, value in network.state_dict().items()}
