"""A lift that learns when to open its doors, go up and go down. Shown step by step in docs/guides/your-own-environment.md.

python examples/lift/lift.py
"""

from collections.abc import Sequence

import numpy as np

from rulewright.gridworld.learning import learn_policy, tidied
from rulewright.gridworld.policy import RulePolicy
from rulewright.gridworld.situation import Situation
from rulewright.rules.render import render_text

FLOORS = 6
ACTIONS = ("open", "up", "down")
TEMPLATE = """
S(Lift) :- P(Lift), Q(Lift).
P in {calledAbove, calledBelow, not calledAbove, not calledBelow, lift}.
Q in {calledHere, not calledHere} over {lift}.
"""


def building(rng: np.random.Generator, lifts: int = 20) -> Situation:
    """Lifts at random floors with random calls: what each sees, and what each action is worth."""
    here = rng.integers(FLOORS, size=lifts)
    called = rng.random((lifts, FLOORS)) < 0.25
    floors = np.arange(FLOORS)
    at = called[np.arange(lifts), here]
    above = (called & (floors > here[:, None])).any(axis=1)
    below = (called & (floors < here[:, None])).any(axis=1)
    # Opening serves whoever called; moving is right when nobody waits here and somebody does there.
    rewards = np.stack(
        [np.where(at, 1, -1), np.where(above & ~at, 1, -1), np.where(below & ~at, 1, -1)], axis=1, dtype=float
    )
    names = [(f"lift{number}",) for number in range(lifts)]

    def those(seen: Sequence[bool]) -> list[tuple[str]]:
        return [name for name, holds in zip(names, seen, strict=True) if holds]

    facts = {"lift": names, "calledHere": those(at), "calledAbove": those(above), "calledBelow": those(below)}
    return Situation.of(facts, names, rewards, arity=1)


def main() -> None:
    rng = np.random.default_rng(0)
    buildings = [building(rng) for _ in range(15)]
    policy = RulePolicy(ACTIONS, TEMPLATE, buildings[0], alpha=0.8)
    for _ in learn_policy(policy, buildings):
        pass
    policy = tidied(policy, buildings)
    unseen = policy.view(Situation.joined([building(rng) for _ in range(50)]))
    for program in policy.programs().values():
        print(render_text(program))
    print(f"mean reward on unseen buildings: {policy.reward([unseen]):.3f}; at best {unseen.best:.3f}")


if __name__ == "__main__":
    main()
