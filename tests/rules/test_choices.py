from itertools import combinations

import torch
from hypothesis import given
from hypothesis import strategies as st

from rulewright.lnn.operators import PredicateMixture
from rulewright.rules.choices import joint_choices

WEIGHTS = st.lists(st.floats(0, 1.25, width=16), min_size=1, max_size=6)


def settle(total: torch.Tensor) -> torch.Tensor:
    return total.clamp(0, 1)


@given(WEIGHTS, st.floats(0, 1))
def test_every_set_in_which_each_predicate_counts_is_found(weights, need):
    found, complete = joint_choices(weights, settle, need, 1000)
    assert complete
    sets = set(map(frozenset, found))
    assert len(sets) == len(found)
    for size in range(2, len(weights) + 1):
        for members in combinations(range(len(weights)), size):
            total = sum(weights[member] for member in members)
            lightest = min(weights[member] for member in members)
            if lightest > 0 and total - lightest < 0.999 and min(total, 1) >= need:
                assert frozenset(members) in sets


@given(WEIGHTS)
def test_a_predicate_without_weight_joins_no_set(weights):
    found, _ = joint_choices(weights, settle, 0.0, 1000)
    assert all(weights[member] > 0 for members in found for member in members)


def test_a_decided_leaf_has_no_joint_choices():
    assert joint_choices([1.0, 0.2, 0.1], settle, 0.5, 1000) == ([], True)


def test_too_many_sets_are_cut_to_the_heaviest():
    found, complete = joint_choices([0.3, 0.2, 0.1, 0.05], settle, 0.0, 3)
    assert not complete
    assert found == [(0, 1), (0, 2), (0, 3)]


def test_it_works_with_the_operator_itself():
    mixture = PredicateMixture(3).eval()
    mixture.start_from(torch.tensor([0.4, 0.4, 0.1]))
    with torch.no_grad():
        assert joint_choices(mixture.weights.tolist(), mixture.settle, 0.0, 1000) == (
            [(0, 1), (0, 2), (1, 2), (0, 1, 2)],
            True,
        )
