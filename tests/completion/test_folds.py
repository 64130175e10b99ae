"""Folds hide what they ask for."""

import numpy as np
from tests.completion.toys import QUICK, dataset_of, families, quick, random_pairs

from rulewright.completion.folds import deal_folds, without

DATA = dataset_of([*families(5), *random_pairs("rare", 9, 6, seed=0), ("a", "once", "b")])
SIZES = (len(DATA.entities), len(DATA.relations))


def test_folds_partition_the_facts() -> None:
    folds = deal_folds(DATA.train, DATA.graph, *SIZES, quick(folds=4, used_folds=4))
    straight = [row for fold in folds for row in fold.hidden.tolist() if row[1] % 2 == 0]
    assert sorted(straight) == sorted([h, 2 * r, t] for h, r, t in DATA.train.tolist())
    inverse = [[t, r ^ 1, h] for fold in folds for h, r, t in fold.hidden.tolist() if r % 2 == 1]
    assert sorted(inverse) == sorted(straight)


def test_a_querys_own_edge_and_its_inverse_are_not_in_the_graph_it_is_asked_of() -> None:
    for fold in deal_folds(DATA.train, DATA.graph, *SIZES, QUICK):
        for head, relation, tail in fold.hidden.tolist():
            assert tail not in fold.read.graph.tails_of(head, relation)
            assert head not in fold.read.graph.tails_of(tail, relation ^ 1)
        assert len(fold.read.graph) + len(fold.hidden) == 2 * len(DATA.train)


def test_every_relation_is_dealt_evenly() -> None:
    folds = deal_folds(DATA.train, DATA.graph, *SIZES, quick(folds=3, used_folds=3))
    for relation in range(len(DATA.relations)):
        shares = [int((fold.hidden[:, 1] == 2 * relation).sum()) for fold in folds]
        assert sum(shares) == int((DATA.train[:, 1] == relation).sum())
        assert max(shares) - min(shares) <= 1


def test_only_the_used_folds_are_made() -> None:
    some = deal_folds(DATA.train, DATA.graph, *SIZES, quick(folds=4, used_folds=2))
    every = deal_folds(DATA.train, DATA.graph, *SIZES, quick(folds=4, used_folds=4))
    assert len(some) == 2
    assert all(np.array_equal(a.hidden, b.hidden) for a, b in zip(some, every, strict=False))


def test_facts_that_bodies_may_read_stay_when_other_facts_are_asked_for() -> None:
    parents = DATA.train[DATA.train[:, 1] == 0]
    asked = DATA.train[DATA.train[:, 1] == 1]
    for fold in deal_folds(asked, parents, *SIZES, QUICK):
        assert len(fold.read.graph) == 2 * len(parents)


def test_without_takes_out_exactly_the_hidden_triples() -> None:
    triples = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 1]])
    assert without(triples, triples[:1], 2, 2).tolist() == triples[1:].tolist()
    assert without(triples, triples[:0], 2, 2).tolist() == triples.tolist()
