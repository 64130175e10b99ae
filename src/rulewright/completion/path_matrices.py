"""The paths of a mixture as sparse matrices, one for each step, so that many heads walk all of them at once.

Paths that begin alike share a node of a tree. A node at depth d is a prefix of d relations; its rows are the entities
that its last relation leads to. The matrix of depth d takes the chances at the rows of depth d - 1 to those at the rows
of depth d: what `paths.walk.take_step` does for one path and one head, a product of matrices does for all.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rulewright.paths.graph import Graph


@dataclass(frozen=True, eq=False)
class Matrix:
    """A sparse matrix by rows."""

    offsets: Tensor  # (n_rows + 1,)
    columns: Tensor  # (n_entries,)
    values: Tensor  # (n_entries,)

    @staticmethod
    def of(row: Tensor, column: Tensor, values: Tensor, rows: int) -> "Matrix":
        """From its entries, which come by row."""
        counts = torch.bincount(row, minlength=rows)
        return Matrix(torch.cat([counts.new_zeros(1), counts.cumsum(0)]), column, values.float())

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.offsets) - 1

    def __matmul__(self, table: Tensor) -> Tensor:
        """(n_rows, n) from (n_columns, n); every sum in the order of its row's entries, on any device and each time."""
        terms = table.index_select(0, self.columns).mul_(self.values[:, None])
        return torch.segment_reduce(terms, "sum", offsets=self.offsets, axis=0, unsafe=True, initial=0)


@dataclass(frozen=True, eq=False)
class EdgesByEnd:
    """A graph's edges on a device, by `end`: an end is a relation and an entity that it leads to."""

    entities: int
    relations: int
    start: Tensor  # (entities * relations + 1,) as in Graph
    tails: Tensor  # (edges,) as in Graph
    relation: Tensor  # (edges,) of the edges as in Graph
    ends: Tensor  # (n_ends,) relation * entities + tail, in order
    first_end: Tensor  # (relations + 1,) where each relation's ends begin
    first_edge: Tensor  # (n_ends + 1,) where each end's edges begin
    heads: Tensor  # (edges,) by end
    chance: Tensor  # (edges,) by end

    @staticmethod
    def of(graph: Graph, device: torch.device) -> "EdgesByEnd":
        """Sorted on the device itself."""
        start = torch.from_numpy(graph.start).to(device)
        tails = torch.from_numpy(graph.tails).to(device).long()
        row = torch.repeat_interleave(torch.arange(len(start) - 1, device=device), start.diff())
        head, relation = row // graph.relations, row % graph.relations
        key = relation * graph.entities + tails
        key, order = torch.sort(key, stable=True)  # edges come by head, so each end's heads stay in order
        ends, counts = torch.unique_consecutive(key, return_counts=True)
        bounds = torch.arange(graph.relations + 1, device=device) * graph.entities
        chance = torch.from_numpy(graph.chance).to(device)[order]
        return EdgesByEnd(
            graph.entities, graph.relations, start, tails, relation, ends, torch.searchsorted(ends, bounds),
            torch.cat([counts.new_zeros(1), counts.cumsum(0)]), head[order], chance,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Step:
    """One depth of the tree of paths."""

    matrix: Matrix  # (n_rows, n_rows of the depth before): the chance of each edge
    relations: Tensor  # (n_nodes,) the last relation of each node
    first_row: Tensor  # (n_nodes + 1,)
    scoring: Matrix  # (entities, n_rows): the weight of the path that ends at a row's node
    widest: int  # rows of one node at most

    @property
    def rows(self) -> int:
        """One for each node and each entity its last relation leads to."""
        return len(self.matrix)

    @property
    def entries(self) -> int:
        """Of the larger of both matrices."""
        return max(len(self.matrix.columns), len(self.scoring.columns))


def path_steps(edges: EdgesByEnd, paths: NDArray[np.int32], weights: NDArray[np.float32]) -> list[Step]:
    """The steps of some paths (lexicographic, padded with -1), each with its weight."""
    device = edges.ends.device
    steps: list[Step] = []
    above = np.zeros(len(paths), np.int64)  # the node of each path at the depth before
    for depth in range(1, paths.shape[1] + 1):
        reaches = paths[:, depth - 1] >= 0
        if not reaches.any():
            break
        prefixes = paths[reaches, :depth]
        first = np.concatenate([[True], (prefixes[1:] != prefixes[:-1]).any(axis=1)])
        node = np.cumsum(first) - 1
        ending = reaches.copy()
        if depth < paths.shape[1]:
            ending[reaches] = paths[reaches, depth] < 0
        node_weights = np.zeros(int(first.sum()), np.float32)
        node_weights[node[ending[reaches]]] = weights[ending]
        relations = torch.from_numpy(prefixes[first, -1].astype(np.int64)).to(device)
        parents = torch.from_numpy(above[reaches][first]).to(device)
        steps.append(step(edges, relations, parents, torch.from_numpy(node_weights).to(device), steps))
        above[reaches] = node
    return steps


def step(edges: EdgesByEnd, relations: Tensor, parents: Tensor, weights: Tensor, before: list[Step]) -> Step:
    """The matrices of one depth, given the last relation, the parent and the weight of each of its nodes."""
    starts, counts = edges.first_end[relations], edges.first_end[relations + 1] - edges.first_end[relations]
    node, ends = spread(starts, counts)
    degrees = edges.first_edge[ends + 1] - edges.first_edge[ends]
    row, edge = spread(edges.first_edge[ends], degrees)
    heads, chance = edges.heads[edge], edges.chance[edge]
    if not before:
        column = heads
    else:
        column, led = find_ends(edges, before[-1].relations, before[-1].first_row, parents[node[row]], heads)
        row, column, chance = row[led], column[led], chance[led]
    matrix = Matrix.of(row, column, chance, len(ends))
    entity = edges.ends[ends] - relations[node] * edges.entities
    scored = torch.nonzero(weights[node]).flatten()
    scored = scored[torch.argsort(entity[scored], stable=True)]
    scoring = Matrix.of(entity[scored], scored, weights[node[scored]], edges.entities)
    return Step(matrix, relations, torch.cat([counts.new_zeros(1), counts.cumsum(0)]), scoring, int(counts.max()))


def find_ends(
    edges: EdgesByEnd, relations: Tensor, first_row: Tensor, nodes: Tensor, entities: Tensor
) -> tuple[Tensor, Tensor]:
    """The rows of some entities at some nodes, and which of them there are."""
    last = relations[nodes]
    wanted = last * edges.entities + entities
    at = torch.searchsorted(edges.ends, wanted).clamp_(max=len(edges.ends) - 1)
    return first_row[nodes] + at - edges.first_end[last], edges.ends[at] == wanted


def spread(starts: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """All members of runs, as (run, place): run i covers the counts[i] places from starts[i] on."""
    run = torch.repeat_interleave(torch.arange(len(counts), device=counts.device), counts)
    before = counts.cumsum(0) - counts
    return run, torch.arange(len(run), device=counts.device) - before[run] + starts[run]
