"""The two optimisers, written out: torch.optim loads torch's compiler when it is first used, which takes seconds.

Both do what their namesakes in torch.optim do, on a handful of small parameters.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn


class Descent(ABC):
    """Moves parameters against their gradients; one that has no gradient stays."""

    def __init__(self, parameters: Sequence[nn.Parameter], step: float) -> None:
        self.parameters, self.step = list(parameters), step
        self.steps = 0

    def descend(self, loss: Tensor) -> None:
        """One step down the slope of the loss."""
        self.follow(torch.autograd.grad(loss, self.parameters, allow_unused=True))

    @torch.no_grad()
    def follow(self, gradients: Sequence[Tensor | None]) -> None:
        """One step, given the slope at each parameter; None where the loss does not depend on it."""
        self.steps += 1
        for place, (parameter, gradient) in enumerate(zip(self.parameters, gradients, strict=True)):
            if gradient is not None:
                parameter.sub_(self.step * self.scaled(place, gradient))

    @abstractmethod
    def scaled(self, place: int, gradient: Tensor) -> Tensor:
        """The direction to go, from the gradient of the parameter at that place and those before it."""


class Adam(Descent):
    """Mean gradient over root mean square gradient, both of the recent past (Kingma and Ba, 2015).

    The squares are forgotten within some twenty steps, not within a thousand as is usual: the steep first epochs would
    otherwise go on braking the sparsity term, whose small and steady slope is all that is left once the facts fit.
    """

    DECAY, SQUARE_DECAY, FLOOR = 0.9, 0.95, 1e-8

    def __init__(self, parameters: Sequence[nn.Parameter], step: float) -> None:
        super().__init__(parameters, step)
        self.means = [torch.zeros_like(parameter) for parameter in self.parameters]
        self.squares = [torch.zeros_like(parameter) for parameter in self.parameters]

    def scaled(self, place: int, gradient: Tensor) -> Tensor:
        mean = self.means[place].lerp_(gradient, 1 - self.DECAY)
        square = self.squares[place].lerp_(gradient.square(), 1 - self.SQUARE_DECAY)
        # Both start at 0, which the divisors make up for.
        mean = mean / (1 - self.DECAY**self.steps)
        square = square / (1 - self.SQUARE_DECAY**self.steps)
        return mean / (square.sqrt() + self.FLOOR)


class Adagrad(Descent):
    """The gradient over the root of the sum of all squares so far (Duchi et al., 2011): the paper's choice."""

    FLOOR = 1e-10

    def __init__(self, parameters: Sequence[nn.Parameter], step: float) -> None:
        super().__init__(parameters, step)
        self.sums = [torch.zeros_like(parameter) for parameter in self.parameters]

    def scaled(self, place: int, gradient: Tensor) -> Tensor:
        return gradient / (self.sums[place].add_(gradient.square()).sqrt() + self.FLOOR)
