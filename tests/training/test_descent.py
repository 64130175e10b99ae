import pytest
import torch
from torch import nn

from rulewright.training.descent import Adagrad, Adam

START = [[1.0, -2.0, 0.5], [3.0]]


def parameters() -> list[nn.Parameter]:
    return [nn.Parameter(torch.tensor(values)) for values in START]


def loss_of(parameters: list[nn.Parameter]) -> torch.Tensor:
    first, second = parameters
    return (first**2 * torch.tensor([1.0, 10.0, 0.1])).sum() + (first.sum() - second).square().sum()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Adam, lambda p: torch.optim.Adam(p, lr=0.1, betas=(Adam.DECAY, Adam.SQUARE_DECAY), eps=Adam.FLOOR)),
        (Adagrad, lambda p: torch.optim.Adagrad(p, lr=0.1)),
    ],
)
def test_each_goes_where_its_namesake_in_torch_goes(ours, theirs):
    mine, reference = parameters(), parameters()
    descent, optimiser = ours(mine, 0.1), theirs(reference)
    for _ in range(50):
        descent.descend(loss_of(mine))
        optimiser.zero_grad()
        loss_of(reference).backward()
        optimiser.step()
    for value, other in zip(mine, reference, strict=True):
        assert torch.allclose(value, other, atol=1e-5)


@pytest.mark.parametrize("kind", [Adam, Adagrad])
def test_a_parameter_that_plays_no_part_stays(kind):
    idle, moving = parameters()
    kind([idle, moving], 0.1).descend(moving.square().sum())
    assert idle.tolist() == START[0]
    assert moving.item() < START[1][0]
