"""The loss of a batch and its slope at every parameter: the part of a training step that is worth recording on a GPU.

A network is a hundred small operations and as many gradients. A GPU is done with each before the next has been asked
for; recorded once and replayed as a whole, they follow each other without a pause. What is recorded reads the same
memory each time: a batch's rows are copied to where it looks for them, and parameters are changed in place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from rulewright.lnn.network import RuleNetwork
from rulewright.training.batches import Batch
from rulewright.training.judge import Values, leaf_weights
from rulewright.training.objectives import Objective

WARM_UPS = 3  # passes before recording, in which libraries take the memory that they keep

Gradients = Sequence[Tensor | None]


@dataclass(frozen=True)
class Recording:
    """A pass over batches of one shape, on a GPU."""

    graph: torch.cuda.CUDAGraph
    rows: Tensor
    loss: Tensor
    gradients: Gradients


class Slope:
    """The loss of a network in training, with what it is judged by in a batch."""

    def __init__(
        self,
        network: RuleNetwork,
        values: Values,
        objective: Objective,
        sparsity: float,
        parameters: Sequence[nn.Parameter],
    ) -> None:
        self.network, self.values, self.objective, self.sparsity = network, values, objective, sparsity
        self.parameters = list(parameters)
        self.recordings: dict[tuple[int, int], Recording] = {}
        self.records = values.device.type == "cuda" and values.whole is not None

    def at(self, batch: Batch) -> tuple[Tensor, Gradients]:
        """The loss before the step, and its slope at each parameter; both good until the next call."""
        rows = np.concatenate([batch.positives, batch.negatives])
        if not self.records:
            return self.followed(self.values.at(self.network, rows), len(batch.positives))
        shape = len(batch.positives), len(batch.negatives)
        if shape not in self.recordings:
            self.recordings[shape] = self.recorded(torch.from_numpy(rows).to(self.values.device), shape[0])
        recording = self.recordings[shape]
        recording.rows.copy_(torch.from_numpy(rows))
        recording.graph.replay()
        return recording.loss.clone(), recording.gradients

    def followed(self, values: Tensor, positives: int) -> tuple[Tensor, Gradients]:
        """The loss of some truths, of which so many are to be true, and its slope."""
        loss = self.objective(values[:positives], values[positives:])
        if self.sparsity:
            loss = loss + self.sparsity * leaf_weights(self.network)
        return loss.detach(), torch.autograd.grad(loss, self.parameters, allow_unused=True)

    def recorded(self, rows: Tensor, positives: int) -> Recording:
        """One pass over everything, recorded."""

        def work() -> tuple[Tensor, Gradients]:
            return self.followed(self.values.among_all(self.network, rows), positives)

        aside = torch.cuda.Stream(rows.device)  # type: ignore[no-untyped-call]
        aside.wait_stream(torch.cuda.current_stream(rows.device))
        with torch.cuda.stream(aside):
            for _ in range(WARM_UPS):
                work()
        torch.cuda.current_stream(rows.device).wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss, gradients = work()
        return Recording(graph, rows, loss, gradients)
