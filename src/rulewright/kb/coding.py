"""A knowledge base as named arrays and back, for run folders.

Names become one UTF-8 byte array with offsets, so a million of them load without parsing.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import RunFolderError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.vocabulary import Vocabulary

Arrays = dict[str, NDArray[Any]]


def kb_to_arrays(kb: KnowledgeBase) -> Arrays:
    """The facts as int64 tables, the truths where there are some, and the names."""
    arrays = names_to_arrays("constants", kb.constants) | names_to_arrays("predicates", kb.relations)
    for place, relation in enumerate(kb.relations.values()):
        arrays[f"facts.{place}"] = relation.facts
        if relation.truth is not None:
            arrays[f"truth.{place}"] = relation.truth
    return arrays


def kb_from_arrays(arrays: Mapping[str, NDArray[Any]]) -> KnowledgeBase:
    """The knowledge base behind `kb_to_arrays`; ids are checked, since the arrays may come from anyone."""
    try:
        constants = Vocabulary(names_from_arrays("constants", arrays))
        relations: dict[str, Relation] = {}
        for place, name in enumerate(names_from_arrays("predicates", arrays)):
            facts = arrays[f"facts.{place}"]
            if facts.ndim != 2 or facts.dtype != np.int64:
                raise ValueError(f"facts of {name} are not a table of ids")
            if facts.size and not (facts.min() >= 0 and facts.max() < len(constants)):
                raise ValueError(f"facts of {name} refer to unknown constants")
            relations[name] = Relation.of(facts, arrays.get(f"truth.{place}"), name)
    except (LookupError, TypeError, ValueError) as cause:
        raise RunFolderError(f"the stored facts are broken: {cause}") from cause
    return KnowledgeBase(constants, relations)


def names_to_arrays(kind: str, names: Iterable[str]) -> Arrays:
    """Names as their bytes one after the other, and where each ends."""
    try:
        encoded = [name.encode() for name in names]
    except UnicodeEncodeError as cause:
        raise RunFolderError(f"a name cannot be stored, it is not text: {cause.object!a}") from cause
    ends = np.cumsum([len(name) for name in encoded], dtype=np.int64)
    return {f"{kind}.bytes": np.frombuffer(b"".join(encoded), dtype=np.uint8), f"{kind}.ends": ends}


def names_from_arrays(kind: str, arrays: Mapping[str, NDArray[Any]]) -> list[str]:
    """The names behind `names_to_arrays`; that there are as many different ones as places is checked."""
    text, ends = arrays[f"{kind}.bytes"], arrays[f"{kind}.ends"]
    limits = np.concatenate([np.zeros(1, dtype=np.int64), ends])
    if text.dtype != np.uint8 or ends.dtype != np.int64 or limits[-1] != len(text) or (np.diff(limits) < 0).any():
        raise ValueError(f"the names of {kind} do not fill their bytes")
    data = text.tobytes()
    names = [data[start:end].decode() for start, end in pairwise(limits.tolist())]
    if len(set(names)) < len(names):
        raise ValueError(f"a name stands twice among the {kind}")
    return names
