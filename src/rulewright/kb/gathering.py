"""Facts on their way from a file, a frame or a graph into a knowledge base."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.vocabulary import Vocabulary


class CodedFacts(NamedTuple):
    """Facts of one arity as integers; 32 bits are enough for every vocabulary that fits into memory."""

    predicates: NDArray[np.int32]  # (n_facts,)
    constants: NDArray[np.int32]  # (n_facts, arity)
    truths: NDArray[np.float32] | None  # (n_facts,)


@dataclass
class Gathering:
    """Facts so far, integer-coded as they arrive, so that their text can be dropped block by block."""

    constants: Vocabulary = field(default_factory=Vocabulary)
    predicates: Vocabulary = field(default_factory=Vocabulary)
    _arities: dict[str, int] = field(default_factory=dict)
    _blocks: dict[int, list[CodedFacts]] = field(default_factory=dict)  # by arity

    def add(
        self, predicates: Sequence[str], names: Sequence[str], arity: int, truths: NDArray[np.float32] | None = None
    ) -> None:
        """Take facts of one arity: the predicate of each, and the constants of all, fact after fact."""
        clash = self.clash(predicates, arity)
        if clash is not None:
            raise KnowledgeBaseError(self.clash_message(clash, arity))
        self._arities.update(dict.fromkeys(predicates, arity))
        block = CodedFacts(
            self.predicates.add_all(predicates).astype(np.int32),
            self.constants.add_all(names).astype(np.int32).reshape(-1, arity),
            truths,
        )
        self._blocks.setdefault(arity, []).append(block)

    def clash(self, predicates: Sequence[str], arity: int) -> str | None:
        """The first of the predicates that is known with another arity, or None."""
        return next((name for name in dict.fromkeys(predicates) if self._arities.get(name, arity) != arity), None)

    def clash_message(self, predicate: str, arity: int) -> str:
        """What to say about a predicate that is known with another arity."""
        return (
            f"predicate {predicate} has {arity} arguments here but {self._arities[predicate]} elsewhere; "
            f"one predicate has one number of arguments, so rename one of the two"
        )

    def knowledge_base(self, source: object) -> KnowledgeBase:
        """The knowledge base of all facts; an error that names the source when there is none. Empties the gathering."""
        relations: dict[str, Relation] = {}
        for arity in list(self._blocks):
            relations |= self.relations(self._blocks.pop(arity))
        if not relations:
            raise KnowledgeBaseError(f"{source} holds no facts")
        return KnowledgeBase(self.constants, {name: relations[name] for name in self.predicates})

    def relations(self, blocks: list[CodedFacts]) -> dict[str, Relation]:
        """One relation per predicate, from all facts of one arity."""
        predicates = np.concatenate([block.predicates for block in blocks])
        constants = np.concatenate([block.constants for block in blocks])
        truths = joined_truths(blocks)
        blocks.clear()  # the copies above are all that is needed; half the memory
        order = np.argsort(predicates, kind="stable")
        ends = np.flatnonzero(np.diff(predicates[order], append=-1)) + 1
        relations, names, start = {}, self.predicates.names, 0
        for end in ends.tolist():
            rows = order[start:end]
            name = names[int(predicates[rows[0]])]
            truth = None if truths is None else truths[rows]
            relations[name] = Relation.of(constants[rows].astype(np.int64), truth, f"predicate {name}")
            start = end
        return relations


def joined_truths(blocks: Sequence[CodedFacts]) -> NDArray[np.float32] | None:
    """The truths of all blocks, ones for a block without; None when no block has any."""
    if all(block.truths is None for block in blocks):
        return None
    return np.concatenate(
        [np.ones(len(block.predicates), np.float32) if block.truths is None else block.truths for block in blocks]
    )


def truths_of(texts: Sequence[str | float]) -> NDArray[np.float32] | None:
    """Truth values from numbers or their spelling; None when one of them is no number in [0, 1]."""
    try:
        truths = np.fromiter(map(float, texts), dtype=np.float32, count=len(texts))
    except (TypeError, ValueError):
        return None
    return truths if ((truths >= 0) & (truths <= 1)).all() else None
