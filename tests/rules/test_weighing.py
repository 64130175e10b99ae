"""A network computes the same from the tree it is stored as, without torch."""

import pytest
import torch
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.grounding.problems import Problem, problems
from tests.rules.networks import scramble

from rulewright.errors import OptionError
from rulewright.grounding.ground import ground
from rulewright.grounding.plan import plan
from rulewright.lnn.network import RuleNetwork
from rulewright.rules.occurrences import unroll
from rulewright.rules.tree import network_tree
from rulewright.rules.weighing import values_of, weighings


@settings(deadline=None, max_examples=80, suppress_health_check=list(HealthCheck))
@given(problems(), st.integers(0, 10_000))
def test_the_stored_tree_gives_the_networks_truths(problem: Problem, seed: int) -> None:
    network = RuleNetwork(plan(problem.template), 0.99)
    scramble(network, seed, soft=True)
    grounding = ground(network.plan, problem.kb, allow_empty=True)
    assume(0 < len(grounding) < 2_000)
    try:
        with torch.no_grad():
            tree = network_tree(network, unroll(network.plan))
    except OptionError:  # too large a tree to be stored
        assume(False)
    values = values_of(weighings(network.plan, tree), grounding)
    assert values[-1] == pytest.approx(network.truths(grounding).tolist(), abs=1e-5)
