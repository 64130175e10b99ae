"""learn_policy: rules that earn the most, learned from situations that come one after the other.

What is learned from is seen by all means: after each new situation a few steps are taken on all situations so far, and
the policy that earns the most on these is kept. The objective is the paper's, the expected reward, of an agent that prefers what is more true without being sure of it yet.
Nothing here is sampled, so nothing here is noisy.
"""

import math
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

from rulewright.errors import OptionError
from rulewright.gridworld.policy import RulePolicy, View
from rulewright.gridworld.situation import Situation
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.operators import PredicateMixture
from rulewright.training.descent import Adam
from rulewright.training.judge import Judgement, leaf_weights
from rulewright.training.prune import prune

BEYOND = 0.3  # how much of what the clamp cuts off a preference still sees, so that hopeless actions are ordered, too
CHECKED = 5  # steps between two looks at what the policy earns; of those looked at, the best is kept

Policy = TypeVar("Policy", bound=RulePolicy)


@dataclass(frozen=True)
class PolicyOptions:
    """How a policy is learned.

    steps      of Adam for each new situation, each on all situations so far
    step       step size
    sharpness  how much an action is preferred that is more true: odds of e^sharpness between true and false
    sparsity   weight of the sum of all leaf weights in the loss
    price      mean reward that a predicate must earn to be kept in the rules, see `tidied`
    start      truth of a leaf half of whose predicates hold, before training; where it is low, no conjunction would be
               true at all, and nothing pulls at a conjunction that is false everywhere
    spread     the initial weights differ by up to this share, which is all that the seed decides
    """

    steps: int = 40
    step: float = 0.02
    sharpness: float = 10.0
    sparsity: float = 0.005
    price: float = 0.01
    start: float = 0.85
    spread: float = 0.5

    def __post_init__(self) -> None:
        if (
            self.steps < 1
            or min(self.step, self.sharpness, self.start) <= 0
            or min(self.sparsity, self.price, self.spread) < 0
        ):
            raise OptionError("steps, step, sharpness and start must be greater than 0, the others at least 0")


def learn_policy(
    policy: RulePolicy, situations: Sequence[Situation], options: PolicyOptions | None = None, seed: int = 0
) -> Iterator[int]:
    """Train a policy in place; yields the number of situations seen after each of them.

    >>> from rulewright.gridworld.policy import RulePolicy
    >>> from rulewright.gridworld.situation import Situation
    >>> one = Situation.of({"Wet": [("today",)], "Day": [("today",), ("monday",)]},
    ...                    [("today",), ("monday",)], [[1.0, 0.0], [0.0, 1.0]], arity=1)
    >>> policy = RulePolicy(["stay", "go"], "S(X) :- P(X). P in {Wet, not Wet} over {Day}.", one)
    >>> for seen in learn_policy(policy, [one] * 5): pass
    >>> round(policy.reward([policy.view(one)]), 3)
    1.0
    """
    options = options or PolicyOptions()
    set_out(policy, options, seed)
    descent = Adam([parameter for parameter in policy.parameters() if parameter.requires_grad], options.step)
    for seen in range(1, len(situations) + 1):
        view = policy.view(Situation.joined(situations[:seen]))
        best, kept = -math.inf, policy.state_dict()
        for step in range(1, options.steps + 1):
            policy.train()
            descent.descend(shortfall(policy, view, options))
            if step % CHECKED == 0 or step == options.steps:
                earned = policy.reward([view])
                if earned >= best:
                    best, kept = earned, {name: value.clone() for name, value in policy.state_dict().items()}
        policy.load_state_dict(kept)
        yield seen


def tidied(policy: Policy, situations: Sequence[Situation], options: PolicyOptions | None = None) -> Policy:
    """The policy without predicates that earn less than their price on the situations seen; the one given stays."""
    options = options or PolicyOptions()
    tidy = deepcopy(policy)
    view = tidy.view(Situation.joined(situations))

    @torch.no_grad()
    def judge(network: RuleNetwork) -> Judgement:
        fitting = -tidy.reward([view])
        used = [int((mixture.weights > 0).sum()) for mixture in network.mixtures().values()]
        # An action may do well as the one that is left over; but a leaf without a predicate is no rule to read.
        return Judgement(fitting + options.price * sum(used) if all(used) else math.inf, fitting)

    for action in tidy.actions:
        prune(tidy.network(action), judge)
    return tidy.eval()


def shortfall(policy: RulePolicy, view: View, options: PolicyOptions) -> Tensor:
    """The loss: minus the expected reward, plus the sparsity term."""
    scores = policy.scores(view)
    truths = scores.clamp(0, 1)
    chances = torch.softmax(options.sharpness * (truths + BEYOND * (scores - truths)), dim=1)
    loss: Tensor = -(chances * view.rewards).sum(dim=1).mean()
    for action in policy.actions if options.sparsity else ():
        loss = loss + options.sparsity * leaf_weights(policy.network(action))
    return loss


def set_out(policy: RulePolicy, options: PolicyOptions, seed: int) -> None:
    """Initial leaf weights under which every conjunction is alive."""
    generator = torch.Generator().manual_seed(seed)
    for action in policy.actions:
        for mixture in policy.network(action).mixtures().values():
            if isinstance(mixture, PredicateMixture):
                count = len(mixture.weights)
                around = 1 + options.spread * (2 * torch.rand(count, generator=generator) - 1)
                mixture.start_from(around * options.start / max(count / 2, 1))
