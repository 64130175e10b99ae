"""Facts from pandas and polars frames, and from anything else with `.columns` and `frame[column]`.

A cell becomes the name of a constant as `str` writes it, except that a whole float loses its fraction: 1.0 is named 1,
because frames turn integer ids into floats on the way. A missing value is an error.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import KnowledgeBaseError, nearest
from rulewright.kb.gathering import Gathering
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.vocabulary import constant_name, is_missing

TRUTH = "truth"


def from_frame(
    frame: Any, predicate: str | None = None, columns: Sequence[str] | None = None, truth: str | None = None
) -> KnowledgeBase:
    """A knowledge base from one frame: triples, or the facts of one predicate.

    predicate  the name of the predicate; None: the frame holds triples
    columns    the columns of the constants; for triples the head, the relation and the tail. None: all but the truth
    truth      the column of truth values; None: the last one if it is named truth and `columns` is not given

    >>> import pandas as pd
    >>> print(from_frame(pd.DataFrame({"parent": ["ann", "bob"], "child": ["bob", "cy"]}), predicate="parent"))
    knowledge base: 2 facts, 1 predicates, 3 constants
    """
    gathering = Gathering()
    gather_frame(frame, predicate, columns, truth, gathering)
    return gathering.knowledge_base("the frame")


def from_frames(frames: Mapping[str, Any]) -> KnowledgeBase:
    """A knowledge base from one frame per predicate; a last column named truth holds truth values."""
    gathering = Gathering()
    for predicate, frame in frames.items():
        gather_frame(frame, predicate, None, None, gathering)
    return gathering.knowledge_base("the mapping of frames")


def gather_frame(
    frame: Any, predicate: str | None, columns: Sequence[str] | None, truth: str | None, gathering: Gathering
) -> None:
    """Take the facts of one frame."""
    what = "the frame" if predicate is None else f"the frame of {predicate}"
    kind = type(frame)  # asking the class runs no property and meets no column of that name
    if not hasattr(kind, "columns") or not hasattr(kind, "__getitem__") or hasattr(kind, "collect"):
        advice = "; collect it first" if hasattr(kind, "collect") else ""
        raise KnowledgeBaseError(f"{what} is a {kind.__name__}, not a pandas or polars DataFrame{advice}")
    present = list(frame.columns)
    if truth is None and columns is None and len(present) > 1 and present[-1] == TRUTH:
        truth = TRUTH
    chosen = [column for column in present if column != truth] if columns is None else list(columns)
    for column in (*chosen, *([] if truth is None else [truth])):
        if column not in present:
            hint = nearest(str(column), list(map(str, present)))
            raise KnowledgeBaseError(f"{what} has no column {column!r}{hint}; it has {', '.join(map(str, present))}")
    if predicate is None and len(chosen) != 3:
        raise KnowledgeBaseError(
            f"a frame of triples has three columns, not {len(chosen)}: name them with columns=[head, relation, tail], "
            f"or pass predicate=... when every row is a fact of one predicate"
        )
    if not chosen:
        raise KnowledgeBaseError(f"{what} has no column of constants")
    cells = [names_in(frame, column, what) for column in chosen]
    truths = None if truth is None else truths_in(frame, truth, what)
    predicates = cells.pop(1) if predicate is None else [predicate] * len(cells[0])
    if predicates:
        names = [name for row in zip(*cells, strict=True) for name in row]
        gathering.add(predicates, names, len(cells), truths)


def names_in(frame: Any, column: str, what: str) -> list[str]:
    """The cells of a column as names."""
    cells = list(values_in(frame, column, what))
    try:
        return list(map(constant_name, cells))
    except KnowledgeBaseError:
        row = next(row for row, cell in enumerate(cells) if is_missing(cell))
        raise KnowledgeBaseError(
            f"{what} has no value in column {column!r}, row {row} (counted from 0): a fact needs every constant, "
            f"so drop the row or fill it"
        ) from None


def truths_in(frame: Any, column: str, what: str) -> NDArray[np.float32]:
    """The cells of a column as truth values."""
    cells = values_in(frame, column, what)
    try:
        truths = np.asarray(cells, dtype=np.float32)
    except (TypeError, ValueError) as mistake:
        raise KnowledgeBaseError(
            f"{what}: column {column!r} holds truths, but not only numbers: {mistake}"
        ) from mistake
    bad = np.flatnonzero(~((truths >= 0) & (truths <= 1)))
    if len(bad):
        raise KnowledgeBaseError(
            f"{what} has the truth {truths[bad[0]]} in row {bad[0]} (counted from 0), which is not in [0, 1]"
        )
    return truths


def values_in(frame: Any, column: str, what: str) -> NDArray[Any]:
    """The cells of a column."""
    series = frame[column]
    cells: NDArray[Any] = np.asarray(series.to_numpy() if hasattr(series, "to_numpy") else series)
    if cells.ndim != 1:
        raise KnowledgeBaseError(f"{what} has more than one column named {column!r}")
    return cells
