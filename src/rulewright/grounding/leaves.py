"""The leaves of a knowledge base, made once for many batches of heads.

Grounding a batch reads little of what the leaves hold. Uniting the facts of hundreds of predicates anew, and sorting
them anew for every join, would cost far more than the batch itself; here both are kept as long as the caller likes.
"""

from collections.abc import Callable

from rulewright.grounding.lineage import Lineage
from rulewright.grounding.tables import Ids, Index
from rulewright.template.bound import BoundLeaf, Member

Leaf = tuple[Ids, Lineage]


class Leaves:
    """Facts and lineage by what a leaf consists of, and indexes by table and columns; for one knowledge base."""

    def __init__(self) -> None:
        self.leaves: dict[tuple[tuple[Member, ...], tuple[str, ...]], Leaf] = {}
        self.indexes: dict[tuple[int, tuple[int, ...]], Index] = {}

    def leaf(self, leaf: BoundLeaf, make: Callable[[], Leaf]) -> Leaf:
        """The leaf's facts and lineage; leaves that choose among the same predicates share them."""
        key = (leaf.members, leaf.universe)
        if key not in self.leaves:
            self.leaves[key] = make()
        return self.leaves[key]

    def index(self, facts: Ids, columns: tuple[int, ...]) -> Index:
        """The rows of a leaf's table by some of its columns."""
        key = (id(facts), columns)  # the tables live as long as this object, so an id stands for one of them
        if key not in self.indexes:
            self.indexes[key] = Index(facts[:, list(columns)])
        return self.indexes[key]
