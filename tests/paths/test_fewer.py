"""A graph with facts taken out is the one that the other facts would give, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.paths.fewer import graph_without
from rulewright.paths.graph import Walker, build_graph

ENTITIES, RELATIONS = 4, 2
TRIPLE = st.tuples(st.integers(0, ENTITIES - 1), st.integers(0, RELATIONS - 1), st.integers(0, ENTITIES - 1))


def graph_of(triples: list[tuple[int, int, int]], walker: Walker):
    return build_graph(np.array(triples, np.int64).reshape(-1, 3), ENTITIES, RELATIONS, walker)


@pytest.mark.parametrize("walker", ["forward", "symmetric"])
@settings(deadline=None)  # the first example waits for a compiler
@given(st.lists(TRIPLE, max_size=25), st.lists(TRIPLE, max_size=6))
def test_it_is_the_graph_of_the_other_facts(
    walker: Walker, triples: list[tuple[int, int, int]], gone: list[tuple[int, int, int]]
) -> None:
    whole = graph_of(triples, walker)
    before = [values.copy() for values in (whole.start, whole.tails, whole.chance)]
    found = graph_without(whole, gone, walker, np.full_like(whole.start, 7) if len(gone) % 2 else None)
    expected = graph_of([triple for triple in triples if triple not in gone], walker)
    for name in ("start", "tails", "chance"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for values, kept in zip((whole.start, whole.tails, whole.chance), before, strict=True):
        np.testing.assert_array_equal(values, kept)
