"""prune(network, judge): leaf weights that nothing needs become exactly 0.

Training drives useless weights down slowly, and stops when the loss no longer falls by much. What is left of them is
too little to show on the facts at hand, but together such remains can make a rule that nobody wants to read; or two
predicates share the weight that one of them should have.
"""

from collections.abc import Callable, Sequence

import torch

from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.operators import PredicateMixture
from rulewright.training.judge import Judgement, State, state_of

MOST_TRIALS = 100

Weight = tuple[str, int]  # leaf, member
Judge = Callable[[RuleNetwork], Judgement]


def prune(network: RuleNetwork, judge: Judge) -> Judgement:
    """Set to 0 whatever leaf weights can be 0 without a higher loss, smallest first; the loss after that.

    Many are tried together as long as that works, so a leaf with hundreds of useless predicates costs a few trials.
    Where a leaf cannot do without them as it is, the predicates that remain may inherit their weight.
    """
    judged = judge(network)
    left = prunable(network)
    size = len(left)
    for _ in range(MOST_TRIALS):
        if not left:
            break
        size = min(size, len(left))
        outcomes = [cleared(network, judge, left[:size], inherit) for inherit in (False, True)]
        found, state = min(outcomes, key=lambda outcome: outcome[0].loss)
        if found.loss <= judged.loss:
            network.load_state_dict(state)
            judged, left, size = found, left[size:], 2 * size
        else:
            left, size = (left[1:], 1) if size == 1 else (left, size // 2)
    return judged


def cleared(network: RuleNetwork, judge: Judge, trial: Sequence[Weight], inherit: bool) -> tuple[Judgement, State]:
    """How the network would do without some weights, and its values then; it keeps those that it has."""
    start = state_of(network)
    clear(network, trial, inherit)
    outcome = judge(network), state_of(network)
    network.load_state_dict(start)
    return outcome


def prunable(network: RuleNetwork) -> list[Weight]:
    """The weights above 0 of trained leaves that may be 0 (attention never is), smallest first."""
    found: list[tuple[float, Weight]] = []
    for name, mixture in network.mixtures().items():
        if isinstance(mixture, PredicateMixture) and any(p.requires_grad for p in mixture.parameters()):
            weights = mixture.weights.tolist()
            found += [(weight, (name, member)) for member, weight in enumerate(weights) if weight > 0]
    return [weight for _, weight in sorted(found)]


def clear(network: RuleNetwork, trial: Sequence[Weight], inherit: bool) -> None:
    """Set some weights to 0; what they had goes to the others of their leaf, in proportion and as far as it helps."""
    mixtures = network.mixtures()
    for name in dict.fromkeys(name for name, _ in trial):
        before = mixtures[name].weights.detach()
        weights = before.clone()
        weights[torch.tensor([member for leaf, member in trial if leaf == name])] = 0
        if inherit and weights.sum() > 0:
            grown = weights * (before.sum() / weights.sum())
            enough = mixtures[name].bias.detach()  # a weight of the bias makes the leaf true by itself
            weights = torch.maximum(weights, grown.minimum(enough))
        mixtures[name].start_from(weights)
