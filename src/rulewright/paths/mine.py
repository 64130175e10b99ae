"""Find the paths that lead from the heads of a relation to its tails.

Every sampled pair is joined in the middle: walks forward from the head meet walks backward from the tail. A path's
mass is the sum over pairs of the chance that a random walker who follows it from the head ends on the tail, its hits
the number of pairs it joins. The graph must not hold the pairs themselves; that is how a query's own edge is kept out
of all paths.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.errors import OptionError
from rulewright.paths.graph import Graph

FULL = 0.7  # of the table: then rarer paths are no longer taken in, but known ones still counted
LARGEST = 1 << 30


@dataclass(frozen=True)
class MiningLimits:
    """How far to look.

    branch  edges followed from one entity, an even random sample where it has more (chances are scaled up to match)
    walks   walks kept from each end of a pair
    table   paths told apart, as a power of two: 21 takes 50 MB
    """

    branch: int = 200
    walks: int = 200_000
    table: int = 21

    def __post_init__(self) -> None:
        for name, least, most in (("branch", 1, LARGEST), ("walks", 1, LARGEST), ("table", 4, 30)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise OptionError(f"limits.{name} must be a whole number from {least} to {most:,}, not {value!r}")


@dataclass(frozen=True, eq=False)
class MinedPaths:
    """Paths by falling mass: rows of directed relations padded with -1."""

    paths: NDArray[np.int32]  # (n, length)
    mass: NDArray[np.float64]  # (n,)
    hits: NDArray[np.int64]  # (n,)


class Miner:
    """Counts the paths of one relation over one or more graphs, each with the pairs hidden from it."""

    def __init__(self, relations: int, length: int, limits: MiningLimits, seed: int) -> None:
        if (relations + 1) ** length >= 1 << 63:
            raise OptionError(f"length {length} is too much for {relations:,} directed relations: a path has no number")
        self.relations, self.length, self.limits, self.seed = relations, length, limits, seed
        size = 1 << limits.table
        self.keys = np.zeros(size, np.int64)
        self.mass = np.zeros(size, np.float64)
        self.hits = np.zeros(size, np.int32)
        self.last = np.full(size, -1, np.int32)
        self.counted = 0
        self.used = 0

    def count(self, graph: Graph, pairs: NDArray[np.int64]) -> None:
        """Take in the paths that join some pairs."""
        table = (self.keys, self.mass, self.hits, self.last)
        limits = self.limits
        self.used = join_pairs(
            graph.start,
            graph.tails,
            graph.relations,
            np.ascontiguousarray(pairs, dtype=np.int64),
            self.length,
            limits.branch,
            limits.walks,
            self.seed,
            self.counted,
            self.used,
            table,
        )
        self.counted += len(pairs)

    def best(self, most: int, least_hits: int) -> MinedPaths:
        """The `most` heaviest paths that join at least `least_hits` pairs."""
        found = np.flatnonzero(self.keys)
        found = found[self.hits[found] >= least_hits]
        found = found[np.lexsort((self.keys[found], -self.mass[found]))][:most]
        paths = decoded(self.keys[found], self.relations + 1, self.length)
        return MinedPaths(paths, self.mass[found], self.hits[found].astype(np.int64))


def decoded(keys: NDArray[np.int64], base: int, length: int) -> NDArray[np.int32]:
    """Keys as rows of relations: digits in the given base, one more than the relation, the last step lowest."""
    paths = np.full((len(keys), length), -1, dtype=np.int32)
    for row, key in zip(paths, keys.tolist(), strict=True):
        steps = []
        while key:
            key, digit = divmod(key, base)
            steps.append(digit - 1)
        row[: len(steps)] = steps[::-1]
    return paths


@njit(cache=True, nogil=True)
def spread(  # type: ignore[no-untyped-def]
    start, tails, relations, source, other, backward, depth, branch, ends, codes, chances, bounds
):
    """All walks of up to `depth` steps from `source`: ends, codes and chances; depth d begins at `bounds[d]`.

    Walks do not return to the source, and stop at the other end of the pair.
    """
    limit = ends.shape[0]
    base = np.int64(relations + 1)
    ends[0], codes[0], chances[0] = source, 0, 1.0
    bounds[0], bounds[1] = 0, 1
    n = 1
    power = np.int64(1)
    for d in range(depth):
        for i in range(bounds[d], bounds[d + 1]):
            if ends[i] == other:
                continue
            row = np.int64(ends[i]) * relations
            first, last = start[row], start[row + relations]
            stride = max(np.int64(1), (last - first + branch - 1) // branch)
            k = first + np.random.randint(stride)
            relation = 0
            while k < last and n < limit:
                while start[row + relation + 1] <= k:
                    relation += 1
                tail = tails[k]
                if tail != source and (backward == 0 or tail != other):
                    if backward:
                        back = np.int64(tail) * relations + (relation ^ 1)
                        chances[n] = chances[i] * stride / (start[back + 1] - start[back])
                        codes[n] = ((relation ^ 1) + 1) * power + codes[i]
                    else:
                        chances[n] = chances[i] * stride / (start[row + relation + 1] - start[row + relation])
                        codes[n] = codes[i] * base + relation + 1
                    ends[n] = tail
                    n += 1
                k += stride
        bounds[d + 2] = n
        power *= base
    return n


@njit(cache=True, nogil=True)
def add_path(table: Any, key: int, chance: float, pair: int, used: int) -> int:
    """Count one way along a path for a pair; open addressing, 0 marks a free place."""
    keys, mass, hits, last = table
    mask = keys.shape[0] - 1
    place = ((key * 0x9E3779B97F4A7C1) >> 17) & mask
    while keys[place] != key:
        if keys[place] == 0:
            if used > FULL * keys.shape[0]:
                return used
            keys[place] = key
            used += 1
            break
        place = (place + 1) & mask
    if last[place] != pair:
        last[place] = pair
        hits[place] += 1
    mass[place] += chance
    return used


@njit(cache=True, nogil=True)
def join_pairs(  # type: ignore[no-untyped-def]
    start, tails, relations, pairs, length, branch, walks, seed, first_pair, used, table
):
    """Join both ends of every pair; each meeting point of a forward and a backward walk is one way along one path."""
    np.random.seed(seed)
    entities = (start.shape[0] - 1) // relations
    ahead, behind = (length + 1) // 2, length // 2
    ends, codes, chances = np.empty(walks, np.int32), np.empty(walks, np.int64), np.empty(walks, np.float32)
    ends_back, codes_back = np.empty(walks, np.int32), np.empty(walks, np.int64)
    chances_back = np.empty(walks, np.float32)
    bounds, bounds_back = np.zeros(ahead + 2, np.int64), np.zeros(behind + 2, np.int64)
    newest = np.full(entities, -1, np.int64)  # per entity the last backward walk that ends there, chained by `older`
    older = np.empty(walks, np.int64)
    for at in range(pairs.shape[0]):
        head, tail = pairs[at, 0], pairs[at, 1]
        if head == tail:
            continue
        spread(start, tails, relations, head, tail, 0, ahead, branch, ends, codes, chances, bounds)
        spread(start, tails, relations, tail, head, 1, behind, branch, ends_back, codes_back, chances_back, bounds_back)
        power = np.int64(1)
        for b in range(behind + 1):
            for i in range(bounds_back[b], bounds_back[b + 1]):
                older[i] = newest[ends_back[i]]
                newest[ends_back[i]] = i
            # every length is met once: forward as far as backward, or one step further
            for f in range(max(b, 1), min(b + 1, ahead) + 1):
                for i in range(bounds[f], bounds[f + 1]):
                    if b > 0 and ends[i] == tail:
                        continue
                    j = newest[ends[i]]
                    while j >= 0:
                        key = codes[i] * power + codes_back[j]
                        used = add_path(table, key, chances[i] * chances_back[j], first_pair + at, used)
                        j = older[j]
            for i in range(bounds_back[b], bounds_back[b + 1]):
                newest[ends_back[i]] = -1
            power *= relations + 1
    return used
