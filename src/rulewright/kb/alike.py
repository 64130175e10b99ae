"""A knowledge base under the predicates of another one, so that rules learned there can be asked here."""

import numpy as np

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation


def check_arguments(known: KnowledgeBase, other: KnowledgeBase) -> None:
    """An error for a predicate that has another number of arguments here than there."""
    for name, relation in known.relations.items():
        here = other.relations.get(name)
        if here is not None and here.arity != relation.arity:
            raise KnowledgeBaseError(
                f"{name} has {here.arity} arguments here, and {relation.arity} in the facts that the rules were "
                f"learned from"
            )


def under_predicates_of(known: KnowledgeBase, other: KnowledgeBase) -> tuple[KnowledgeBase, tuple[str, ...]]:
    """The other knowledge base with an empty relation for each predicate that it lacks, and the names of these."""
    check_arguments(known, other)
    missing = tuple(name for name in known.relations if name not in other.relations)
    for name in missing:
        other = other.with_relation(name, Relation(np.zeros((0, known.relations[name].arity), np.int64)))
    return other, missing
