"""The graph that paths run through: labelled edges in both directions, compressed.

Relation b of the data becomes the directed relations 2 * b and 2 * b + 1, its inverse, so `r ^ 1` is always the inverse
of r, and both kinds of query, (h, r, ?) and (?, r, t), ask for the tails of a directed relation.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import DatasetError

Triples = NDArray[np.int64]  # (n, 3): head, relation, tail
Walker = Literal["forward", "symmetric"]

INVERSE = "^-1"
MOST_ROWS = 1 << 29  # of a graph; its offsets then take 4 GB


@dataclass(frozen=True, eq=False)
class Graph:
    """The r-tails of entity e are `tails[start[row] : start[row + 1]]` with row = e * relations + r, in order.

    `chance` is how strongly a walk follows each edge: "forward" leaves an entity evenly along its r-edges, as a random
    walker does; "symmetric" takes the geometric mean of that and the same read backwards, which also holds hubs down.
    """

    entities: int
    relations: int  # directed
    start: NDArray[np.int64]  # (entities * relations + 1,)
    tails: NDArray[np.int32]  # (edges,)
    chance: NDArray[np.float32]  # (edges,)

    def __len__(self) -> int:
        """The number of directed edges."""
        return len(self.tails)

    def tails_of(self, head: int, relation: int) -> NDArray[np.int32]:
        """The tails of a head along a directed relation."""
        row = head * self.relations + relation
        return self.tails[self.start[row] : self.start[row + 1]]

    def pairs(self, relation: int) -> NDArray[np.int64]:
        """All (head, tail) pairs of a directed relation, by head."""
        starts = self.start[relation :: self.relations][: self.entities]
        counts = self.start[relation + 1 :: self.relations][: self.entities] - starts
        heads = np.repeat(np.arange(self.entities), counts)
        first = np.repeat(starts - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        return np.stack([heads, self.tails[np.arange(len(heads)) + first]], axis=1)


def both_directions(triples: Triples) -> Triples:
    """(head, directed relation, tail) rows of the triples, then of their inverses."""
    head, relation, tail = triples.T
    straight = np.stack([head, 2 * relation, tail], axis=1)
    return np.concatenate([straight, np.stack([tail, 2 * relation + 1, head], axis=1)])


def build_graph(triples: Triples, entities: int, relations: int, walker: Walker = "forward") -> Graph:
    """The graph of some triples; `relations` counts those of the data."""
    directed = 2 * relations
    if entities * directed > MOST_ROWS:
        raise DatasetError(
            f"{entities:,} entities with {relations:,} relations are too many: a graph has a place for each of them in "
            f"both directions, {MOST_ROWS:,} at most"
        )
    head, relation, tail = triples.T
    count = len(triples)
    keys = np.empty(2 * count, dtype=np.int64)  # 2^29 rows times 2^31 entities at most, so no key overflows
    keys[:count] = (head * directed + 2 * relation) * entities + tail
    keys[count:] = (tail * directed + 2 * relation + 1) * entities + head
    keys.sort()
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if count else keys
    row, tails = keys // entities, (keys % entities).astype(np.int32)
    degree = np.bincount(row, minlength=entities * directed)
    start = np.zeros(len(degree) + 1, dtype=np.int64)
    np.cumsum(degree, out=start[1:])
    out = degree[row].astype(np.float64)
    if walker == "symmetric":
        inverse_row = tails.astype(np.int64) * directed + ((row % directed) ^ 1)
        out = np.sqrt(out * degree[inverse_row])
    return Graph(entities, directed, start, tails, (1 / out).astype(np.float32))


def relation_name(directed: int, names: list[str]) -> str:
    """The name of a directed relation: the data's, or with ^-1 behind it."""
    return names[directed >> 1] + (INVERSE if directed & 1 else "")
