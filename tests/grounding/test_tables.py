from collections import Counter
from itertools import product as combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from rulewright.grounding.tables import find, group, match, product, shared_keys, sorted_unique

WIDE = 2**40  # three columns of such ids overflow a 64-bit key


def tables(width: int, largest: int, rows: int = 12) -> st.SearchStrategy[np.ndarray]:
    """Tables of small ids, so that rows repeat, with large ones among them, so that keys are wide."""
    ids = st.one_of(st.integers(0, 2), st.sampled_from([largest, largest - 1]))
    return npst.arrays(np.int64, st.tuples(st.integers(0, rows), st.just(width)), elements=ids)


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    width, largest = draw(st.integers(0, 6)), draw(st.sampled_from([3, 1000, WIDE]))
    return draw(tables(width, largest)), draw(tables(width, largest))


@st.composite
def one_table(draw: st.DrawFn) -> np.ndarray:
    return draw(tables(draw(st.integers(0, 6)), draw(st.sampled_from([3, 1000, WIDE]))))


def tuples(table: np.ndarray) -> list[tuple[int, ...]]:
    return list(map(tuple, table.tolist()))


@given(two_tables())
@settings(max_examples=60, deadline=None)
def test_keys_are_equal_exactly_where_rows_are_and_keep_their_order(pair):
    keys, size = shared_keys(pair)
    rows = [row for table in pair for row in tuples(table)]
    values = np.concatenate(keys).tolist()
    assert len(values) == len(rows)
    assert all(0 <= value < size <= 2**62 for value in values)
    for (one, first), (other, second) in combinations(zip(rows, values, strict=True), repeat=2):
        assert (one < other) == (first < second)


@given(two_tables())
@settings(max_examples=60, deadline=None)
def test_match_finds_every_agreeing_pair_once_and_counts_them_before(pair):
    left, right = pair
    expected = [(i, j) for i, one in enumerate(tuples(left)) for j, other in enumerate(tuples(right)) if one == other]
    matches = match(left, right)
    mine, theirs = matches.pairs()
    assert matches.total == len(expected)
    assert list(zip(mine.tolist(), theirs.tolist(), strict=True)) == expected


@given(two_tables())
@settings(max_examples=60, deadline=None)
def test_find_gives_the_row_of_the_equal_fact_or_minus_one(pair):
    needles, table = pair
    table = np.unique(table, axis=0) if table.size else table[:1]
    places = {row: place for place, row in enumerate(tuples(table))}
    assert find(needles, table).tolist() == [places.get(row, -1) for row in tuples(needles)]


@pytest.mark.parametrize("largest", [4, 10_000])
def test_a_constant_that_nobody_knows_is_found_nowhere(largest):
    table = np.array([[0, largest], [1, 0], [0, 0]])
    needles = np.array([[1, -1], [-1, largest], [-1, 0], [0, -1], [-1, -1], [1, 0]])
    assert find(needles, table).tolist() == [-1, -1, -1, -1, -1, 1]


@given(one_table())
@settings(max_examples=60, deadline=None)
def test_group_lists_each_row_once_in_order_with_the_places_it_came_from(table):
    distinct, offsets, rows = group(table)
    originals = tuples(table)
    assert tuples(distinct) == sorted(set(originals))
    assert offsets[0] == 0
    assert offsets[-1] == len(rows) == len(table)
    for place, row in enumerate(tuples(distinct)):
        run = rows[offsets[place] : offsets[place + 1]].tolist()
        assert run == [at for at, original in enumerate(originals) if original == row]


@given(npst.arrays(np.int64, st.integers(0, 20), elements=st.integers(-3, 3)))
@settings(max_examples=30, deadline=None)
def test_sorted_unique_is_what_its_name_says(values):
    assert sorted_unique(values).tolist() == sorted(set(values.tolist()))


@given(st.lists(st.lists(st.integers(0, 9), max_size=3, unique=True), max_size=4))
@settings(max_examples=40, deadline=None)
def test_product_holds_every_combination_with_the_last_column_fastest(columns):
    table = product([np.array(column, dtype=np.int64) for column in columns])
    assert table.shape[1] == len(columns)
    assert tuples(table) == list(combinations(*columns))


def test_rows_without_columns_are_all_alike():
    empty = np.empty((3, 0), dtype=np.int64)
    assert match(empty, empty[:2]).total == 6
    assert find(empty, empty[:1]).tolist() == [0, 0, 0]
    assert find(empty, empty[:0]).tolist() == [-1, -1, -1]
    distinct, offsets, rows = group(empty)
    assert (len(distinct), offsets.tolist(), rows.tolist()) == (1, [0, 3], [0, 1, 2])


def test_many_wide_columns_do_not_make_different_rows_equal():
    rng = np.random.default_rng(0)
    table = rng.integers(0, WIDE, (200, 9))
    twin = table.copy()
    twin[:, 4] += 1
    assert (find(table, table) == np.arange(200)).all()
    assert (find(twin, table) == -1).all()
    assert Counter(find(np.concatenate([table, twin]), table).tolist())[-1] == 200


def test_a_sparse_and_a_dense_range_of_keys_match_alike():
    rng = np.random.default_rng(1)
    left, right = rng.integers(0, 50, (300, 2)), rng.integers(0, 50, (300, 2))
    stretched = [table * 10**6 for table in (left, right)]
    dense, sparse = match(left, right), match(*stretched)
    assert [pairs.tolist() for pairs in dense.pairs()] == [pairs.tolist() for pairs in sparse.pairs()]
