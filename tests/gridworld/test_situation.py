import numpy as np
import pytest

from rulewright.errors import OptionError
from rulewright.gridworld.grid import DIRECTIONS, random_grid
from rulewright.gridworld.situation import CELL, OBSTACLE, TARGET, Situation, situation_of


def test_the_facts_are_the_papers_eight_predicates_over_the_free_cells() -> None:
    grid = random_grid(np.random.default_rng(3))
    kb = situation_of(grid).kb
    assert set(kb.relations) == {CELL, *(kind + name for kind in (OBSTACLE, TARGET) for name in DIRECTIONS)}
    for kind, holds in ((OBSTACLE, grid.blocked), (TARGET, grid.towards)):
        for place, direction in enumerate(DIRECTIONS):
            wanted = {(str(r), str(c)) for r, c in np.argwhere(holds[..., place] & grid.free).tolist()}
            assert set(kb.facts_of(kind + direction)) == wanted


def test_a_predicate_that_never_holds_is_known_all_the_same() -> None:
    one = Situation.of({"Day": [("today",)], "Wet": []}, [("today",)], [[1.0]], arity=1)
    assert one.kb.facts_of("Wet") == []


def test_joined_situations_share_nothing_but_their_predicates() -> None:
    first, second = (situation_of(random_grid(np.random.default_rng(seed))) for seed in (0, 1))
    joined = Situation.joined([first, second])
    assert len(joined.kb) == len(first.kb) + len(second.kb)
    assert len(joined.states) == len(first.states) + len(second.states)
    assert np.array_equal(joined.rewards, np.concatenate([first.rewards, second.rewards]))
    assert len(joined.kb.constants) == len(first.kb.constants) + len(second.kb.constants)


def test_rewards_must_fit_the_states() -> None:
    with pytest.raises(OptionError, match="a row of rewards for each"):
        Situation.of({"Day": [("today",)]}, [("today",)], [[1.0], [2.0]], arity=1)
