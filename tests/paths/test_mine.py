"""Mining counts what a walk-by-walk enumeration counts."""

import numpy as np
import pytest
from numpy.typing import NDArray

from rulewright.errors import OptionError
from rulewright.paths.graph import Graph, build_graph
from rulewright.paths.mine import MinedPaths, Miner, MiningLimits, decoded

ENTITIES, RELATIONS = 5, 2
SMALL_TABLE = MiningLimits(branch=1000, walks=20_000, table=14)


def random_triples(seed: int, count: int = 8) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(size, size=count) for size in (ENTITIES, RELATIONS, ENTITIES)], axis=1)


def simple_count(graph: Graph, pairs: NDArray[np.int64], longest: int) -> dict[tuple[int, ...], tuple[float, int]]:
    """Mass and hits of every path by following each walk from the head until it first meets the tail."""
    mass: dict[tuple[int, ...], float] = {}
    hits: dict[tuple[int, ...], set[int]] = {}
    for number, (head, tail) in enumerate(pairs.tolist()):
        if head == tail:
            continue
        walks: list[tuple[int, float, tuple[int, ...]]] = [(head, 1.0, ())]
        for _ in range(longest):
            further = []
            for entity, chance, path in walks:
                for relation in range(graph.relations):
                    tails = graph.tails_of(entity, relation).tolist()
                    further += [(end, chance / len(tails), (*path, relation)) for end in tails if end != head]
            for end, chance, path in further:
                if end == tail:
                    mass[path] = mass.get(path, 0.0) + chance
                    hits.setdefault(path, set()).add(number)
            walks = [walk for walk in further if walk[0] != tail]
    return {path: (mass[path], len(hits[path])) for path in mass}


def as_dict(mined: MinedPaths) -> dict[tuple[int, ...], tuple[float, int]]:
    paths = [tuple(step for step in row if step >= 0) for row in mined.paths.tolist()]
    assert len(set(paths)) == len(paths)
    return dict(zip(paths, zip(mined.mass.tolist(), mined.hits.tolist(), strict=True), strict=True))


def mined(graph: Graph, pairs: NDArray[np.int64], length: int, limits: MiningLimits = SMALL_TABLE) -> MinedPaths:
    miner = Miner(graph.relations, length, limits, seed=3)
    miner.count(graph, pairs)
    return miner.best(1 << 20, least_hits=1)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_mass_and_hits_are_those_of_all_walks_one_by_one(seed: int, length: int) -> None:
    graph = build_graph(random_triples(seed), ENTITIES, RELATIONS)
    pairs = np.array([[h, t] for h in range(ENTITIES) for t in range(ENTITIES)])
    found, expected = as_dict(mined(graph, pairs, length)), simple_count(graph, pairs, length)
    assert found.keys() == expected.keys()
    for path, (mass, hits) in expected.items():
        assert found[path] == (pytest.approx(mass, rel=1e-4), hits)


def test_every_length_is_counted_once_along_a_line() -> None:
    line = np.array([[n, 0, n + 1] for n in range(5)])
    graph = build_graph(line, 6, 1)
    for length in range(1, 6):
        found = as_dict(mined(graph, np.array([[0, length]]), 5))
        assert found[(0,) * length] == (pytest.approx(1), 1)
        assert all(hits == 1 for _, hits in found.values())


def test_an_edge_that_the_graph_hides_is_in_no_path() -> None:
    line = np.array([[0, 0, 1], [1, 0, 2]])
    pairs = np.array([[0, 1], [1, 2]])
    assert as_dict(mined(build_graph(line, 3, 2), pairs, 5))
    assert not as_dict(mined(build_graph(line[:0], 3, 2), pairs, 5))


def test_two_graphs_are_counted_together() -> None:
    first, second = (build_graph(random_triples(seed), ENTITIES, RELATIONS) for seed in (7, 8))
    pairs = np.array([[0, 1], [2, 3], [1, 4]])
    miner = Miner(2 * RELATIONS, 3, SMALL_TABLE, seed=0)
    miner.count(first, pairs)
    miner.count(second, pairs)
    found = as_dict(miner.best(1 << 20, least_hits=1))
    parts = [simple_count(graph, pairs, 3) for graph in (first, second)]
    assert found.keys() == parts[0].keys() | parts[1].keys()
    for path, (mass, hits) in found.items():
        counted = [part.get(path, (0.0, 0)) for part in parts]
        assert mass == pytest.approx(sum(m for m, _ in counted), rel=1e-4)
        assert hits == sum(h for _, h in counted)
    assert miner.counted == 6


def test_the_best_are_the_heaviest_with_enough_hits() -> None:
    graph = build_graph(random_triples(1, 14), ENTITIES, RELATIONS)
    pairs = np.array([[h, t] for h in range(ENTITIES) for t in range(ENTITIES)])
    miner = Miner(graph.relations, 3, SMALL_TABLE, seed=0)
    miner.count(graph, pairs)
    everything, best = miner.best(1 << 20, least_hits=1), miner.best(5, least_hits=3)
    assert (np.diff(everything.mass) <= 0).all()
    assert len(best.paths) == 5
    assert (best.hits >= 3).all()
    np.testing.assert_array_equal(best.mass, everything.mass[everything.hits >= 3][:5])


def test_sampling_is_repeated_under_a_seed_and_right_on_average() -> None:
    """A hub whose edges are sampled: chances are scaled up to match."""
    triples = np.array([[0, 0, n] for n in range(1, 41)] + [[n, 0, 41] for n in range(1, 41)])
    graph, pairs = build_graph(triples, 42, 1), np.repeat([[0, 41]], 4000, axis=0)
    limits = MiningLimits(branch=10, walks=1000, table=10)
    first, again = (mined(graph, pairs, 2, limits) for _ in range(2))
    np.testing.assert_array_equal(first.mass, again.mass)
    np.testing.assert_array_equal(first.paths, again.paths)
    assert as_dict(first)[0, 0][0] / 4000 == pytest.approx(1, rel=0.1)
    few = mined(graph, pairs, 2, MiningLimits(branch=10, walks=5, table=10))
    assert as_dict(few)[0, 0][1] <= 4000


@pytest.mark.timeout(60)
def test_a_full_table_keeps_counting_what_it_knows() -> None:
    graph = build_graph(random_triples(2, 30), ENTITIES, RELATIONS)
    pairs = np.array([[h, t] for h in range(ENTITIES) for t in range(ENTITIES)])
    few = as_dict(mined(graph, pairs, 4, MiningLimits(branch=1000, walks=20_000, table=5)))
    expected = simple_count(graph, pairs, 4)
    assert 20 <= len(few) < 32 < len(expected)
    for path, (mass, hits) in few.items():
        assert (mass, hits) == (pytest.approx(expected[path][0], rel=1e-4), expected[path][1])


def test_keys_are_paths_in_digits() -> None:
    base = 7
    paths = [[0, -1, -1], [5, 0, -1], [3, 2, 1]]
    keys = [1, 6 * base + 1, (4 * base + 3) * base + 2]
    assert decoded(np.array(keys), base, 3).tolist() == paths


@pytest.mark.parametrize("limits", [{"branch": 0}, {"walks": 0}, {"table": 1}, {"table": 60}, {"walks": 2.5}])
def test_limits_that_no_search_can_keep_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=next(iter(limits))):
        MiningLimits(**limits)


def test_paths_too_long_to_be_told_apart_are_refused() -> None:
    Miner(474, 7, SMALL_TABLE, seed=0)
    with pytest.raises(OptionError, match="length"):
        Miner(474, 8, SMALL_TABLE, seed=0)
