import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import RunFolderError
from rulewright.kb.coding import kb_from_arrays, kb_to_arrays, names_from_arrays, names_to_arrays
from rulewright.kb.knowledge_base import KnowledgeBase

NAMES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), unique=True, max_size=8)


@given(NAMES)
def test_names_come_back(names):
    assert names_from_arrays("x", names_to_arrays("x", names)) == names


def test_a_knowledge_base_comes_back_with_ids_and_truths():
    kb = KnowledgeBase.of({"p": [("a", "b"), ("c", "é")], "q": [("a",)]}, {"q": [0.5]})
    again = kb_from_arrays(kb_to_arrays(kb))
    assert again.constants.names == kb.constants.names
    assert list(again.relations) == ["p", "q"]
    for name in kb.relations:
        assert again[name].facts.tolist() == kb[name].facts.tolist()
        assert again[name].truths.tolist() == kb[name].truths.tolist()
    assert again["p"].truth is None


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (b"ab", [1]),
        (b"ab", [3]),
        (b"ab", [2, 1]),
        (b"ab", [-1, 2]),
        (b"aa", [1, 2]),
        (b"\xff", [1]),
    ],
    ids=["too few", "too long", "backwards", "negative", "twice the same", "no text"],
)
def test_names_that_make_no_sense_are_told(text, ends):
    arrays = kb_to_arrays(KnowledgeBase.of({"p": [("a",)]}))
    arrays["constants.bytes"] = np.frombuffer(text, dtype=np.uint8)
    arrays["constants.ends"] = np.array(ends, dtype=np.int64)
    with pytest.raises(RunFolderError, match="the stored facts are broken"):
        kb_from_arrays(arrays)


def test_a_missing_table_is_told():
    arrays = kb_to_arrays(KnowledgeBase.of({"p": [("a",)]}))
    del arrays["facts.0"]
    with pytest.raises(RunFolderError):
        kb_from_arrays(arrays)


def test_a_name_that_is_no_text_is_told():
    with pytest.raises(RunFolderError, match="not text"):
        names_to_arrays("x", ["\udcff"])
