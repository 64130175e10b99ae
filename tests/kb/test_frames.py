from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.frames import from_frame, from_frames

BOTH = pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
Frame = Callable[[dict[str, Any]], Any]


@BOTH
def test_a_frame_of_triples_has_head_relation_and_tail(frame: Frame) -> None:
    kb = from_frame(frame({"h": ["ann", "bob"], "r": ["parent", "likes"], "t": ["bob", "cy"]}))
    assert kb.facts_of("parent") == [("ann", "bob")]
    assert kb.facts_of("likes") == [("bob", "cy")]
    assert kb["parent"].truth is None


@BOTH
def test_columns_of_triples_can_be_chosen(frame: Frame) -> None:
    data = frame({"weight": [0.5], "to": ["b"], "kind": ["r"], "from": ["a"]})
    kb = from_frame(data, columns=["from", "kind", "to"], truth="weight")
    assert kb.facts_of("r") == [("a", "b")]
    assert kb["r"].truths.tolist() == [0.5]


@BOTH
def test_a_frame_of_one_predicate_has_any_number_of_columns(frame: Frame) -> None:
    assert from_frame(frame({"x": ["a", "b"]}), predicate="tall").facts_of("tall") == [("a",), ("b",)]
    data = frame({"x": ["a"], "y": ["b"], "z": ["c"]})
    assert from_frame(data, predicate="gave").facts_of("gave") == [("a", "b", "c")]
    assert from_frame(data, predicate="p", columns=["z", "x"]).facts_of("p") == [("c", "a")]


@BOTH
def test_a_last_column_named_truth_holds_truth_values(frame: Frame) -> None:
    kb = from_frames({"p": frame({"x": ["a", "b"], "truth": [0.5, 1]}), "q": frame({"truth": ["a"], "x": ["b"]})})
    assert kb["p"].truths.tolist() == [0.5, 1]
    assert kb.facts_of("q") == [("a", "b")]


@BOTH
def test_a_column_named_truth_is_a_constant_when_chosen(frame: Frame) -> None:
    kb = from_frame(frame({"x": ["a"], "truth": ["b"]}), predicate="p", columns=["x", "truth"])
    assert kb.facts_of("p") == [("a", "b")]


@BOTH
def test_numbers_become_their_text_and_whole_floats_lose_their_fraction(frame: Frame) -> None:
    data = frame({"i": [1, 2], "f": [1.0, 2.5], "b": [True, False]})
    assert from_frame(data, predicate="p").facts_of("p") == [("1", "1", "True"), ("2", "2.5", "False")]


@BOTH
def test_repeated_rows_are_merged(frame: Frame) -> None:
    assert len(from_frame(frame({"x": ["a", "a"]}), predicate="p")) == 1


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["a", None]),
        pd.Series(["a", None], dtype=object),
        pd.Series(["a", None], dtype="category"),
        pd.Series([1, None]),
        pd.Series([1, None], dtype="Int64"),
        pd.Series(["2020-01-01", None], dtype="datetime64[ns]"),
        pl.Series(["a", None]),
        pl.Series([1, None]),
        pl.Series([1.0, float("nan")]),
    ],
)
def test_a_missing_value_is_an_error_that_names_column_and_row(column: Any) -> None:
    frame = pl.DataFrame({"x": column}) if isinstance(column, pl.Series) else pd.DataFrame({"x": column})
    with pytest.raises(
        KnowledgeBaseError, match=r"the frame of p has no value in column 'x', row 1 \(counted from 0\)"
    ):
        from_frame(frame, predicate="p")


def test_dates_and_categories_become_text() -> None:
    frame = pd.DataFrame({"d": pd.to_datetime(["2020-01-02"]), "c": pd.Categorical(["red"])})
    ((date, colour),) = from_frame(frame, predicate="p").facts_of("p")
    assert date.startswith("2020-01-02")
    assert colour == "red"


@BOTH
@pytest.mark.parametrize("truth", [2.0, -0.5, None, float("nan")])
def test_a_bad_truth_is_an_error_that_names_the_row(frame: Frame, truth: float | None) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"row 1 \(counted from 0\), which is not in \[0, 1\]"):
        from_frame(frame({"x": ["a", "b"], "truth": [1.0, truth]}), predicate="p")


@BOTH
def test_a_truth_that_is_no_number_is_an_error(frame: Frame) -> None:
    with pytest.raises(KnowledgeBaseError, match="holds truths, but not only numbers"):
        from_frame(frame({"x": ["a"], "truth": ["high"]}), predicate="p")


@BOTH
def test_an_unknown_column_is_an_error_with_the_nearest(frame: Frame) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"no column 'heads' \(did you mean head\?\); it has head, tail"):
        from_frame(frame({"head": ["a"], "tail": ["b"]}), predicate="p", columns=["heads"])
    with pytest.raises(KnowledgeBaseError, match="no column 'weight'"):
        from_frame(frame({"head": ["a"], "tail": ["b"]}), predicate="p", truth="weight")


@BOTH
def test_triples_need_three_columns(frame: Frame) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"three columns, not 2.*predicate="):
        from_frame(frame({"x": ["a"], "y": ["b"]}))


@BOTH
def test_a_frame_without_rows_or_columns_is_an_error(frame: Frame) -> None:
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        from_frame(frame({"x": []}), predicate="p")
    with pytest.raises(KnowledgeBaseError, match="no column of constants"):
        from_frame(frame({}), predicate="p")
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        from_frames({})


def test_one_predicate_of_two_arities_is_an_error() -> None:
    frame = pd.DataFrame({"h": ["a"], "r": ["p"], "t": ["b"]})
    assert from_frame(frame, columns=["h", "r", "h"]).facts_of("p") == [("a", "a")]


def test_two_columns_of_one_name_are_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="more than one column named 'x'"):
        from_frame(pd.DataFrame(np.array([["a", "b"]]), columns=["x", "x"]), predicate="p")


@pytest.mark.parametrize("thing", [[("a", "r", "b")], {"h": ["a"]}, "frame.csv", None])
def test_what_is_no_frame_is_an_error(thing: object) -> None:
    with pytest.raises(KnowledgeBaseError, match="not a pandas or polars DataFrame"):
        from_frame(thing)


def test_a_lazy_frame_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(KnowledgeBaseError, match="collect it first"):
        from_frame(pl.DataFrame({"x": ["a"]}).lazy(), predicate="p")


def test_anything_with_columns_and_items_is_a_frame() -> None:
    class Rows(dict[str, list[str]]):
        columns = ("h", "r", "t")

    assert from_frame(Rows(h=["a"], r=["p"], t=["b"])).facts_of("p") == [("a", "b")]
