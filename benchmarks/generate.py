"""A knowledge graph of any size for measuring cost: seeded, typed, and skewed as FB15K-237 is.

Entities have one of a few types. Every relation leads from one type to another; heads and tails are drawn by a power
law, so that a few entities take part in very much. A third of the relations follow from others by a rule, with noise:
some copy another relation, some compose two.
"""

import numpy as np
from numpy.typing import NDArray

from rulewright.grounding.tables import sorted_unique
from rulewright.kb.splits import Dataset, Triples
from rulewright.kb.vocabulary import Vocabulary

FACTS_PER_ENTITY = 20
TYPES = 8
RELATIONS = 24
DERIVED = 8
SKEW = 1.5  # an entity's place in its type is u^SKEW: half of all draws fall on a third of the entities
NOISE = 0.2
SPARE = 1.4  # so many more facts are drawn than wanted, since some are drawn twice and a derived relation may lack some
QUERIES = 100  # of validation and of test


def generated(facts: int, seed: int = 0) -> Dataset:
    """A data set with so many training facts; a very small one has somewhat fewer."""
    rng = np.random.default_rng([seed, facts])
    entities = max(facts // FACTS_PER_ENTITY, 10 * TYPES)
    share = rng.dirichlet(np.full(RELATIONS, 2.0))
    triples: list[Triples] = []
    pairs: list[NDArray[np.int64]] = []
    kinds: list[tuple[int, int]] = []
    for relation in range(RELATIONS):
        wanted = int(SPARE * facts * share[relation]) + 20
        if relation < RELATIONS - DERIVED:
            kinds.append((int(rng.integers(TYPES)), int(rng.integers(TYPES))))
            found = np.stack([drawn(rng, wanted, kind, entities) for kind in kinds[-1]], axis=1)
        else:
            found = derived(rng, pairs[: RELATIONS - DERIVED], kinds, relation, wanted, entities)
        pairs.append(found)
        triples.append(np.stack([found[:, 0], np.full(len(found), relation), found[:, 1]], axis=1))
    whole = np.concatenate(triples)
    keys = sorted_unique((whole[:, 0] * RELATIONS + whole[:, 1]) * entities + whole[:, 2])
    rest, tails = np.divmod(keys, entities)
    heads, relations = np.divmod(rest, RELATIONS)
    whole = np.stack([heads, relations, tails], axis=1)[rng.permutation(len(keys))[: facts + 2 * QUERIES]]
    valid, test, train = np.split(whole, [QUERIES, 2 * QUERIES])
    names = Vocabulary(f"e{number}" for number in range(entities))
    labels = Vocabulary(f"r{number}" for number in range(RELATIONS))
    return Dataset(f"generated-{facts}", names, labels, train, train, valid, test)


def drawn(rng: np.random.Generator, count: int, kind: int, entities: int) -> NDArray[np.int64]:
    """Entities of a type, a few of them very often; type k has the entities k, k + TYPES, ..."""
    size = (entities - kind + TYPES - 1) // TYPES
    places = (size * rng.random(count) ** SKEW).astype(np.int64)
    return places * TYPES + kind


def derived(
    rng: np.random.Generator,
    pairs: list[NDArray[np.int64]],
    kinds: list[tuple[int, int]],
    relation: int,
    wanted: int,
    entities: int,
) -> NDArray[np.int64]:
    """Pairs that follow from other relations, but for the noise."""
    first = int(rng.integers(len(pairs)))
    source = pairs[first]
    chosen = source[rng.integers(len(source), size=int(wanted * (1 - NOISE)))]
    fitting = [place for place, (start, _) in enumerate(kinds) if start == kinds[first][1]]
    if relation % 2 and fitting:  # composed: on from the tail along some edge of another relation
        other = pairs[fitting[0]]
        other = other[np.argsort(other[:, 0], kind="stable")]
        at = np.searchsorted(other[:, 0], chosen[:, 1])
        at = at.clip(max=len(other) - 1)
        meets = other[at, 0] == chosen[:, 1]
        chosen = np.stack([chosen[meets, 0], other[at[meets], 1]], axis=1)
    noise = rng.integers(entities, size=(int(wanted * NOISE), 2))
    return np.concatenate([chosen, noise])
