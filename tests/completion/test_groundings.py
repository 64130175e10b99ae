"""The pairs of a rule, page by page, are all pairs that its body joins, each with facts that say so."""

import numpy as np
import pytest
from tests.completion.test_rules import mixture, model_of, with_paths
from tests.completion.toys import dataset_of, families, quick

from rulewright.completion.groundings import Holding, Place, groundings
from rulewright.completion.model import CompletionModel
from rulewright.completion.rule_table import rule_table


def chain_model() -> CompletionModel:
    """grandparent(X, Y) :- parent(X, A), parent(A, Y), with half of the grandparents unknown."""
    triples = [t for n, t in enumerate(families(3)) if t[1] == "parent" or n % 2]
    dataset = dataset_of(triples)
    relation = 2 * dataset.relations.names.index("grandparent")
    step = 2 * dataset.relations.names.index("parent")
    rule = mixture(
        relation,
        paths=np.array([[step, step, -1]], np.int32), weights=np.ones(1, np.float32), support=np.ones(1, np.int64),
        confidence=np.ones(1, np.float32), sampled=1,
    )  # fmt: skip
    return CompletionModel("toy", dataset.entities, dataset.relations, dataset.train, {relation: rule}, quick())


def all_pages(model: CompletionModel, relation: int, limit: int, known: bool | None = None) -> list[Holding]:
    table, place, found = rule_table(model, relation), Place(), list[Holding]()
    while place is not None:
        page = groundings(model, table, 0, place, limit, known)
        assert len(page.holdings) <= limit
        found += page.holdings
        place = page.following
    return found


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_pages_of_any_size_hold_every_pair_once(limit: int) -> None:
    model = chain_model()
    (relation,) = model.mixtures
    names = model.entities.names
    found = [(names[one.head], names[one.answer]) for one in all_pages(model, relation, limit) if one.head is not None]
    expected = {(f"g{n}", f"c{n}{p}{c}") for n in range(3) for p in range(2) for c in range(2)}
    assert len(found) == len(expected)
    assert set(found) == expected


def test_each_pair_comes_with_the_facts_of_a_walk_and_whether_it_is_one_itself() -> None:
    model = chain_model()
    (relation,) = model.mixtures
    first = all_pages(model, relation, 3)[0]
    assert [str(fact) for fact in first.facts] == ["parent(g0, p00)", "parent(p00, c000)"]
    known = {(one.head, one.answer) for one in all_pages(model, relation, 3, known=True)}
    new = {(one.head, one.answer) for one in all_pages(model, relation, 3, known=False)}
    assert known == {tuple(pair) for pair in model.graph.pairs(relation).tolist()}
    assert known
    assert new
    assert not known & new


def test_a_negated_literal_shows_the_facts_that_break_it() -> None:
    model = model_of(mixture(2, direct=np.array([-1.5, 0, 0, 0], np.float32)))
    found = groundings(model, rule_table(model, 2), 0)
    assert found.negated
    assert [str(one.facts[0]) for one in found.holdings] == ["likes(ann, bob)", "likes(bob, cy)"]


def test_a_rule_about_the_answer_alone_lists_answers() -> None:
    model = model_of(mixture(2, answer=np.array([0.5, 0, 0, 0, 0], np.float32)))
    found = groundings(model, rule_table(model, 2), 0)
    assert [(one.head, str(one.facts[0])) for one in found.holdings] == [
        (None, "likes(ann, A)"),
        (None, "likes(bob, A)"),
    ]


def test_past_answers_are_listed_the_most_frequent_first() -> None:
    model = model_of(mixture(0, columns=np.array([1, 0, 0, 0], np.float32)))
    found = groundings(model, rule_table(model, 0), 0, limit=1)
    assert [str(one.facts[0]) for one in found.holdings] == ["likes(A, bob)"]
    assert found.following == Place(1)


def test_a_walk_that_leads_nowhere_is_an_empty_page() -> None:
    model = model_of(with_paths(2))
    table = rule_table(model, 2)
    row = [steps[2] >= 0 for steps in table.relations.tolist()].index(True)
    assert groundings(model, table, row).following is None
