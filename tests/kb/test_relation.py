import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.relation import Relation


def table(rows: list[list[int]]) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    return np.array(rows, dtype=np.int64)


def test_repeated_facts_are_merged_in_the_order_of_first_sight() -> None:
    relation = Relation.of(table([[3, 1], [0, 2], [3, 1], [0, 1]]))
    assert relation.facts.tolist() == [[3, 1], [0, 2], [0, 1]]
    assert relation.truth is None
    assert relation.truths.tolist() == [1, 1, 1]


def test_a_repeated_fact_keeps_its_highest_truth() -> None:
    relation = Relation.of(table([[1, 1], [0, 0], [1, 1]]), np.array([0.25, 0.5, 0.75], dtype=np.float32))
    assert relation.facts.tolist() == [[1, 1], [0, 0]]
    assert relation.truths.tolist() == [0.75, 0.5]


def test_truths_that_are_all_one_cost_no_memory() -> None:
    assert Relation.of(table([[0], [1]]), np.ones(2, dtype=np.float32)).truth is None


def test_truths_that_are_all_one_after_merging_cost_no_memory() -> None:
    assert Relation.of(table([[0], [0]]), np.array([0.5, 1], dtype=np.float32)).truth is None


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from([0.0, 0.25, 1.0])), max_size=12))
def test_merging_agrees_with_a_dictionary(facts: list[tuple[int, int, float]]) -> None:
    best: dict[tuple[int, int], float] = {}
    for head, tail, truth in facts:
        best[head, tail] = max(truth, best.get((head, tail), 0.0))
    rows = np.array([fact[:2] for fact in facts], dtype=np.int64).reshape(-1, 2)
    relation = Relation.of(rows, np.array([fact[2] for fact in facts], dtype=np.float32))
    assert list(map(tuple, relation.facts.tolist())) == list(best)
    assert relation.truths.tolist() == list(best.values())


def test_the_inverse_swaps_the_arguments_and_keeps_the_truth() -> None:
    relation = Relation.of(table([[0, 1], [2, 3]]), np.array([0.5, 1], dtype=np.float32)).inverted()
    assert relation.facts.tolist() == [[1, 0], [3, 2]]
    assert relation.truths.tolist() == [0.5, 1]
    assert relation.facts.flags.c_contiguous


def test_size_and_arity_are_those_of_the_table() -> None:
    relation = Relation.of(np.zeros((0, 3), dtype=np.int64))
    assert len(relation) == 0
    assert relation.arity == 3


@pytest.mark.parametrize("truth", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_truth_outside_the_unit_interval_is_an_error_that_names_the_fact(truth: float) -> None:
    with pytest.raises(KnowledgeBaseError, match="predicate p: fact 2 has truth"):
        Relation.of(table([[0], [1]]), np.array([1, truth], dtype=np.float32), "predicate p")


def test_more_truths_than_facts_are_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="2 facts but 3 truth values"):
        Relation.of(table([[0], [1]]), np.ones(3, dtype=np.float32))


@pytest.mark.parametrize("shape", [(3,), (3, 0)])
def test_facts_without_a_column_are_an_error(shape: tuple[int, ...]) -> None:
    with pytest.raises(KnowledgeBaseError, match="at least one column"):
        Relation.of(np.zeros(shape, dtype=np.int64))
