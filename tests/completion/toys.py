"""Small knowledge graphs whose right rules are known by hand."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from rulewright.completion.settings import CompletionSettings
from rulewright.kb.splits import Dataset
from rulewright.kb.vocabulary import Vocabulary
from rulewright.paths.mine import MiningLimits

Named = tuple[str, str, str]

QUICK = CompletionSettings(
    length=3, paths=60, mined=200, limits=MiningLimits(table=12, walks=20_000), folds=4, used_folds=4, hard=20, easy=5,
    epochs=30, entries=200_000, sparsity=0.02,
)  # fmt: skip


def dataset_of(
    train: Iterable[Named],
    valid: Iterable[Named] = (),
    test: Iterable[Named] = (),
    graph: Iterable[Named] | None = None,
    name: str = "toy",
) -> Dataset:
    """A data set from named triples."""
    entities, relations = Vocabulary(), Vocabulary()

    def coded(triples: Iterable[Named]) -> np.ndarray:
        rows = [(entities.add(h), relations.add(r), entities.add(t)) for h, r, t in triples]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

    known = None if graph is None else coded(graph)
    queries = coded(train)
    return Dataset(name, entities, relations, queries if known is None else known, queries, coded(valid), coded(test))


def families(count: int = 16) -> list[Named]:
    """Per family a grandparent, two parents and four children: grandparent is parent of parent."""
    triples = []
    for n in range(count):
        for p in range(2):
            triples.append((f"g{n}", "parent", f"p{n}{p}"))
            for c in range(2):
                triples.append((f"p{n}{p}", "parent", f"c{n}{p}{c}"))
                triples.append((f"g{n}", "grandparent", f"c{n}{p}{c}"))
    return triples


def held_out(triples: list[Named], relation: str, every: int, offset: int = 0) -> tuple[list[Named], list[Named]]:
    """The triples without every n-th of a relation, and those."""
    places = [place for place, triple in enumerate(triples) if triple[1] == relation][offset::every]
    out = set(places)
    return [t for place, t in enumerate(triples) if place not in out], [triples[place] for place in places]


def random_pairs(relation: str, entities: int, count: int, seed: int) -> list[Named]:
    """Distinct random pairs: a relation with nothing to learn."""
    rng = np.random.default_rng(seed)
    places = rng.permutation(entities * entities)[: 2 * count]
    pairs = [(int(p) // entities, int(p) % entities) for p in places]
    return [(f"e{h}", relation, f"e{t}") for h, t in pairs if h != t][:count]


def quick(**changes: object) -> CompletionSettings:
    """The quick settings with some others."""
    return replace(QUICK, **changes)  # type: ignore[arg-type]
