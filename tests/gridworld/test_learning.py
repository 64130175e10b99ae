import numpy as np
import pytest
import torch

from rulewright.errors import OptionError
from rulewright.gridworld.experiment import TESTING, ExperimentSettings, grids_of, trial
from rulewright.gridworld.grid import random_grid
from rulewright.gridworld.grid_policy import ACTIONS, GridPolicy, joined_grids
from rulewright.gridworld.learning import PolicyOptions, learn_policy, tidied
from rulewright.gridworld.policy import RulePolicy
from rulewright.gridworld.situation import Situation, situation_of

GRIDS = 20  # after so many the paper has "almost perfect rules"
ALMOST = 0.95  # of the way from stepping at random to the best that is possible


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_after_twenty_grids_every_rule_is_the_papers_with_two_predicates_and_no_third(seed: int) -> None:
    setup = ExperimentSettings(points=(GRIDS,))
    found = trial("lnn", setup, seed)
    policy, rewards = found.policy, joined_grids(grids_of(setup, seed, TESTING)).rewards
    assert found.rewards[0] >= rewards.mean() + ALMOST * (rewards.max(axis=1).mean() - rewards.mean())
    for action, program in policy.programs().items():
        direction = action.removeprefix("Go")
        used = {
            name: [str(step.leaf.members[at]) for at in np.flatnonzero(mixture.weights.detach().numpy())]
            for (name, mixture), step in zip(policy.network(action).mixtures().items(), policy.plan.steps, strict=False)
        }
        assert used == {"P": [f"not HasObstacle{direction}"], "Q": [f"HasTarget{direction}"]}
        (rule,) = program.rules
        assert {str(part) for part in rule.rule.body} == {
            "Cell(X, Y)",
            f"HasTarget{direction}(X, Y)",
            f"not HasObstacle{direction}(X, Y)",
        }


def test_the_same_seed_learns_the_same_and_another_does_not() -> None:
    situations = [situation_of(random_grid(np.random.default_rng(0)))]

    def weights(seed: int) -> torch.Tensor:
        policy = GridPolicy(seed=seed)
        assert list(learn_policy(policy, situations * 2, PolicyOptions(steps=3), seed)) == [1, 2]
        return policy.network(ACTIONS[0]).mixtures()["P"].weights.detach()

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


def test_tidying_leaves_the_policy_it_is_given_alone() -> None:
    situation = situation_of(random_grid(np.random.default_rng(0)))
    policy = GridPolicy()
    before = {name: value.clone() for name, value in policy.state_dict().items()}
    tidied(policy, [situation])
    assert all(torch.equal(value, before[name]) for name, value in policy.state_dict().items())


def test_conjunctions_keep_their_constraints_while_rewards_pull_at_them() -> None:
    policy = GridPolicy()
    situations = [situation_of(random_grid(np.random.default_rng(seed))) for seed in range(4)]
    for _ in learn_policy(policy, situations, PolicyOptions(steps=50, step=0.5)):
        for action in ACTIONS:
            operator = policy.network(action).operator(2)
            assert operator.parameter.contains([float(operator.bias.detach()), *operator.weights.tolist()])


def test_another_environment_needs_only_situations_of_its_own() -> None:
    facts = {"Wet": [("today",)], "Day": [("today",), ("monday",)]}
    one = Situation.of(facts, [("today",), ("monday",)], [[1.0, 0.0], [0.0, 1.0]], arity=1)
    dry = Situation.of(facts | {"Wet": []}, [("today",), ("monday",)], [[0.0, 1.0], [0.0, 1.0]], arity=1)
    policy = RulePolicy(["stay", "go"], "S(X) :- P(X). P in {Wet, not Wet} over {Day}.", one)
    for _ in learn_policy(policy, [one, dry] * 3):
        pass
    tidy = tidied(policy, [one, dry])
    assert tidy.reward([tidy.view(one), tidy.view(dry)]) == 1.0
    assert [str(p.rules[0].rule) for p in tidy.programs().values()] == [
        "stay(X) :- Wet(X).",
        "go(X) :- Day(X), not Wet(X).",
    ]


@pytest.mark.parametrize("wrong", [{"steps": 0}, {"step": 0.0}, {"sharpness": -1.0}, {"sparsity": -0.1}])
def test_options_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="greater than 0"):
        PolicyOptions(**wrong)
