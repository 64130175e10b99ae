"""Training rows hold the truths of the base predicates at a query's answers and at its rivals."""

import numpy as np
import pytest
from numpy.typing import NDArray

from rulewright.completion.constants import no_rules
from rulewright.completion.mixture import Profiles, answer_tables, head_tables
from rulewright.completion.rows import MOST_ANSWERS, Rows, choose_rivals, collect_rows, rows_of
from rulewright.paths.graph import Graph, build_graph
from rulewright.paths.walk import new_work

N, RELATIONS = 8, 4
PATHS = np.array([[2, -1], [2, 2]], np.int32)
KNOWN = np.array([[0, 1, 1], [0, 1, 2], [1, 1, 3], [0, 0, 1], [0, 0, 4]])  # relation 0 is asked for, 1 is read


def graph_without(hidden: list[list[int]]) -> Graph:
    return build_graph(np.array([row for row in KNOWN.tolist() if row not in hidden]), N, 2)


def rows(
    graph: Graph, heads: list[int], answers: list[list[int]], capacity: int = 10_000, use_answer: bool = False
) -> Rows:
    """The rows of queries of relation 0, with truths of 0 or 1 and only convincing rivals."""
    known = build_graph(KNOWN, N, 2)
    profiles = Profiles.of(graph)
    empty = (np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))
    profile = (profiles.starts, profiles.relations, profiles.degree) if use_answer else empty
    guess = np.array([1, 1, 0, 0, 0, 0], np.float32)
    starts = np.cumsum([0, *map(len, answers)])
    flat = np.array([a for each in answers for a in each], np.int64)
    pool = np.array([1, 4], np.int32)
    return rows_of(
        collect_rows(
            graph.start, graph.tails, graph.chance, N, RELATIONS, 0, known.start, known.tails, np.array(heads), starts,
            flat, PATHS, 0.0, 1 << 30, guess, answer_tables(no_rules()), head_tables(no_rules()), pool, 5, 3, True,
            profile, new_work(2, N), capacity, 0,
        )
    )  # fmt: skip


def as_sets(found: Rows) -> list[set[int]]:
    return [set(found.column[a:b].tolist()) for a, b in zip(found.starts, found.starts[1:], strict=False)]


def test_answers_come_first_then_rivals_that_no_fact_calls_true() -> None:
    """For head 0 with answer 1 hidden: entity 4 is a known answer, so the rivals are 2 and 3, which paths reach."""
    found = rows(graph_without([[0, 0, 1]]), [0], [[1]])
    assert found.query_starts.tolist() == [0, 3]
    assert found.positives.tolist() == [1]
    # Columns: two paths, four columns, then the direct literals from 6 on; 0 -1-> 1 is the directed relation 2.
    assert as_sets(found) == [{0, 6 + 2}, {0, 6 + 2}, {1}]
    assert (found.value == 1).all()


def test_no_row_reads_the_hidden_fact() -> None:
    found = rows(graph_without([[0, 0, 1]]), [0], [[1]])
    assert not {6 + 0, 6 + 1} & as_sets(found)[0]
    leaky = rows(build_graph(KNOWN, N, 2), [0], [[1]])
    assert 6 + 0 in as_sets(leaky)[0]


def test_answer_literals_come_with_what_a_path_reaches() -> None:
    graph = graph_without([[0, 0, 1]])
    first = as_sets(rows(graph, [0], [[1]], use_answer=True))[0]
    profile = {10 + relation for relation in range(RELATIONS) if len(graph.tails_of(1, relation))}
    assert profile == {10 + 2, 10 + 3}
    assert first == {0, 6 + 2, *profile, 14}


def test_a_query_without_a_rival_makes_no_row_and_spoils_none() -> None:
    graph = graph_without([[0, 0, 1]])
    alone = rows(graph, [5], [[1]])
    assert len(alone.positives) in (0, 1)  # a random past answer may be its only rival
    both = rows(graph, [0, 0], [[1], [1]])
    assert as_sets(both)[:3] == as_sets(both)[3:]


def test_rows_stop_before_the_room_is_full() -> None:
    graph = graph_without([[0, 0, 1]])
    assert len(rows(graph, [0] * 9, [[1]] * 9).positives) == 9
    some = rows(graph, [0] * 9, [[1]] * 9, capacity=60)
    assert 0 < len(some.positives) < 9
    assert some.starts[-1] == len(some.column) <= 60
    assert len(rows(graph, [0], [[1]], capacity=1).positives) == 0


def chosen_rivals(scores: list[float], barred: list[int], hard: int, easy: int, pool: list[int]) -> list[int]:
    closed: NDArray[np.bool_] = np.zeros(len(scores), np.bool_)
    closed[barred] = True
    chosen = np.full(MOST_ANSWERS + hard + easy, -1, np.int32)
    count = choose_rivals(np.array(scores, np.float32), closed, np.array(pool, np.int32), hard, easy, chosen, 0)
    return chosen[:count].tolist()


@pytest.mark.parametrize(
    ("barred", "hard", "expected"),
    [([], 2, {2, 4}), ([4], 2, {2, 3}), ([], 9, {1, 2, 3, 4}), ([1, 2, 3, 4], 3, set()), ([], 0, set())],
)
def test_the_hard_rivals_are_the_best_scored_that_are_not_barred(
    barred: list[int], hard: int, expected: set[int]
) -> None:
    assert set(chosen_rivals([0, 0.1, 0.8, 0.5, 0.9], barred, hard, 0, [0])) == expected


def test_equal_scores_do_not_crowd_out_the_best_one() -> None:
    found = chosen_rivals([0.5, 0.5, 0.5, 0.9], [], 2, 0, [0])
    assert len(found) == 2
    assert 3 in found


def test_easy_rivals_are_past_answers_and_each_rival_comes_once() -> None:
    found = chosen_rivals([0, 0, 0, 0, 1.0], [3], 2, 50, [0, 1, 3, 4])
    assert sorted(found) == [0, 1, 4]
