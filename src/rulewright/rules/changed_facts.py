"""Single facts of a knowledge base: looked up, taken away, put in."""

from collections.abc import Sequence

import numpy as np

from rulewright.kb.knowledge_base import INVERSE, KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.logic.terms import Atom, Constant
from rulewright.rules.explanation import SourcedFact


def looked_up(kb: KnowledgeBase, predicate: str, names: Sequence[str]) -> SourcedFact:
    """A ground atom with its truth and whether it is a fact."""
    fact = stored(kb, predicate, names)
    if fact.predicate not in kb:
        return SourcedFact(fact, "absent", 0.0)
    relation = kb[fact.predicate]
    at = np.flatnonzero((relation.facts == coded(kb, fact)).all(axis=1))
    return SourcedFact(fact, truth=float(relation.truths[at[0]])) if len(at) else SourcedFact(fact, "absent", 0.0)


def stored(kb: KnowledgeBase, predicate: str, names: Sequence[str]) -> Atom:
    """A ground atom under the predicate that the knowledge base stores it under: without the mark of an inverse."""
    if predicate.endswith(INVERSE) and predicate not in kb.relations:
        predicate, names = predicate.removesuffix(INVERSE), names[::-1]
    return Atom(predicate, tuple(map(Constant, names)))


def coded(kb: KnowledgeBase, fact: Atom) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The ids of a ground atom's constants, as one row."""
    return kb.encode([tuple(str(term.name) for term in fact.terms)])


def changed(kb: KnowledgeBase, removed: Sequence[Atom], added: Sequence[Atom]) -> KnowledgeBase:
    """The knowledge base without some facts, and with others, whose constants and predicates it knows."""
    for fact in removed:
        relation = kb[fact.predicate]
        keep = ~(relation.facts == coded(kb, fact)).all(axis=1)
        truth = None if relation.truth is None else relation.truth[keep]
        kb = kb.with_relation(fact.predicate, Relation(relation.facts[keep], truth))
    for fact in added:
        relation = kb[fact.predicate]
        others = ~(relation.facts == coded(kb, fact)).all(axis=1)  # a fact that was only partly true becomes true
        facts = np.concatenate([relation.facts[others], coded(kb, fact)])
        truth = None if relation.truth is None else np.append(relation.truth[others], np.float32(1))
        kb = kb.with_relation(fact.predicate, Relation(facts, truth))
    return kb
