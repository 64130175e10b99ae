"""fit_truth_table(operator, truths): an operator trained on a Boolean truth table and nothing else.

The paper's figure of activations shows LNN operators 'learned by fitting to the four rows' of the table of conjunction.
"""

from collections.abc import Sequence
from itertools import product
from typing import TypeVar

import torch

from rulewright.errors import OptionError
from rulewright.lnn.truth import Operator
from rulewright.training.descent import Adam

CONJUNCTION = (0.0, 0.0, 0.0, 1.0)
DISJUNCTION = (0.0, 1.0, 1.0, 1.0)

Trained = TypeVar("Trained", bound=Operator)


def fit_truth_table(operator: Trained, truths: Sequence[float], steps: int = 150, step: float = 0.05) -> Trained:
    """The operator itself, in eval mode, after so many steps down the summed square of its errors on the whole table.

    truths   the wanted truth of each row; rows count up in binary, the last input fastest: 00, 01, 10, 11
    """
    if operator.arity is None or len(truths) != 2**operator.arity:
        raise OptionError(f"the truth table of {operator} needs one truth for each combination, not {len(truths)}")
    rows = torch.tensor(list(product((0.0, 1.0), repeat=operator.arity)))
    wanted = torch.tensor(truths)
    parameters = [parameter for parameter in operator.parameters() if parameter.requires_grad]
    descent = Adam(parameters, step)
    operator.train()
    for _ in range(steps if parameters else 0):
        descent.descend((operator(rows) - wanted).square().sum())
    return operator.eval()
