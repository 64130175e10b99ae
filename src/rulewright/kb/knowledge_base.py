"""The knowledge base: named relations over one vocabulary."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import KnowledgeBaseError, nearest
from rulewright.kb.relation import Relation
from rulewright.kb.vocabulary import Vocabulary, constant_name
from rulewright.logic.markup import Shown, card, note, shown, table, title

INVERSE = "^-1"
SHOWN_PREDICATES = 20  # in a notebook; the others are counted

Fact = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class KnowledgeBase(Shown):
    """Relations by predicate name, all coded with one vocabulary of constants.

    >>> kb = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy")]})
    >>> print(kb)
    knowledge base: 2 facts, 1 predicates, 3 constants
    """

    constants: Vocabulary
    relations: Mapping[str, Relation]

    @staticmethod
    def of(
        facts: Mapping[str, Iterable[Sequence[object]]],
        truth: Mapping[str, Sequence[float]] | None = None,
        constants: Vocabulary | None = None,
    ) -> "KnowledgeBase":
        """A knowledge base from plain Python data: predicate name -> tuples of constants."""
        vocabulary = Vocabulary() if constants is None else constants
        for name in truth or {}:
            if name not in facts:
                raise KnowledgeBaseError(f"truth values for {name}, which has no facts{nearest(name, list(facts))}")
        relations = {}
        for name, rows in facts.items():
            table = [names_of(row, f"predicate {name}") for row in rows]
            arities = sorted({len(row) for row in table})
            if len(arities) > 1:
                raise KnowledgeBaseError(f"predicate {name} has facts with {' and '.join(map(str, arities))} arguments")
            if not table:
                continue
            ids = vocabulary.add_all(constant for row in table for constant in row).reshape(len(table), -1)
            truths = None if truth is None or name not in truth else np.asarray(truth[name], dtype=np.float32)
            relations[name] = Relation.of(ids, truths, f"predicate {name}")
        return KnowledgeBase(vocabulary, relations).checked()

    def checked(self) -> "KnowledgeBase":
        """Itself, or an error when it holds no fact."""
        if not len(self):
            raise KnowledgeBaseError("the knowledge base has no facts")
        return self

    def __getitem__(self, predicate: str) -> Relation:
        """The relation of a predicate; name^-1 reads a binary one from right to left."""
        if predicate in self.relations:
            return self.relations[predicate]
        if predicate in self:
            return self.relations[predicate.removesuffix(INVERSE)].inverted()
        raise KnowledgeBaseError(f"unknown predicate {predicate}{nearest(predicate, list(self.relations))}")

    def __contains__(self, predicate: object) -> bool:
        """Whether the predicate can be asked for, as it is or through the inverse mark."""
        if predicate in self.relations:
            return True
        if not isinstance(predicate, str) or not predicate.endswith(INVERSE):
            return False
        straight = self.relations.get(predicate.removesuffix(INVERSE))
        return straight is not None and straight.arity == 2

    def __len__(self) -> int:
        """The number of facts."""
        return sum(map(len, self.relations.values()))

    def __str__(self) -> str:
        sizes = f"{len(self):,} facts, {len(self.relations):,} predicates, {len(self.constants):,} constants"
        return f"knowledge base: {sizes}"

    def _repr_html_(self) -> str:
        """A card: the predicates with the most facts."""
        largest = sorted(self.relations.items(), key=lambda entry: -len(entry[1]))[:SHOWN_PREDICATES]
        rows = [[f"{len(relation):,}", str(relation.arity), shown(name)] for name, relation in largest]
        left = len(self.relations) - len(largest)
        more = note(f"{left:,} predicates with fewer facts not shown." if left else "")
        return card(title(shown(str(self).capitalize())), table(["facts", "arguments", "predicate"], rows, 2), more)

    @property
    def arities(self) -> dict[str, int]:
        """The arity of every predicate."""
        return {name: relation.arity for name, relation in self.relations.items()}

    def facts_of(self, predicate: str) -> list[Fact]:
        """The facts of a predicate, by name."""
        return self.decode(self[predicate].facts)

    def decode(self, rows: NDArray[np.int64]) -> list[Fact]:
        """Rows of constant ids as tuples of names."""
        names = self.constants.names
        return [tuple(names[id] for id in row) for row in rows.tolist()]

    def encode(self, facts: Iterable[Sequence[object]]) -> NDArray[np.int64]:
        """Tuples of names as rows of constant ids; -1 where a name is unknown."""
        ids = self.constants.id
        rows = [[-1 if (id := ids(name)) is None else id for name in names_of(fact, "encode")] for fact in facts]
        if len({len(row) for row in rows}) > 1:
            raise KnowledgeBaseError("encode: facts with different numbers of arguments; encode each arity by itself")
        return np.array(rows, dtype=np.int64).reshape(len(rows), -1 if rows else 0)

    def without(self, *predicates: str) -> "KnowledgeBase":
        """The same knowledge base with some predicates left out."""
        return KnowledgeBase(self.constants, {n: r for n, r in self.relations.items() if n not in predicates})

    def with_relation(self, name: str, relation: Relation) -> "KnowledgeBase":
        """The same knowledge base with one relation added or replaced."""
        return KnowledgeBase(self.constants, {**self.relations, name: relation})

    def with_inverses(self) -> "KnowledgeBase":
        """The same knowledge base with r^-1 beside every binary relation r."""
        inverses = {
            name + INVERSE: relation.inverted()
            for name, relation in self.relations.items()
            if relation.arity == 2 and not name.endswith(INVERSE) and name + INVERSE not in self.relations
        }
        return KnowledgeBase(self.constants, {**self.relations, **inverses})


def names_of(fact: Sequence[object], where: str) -> Fact:
    """The names of a fact's constants."""
    if isinstance(fact, str | bytes) or not isinstance(fact, Iterable):
        raise KnowledgeBaseError(f"{where}: {fact!r} is not a tuple of constants; one constant is written ({fact!r},)")
    try:
        return tuple(map(constant_name, fact))
    except KnowledgeBaseError as missing:
        raise KnowledgeBaseError(f"{where}: {missing}, in {tuple(fact)}") from None
