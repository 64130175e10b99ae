"""Walks give the chances that an enumeration of every single walk gives."""

from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from rulewright.paths.graph import Graph, Walker, build_graph
from rulewright.paths.walk import add_path_scores, fill_path_truths, new_work, path_truth

ENTITIES, RELATIONS, LENGTH = 6, 2, 3
NO_LIMIT = 1 << 30


def random_graph(seed: int, walker: Walker = "forward") -> Graph:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(size, size=11) for size in (ENTITIES, RELATIONS, ENTITIES)]
    return build_graph(np.stack(columns, axis=1), ENTITIES, RELATIONS, walker)


def all_paths(length: int = LENGTH) -> NDArray[np.int32]:
    """Every path up to a length, padded, in lexicographic order: most share a prefix with the one before."""
    steps = product(range(-1, 2 * RELATIONS), repeat=length)
    rows = [row for row in steps if row[0] >= 0 and all(a >= 0 or b < 0 for a, b in pairwise(row))]
    return np.array(sorted(rows), np.int32)


def simple_chances(graph: Graph, head: int, path: list[int]) -> dict[int, float]:
    """The end of every single walk along a path, with the product of its edges' chances."""
    walks = [(head, 1.0)]
    for relation in path:
        further = []
        for entity, chance in walks:
            row = entity * graph.relations + relation
            for k in range(graph.start[row], graph.start[row + 1]):
                if graph.tails[k] != head:
                    further.append((int(graph.tails[k]), chance * float(graph.chance[k])))
        walks = further
    ends: dict[int, float] = {}
    for entity, chance in walks:
        ends[entity] = ends.get(entity, 0.0) + chance
    return ends


def truths(graph: Graph, head: int, paths: NDArray[np.int32], sharpness: float, most: int = NO_LIMIT) -> np.ndarray:
    """The truth of every path at every entity."""
    found = np.zeros((graph.entities, len(paths)), np.float32)
    place = np.arange(graph.entities, dtype=np.int32)
    work = new_work(paths.shape[1], graph.entities)
    edges = (graph.start, graph.tails, graph.chance, graph.relations)
    fill_path_truths(*edges, head, paths, sharpness, most, place, work, found)
    return found


@pytest.mark.parametrize("walker", ["forward", "symmetric"])
@pytest.mark.parametrize("seed", range(6))
def test_chances_are_those_of_all_walks_one_by_one(seed: int, walker: Walker) -> None:
    graph, paths, sharpness = random_graph(seed, walker), all_paths(), 9.0
    for head in range(ENTITIES):
        expected = np.zeros((ENTITIES, len(paths)))
        for p, path in enumerate(paths.tolist()):
            for end, chance in simple_chances(graph, head, [r for r in path if r >= 0]).items():
                expected[end, p] = np.log1p(sharpness * chance) / np.log1p(sharpness)
        np.testing.assert_allclose(truths(graph, head, paths, sharpness), expected, atol=1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_paths_and_what_they_share_changes_nothing(seed: int) -> None:
    graph, paths = random_graph(seed), all_paths()
    order = np.random.default_rng(seed).permutation(len(paths))
    for head in range(ENTITIES):
        shuffled = truths(graph, head, paths[order], 50.0)
        np.testing.assert_array_equal(shuffled, truths(graph, head, paths, 50.0)[:, order])


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_weighted_sums_of_truths(seed: int) -> None:
    graph, paths = random_graph(seed), all_paths()
    weights = np.random.default_rng(seed).random(len(paths)).astype(np.float32)
    work = new_work(LENGTH, ENTITIES)
    for head in range(ENTITIES):
        scores = np.zeros(ENTITIES, np.float32)
        edges = (graph.start, graph.tails, graph.chance, graph.relations)
        add_path_scores(*edges, head, paths, weights, 100.0, NO_LIMIT, work, scores)
        np.testing.assert_allclose(scores, truths(graph, head, paths, 100.0) @ weights, rtol=1e-4, atol=1e-5)


def test_a_walk_never_comes_back_to_the_entity_of_the_query() -> None:
    graph = build_graph(np.array([[0, 0, 1], [1, 0, 0], [1, 0, 2], [0, 0, 0]]), 3, 2)
    assert truths(graph, 0, all_paths(), 0.0)[0].sum() == 0
    twice = np.array([[0, 0, -1]], np.int32)
    assert truths(graph, 0, twice, 0.0)[:, 0].tolist() == [0, 0, 1]


def test_a_step_that_meets_more_than_the_limit_leads_nowhere_and_leaves_nothing_behind() -> None:
    star = np.array([[0, 0, 1], [0, 0, 2], [0, 0, 3], [0, 1, 1], [1, 0, 4]])
    graph = build_graph(star, 5, 2)
    paths = np.array([[0, -1], [0, 0], [2, -1], [2, 0]], np.int32)
    assert truths(graph, 0, paths, 0.0, most=3).sum(axis=0).tolist() == [3, 1, 1, 1]
    assert truths(graph, 0, paths, 0.0, most=2).sum(axis=0).tolist() == [0, 0, 1, 1]
    assert truths(graph, 0, paths, 0.0, most=2)[4, 3] == 1


def test_a_truth_is_0_at_chance_0_and_1_at_chance_1_and_rises_between() -> None:
    for sharpness in (0.01, 1.0, 1e3, 1e6):
        assert path_truth(0.0, sharpness) == 0
        assert path_truth(1.0, sharpness) == 1
        found = [path_truth(chance, sharpness) for chance in np.linspace(0, 1, 11)]
        assert found == sorted(found)
        assert len(set(found)) == 11


def test_sharpness_0_makes_every_path_true() -> None:
    assert path_truth(1e-9, 0.0) == path_truth(1.0, 0.0) == 1
