"""Walks between two entities are real, never come back to the start, and are all there when there is room."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.paths.between import walks_along, walks_between
from rulewright.paths.graph import Graph, build_graph
from rulewright.paths.walk import count_walks

ENTITIES, RELATIONS = 5, 2
EDGES = st.lists(
    st.tuples(st.integers(0, ENTITIES - 1), st.integers(0, RELATIONS - 1), st.integers(0, ENTITIES - 1)), max_size=14
)
STEPS = st.lists(st.integers(0, 2 * RELATIONS - 1), min_size=1, max_size=3)


def every_walk(graph: Graph, steps: list[int], head: int, tail: int) -> list[list[int]]:
    """All walks by brute force."""
    walks = [[head]]
    for step in steps:
        walks = [[*walk, end] for walk in walks for end in graph.tails_of(walk[-1], step).tolist() if end != head]
    return sorted(walk for walk in walks if walk[-1] == tail)


@settings(deadline=None)  # the first call compiles
@given(EDGES, STEPS, st.integers(0, ENTITIES - 1), st.integers(0, ENTITIES - 1))
def test_all_walks_are_found_and_counted(
    edges: list[tuple[int, int, int]], steps: list[int], head: int, tail: int
) -> None:
    graph = build_graph(np.array(edges, np.int64).reshape(-1, 3), ENTITIES, RELATIONS)
    expected = every_walk(graph, steps, head, tail)
    assert sorted(walks_between(graph, steps, head, tail, 500)) == expected
    few = walks_between(graph, steps, head, tail, 2)
    assert len(few) == min(2, len(expected))
    assert all(walk in expected for walk in few)
    place, counts = np.full(ENTITIES, -1, np.int32), np.zeros((1, 1))
    place[tail] = 0
    path = np.array([steps], np.int32)
    count_walks(graph.start, graph.tails, graph.relations, head, path, ENTITIES, place, counts)
    assert counts[0, 0] == len(expected)


@settings(deadline=None)
@given(EDGES, st.lists(STEPS, max_size=4), st.integers(0, ENTITIES - 1), st.integers(0, ENTITIES - 1))
def test_walks_along_many_paths_are_those_along_each(
    edges: list[tuple[int, int, int]], paths: list[list[int]], head: int, tail: int
) -> None:
    graph = build_graph(np.array(edges, np.int64).reshape(-1, 3), ENTITIES, RELATIONS)
    table = np.array([[*path, *[-1] * (3 - len(path))] for path in paths], np.int32).reshape(-1, 3)
    walks, path = walks_along(graph, table, head, tail, 2)
    for number, steps in enumerate(paths):
        expected = [[*walk, *[-1] * (3 - len(steps))] for walk in walks_between(graph, steps, head, tail, 2)]
        assert walks[path == number].tolist() == expected
