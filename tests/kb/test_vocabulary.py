import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.vocabulary import Vocabulary, constant_name, number


def test_ids_count_from_zero_in_order_of_first_sight() -> None:
    vocabulary = Vocabulary(["bob", "ann", "bob"])
    assert vocabulary.names == ["bob", "ann"]
    assert vocabulary.add("cy") == 2
    assert vocabulary.add("ann") == 1
    assert vocabulary.names == ["bob", "ann", "cy"]
    assert list(vocabulary) == ["bob", "ann", "cy"]
    assert len(vocabulary) == 3


@settings(deadline=None)
@given(st.lists(st.text(max_size=2)), st.lists(st.text(max_size=2)))
def test_adding_many_names_is_adding_them_one_by_one(first: list[str], second: list[str]) -> None:
    together, singly = Vocabulary(first), Vocabulary()
    for name in first:
        singly.add(name)
    assert together.add_all(iter(second)).tolist() == [singly.add(name) for name in second]
    assert together.names == singly.names


def test_an_unknown_name_has_no_id_and_asking_does_not_add_it() -> None:
    vocabulary = Vocabulary(["ann"])
    assert vocabulary.id("bob") is None
    assert "bob" not in vocabulary
    assert len(vocabulary) == 1
    assert vocabulary.id("ann") == 0
    assert vocabulary.name(0) == "ann"


def test_a_vocabulary_still_grows_after_an_error_among_the_names() -> None:
    vocabulary = Vocabulary(["ann"])
    with pytest.raises(TypeError):
        vocabulary.add_all(["bob", []])  # type: ignore[list-item]
    assert vocabulary.add("cy") == 2
    assert vocabulary.id("dan") is None


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_copy_has_the_same_ids(copied) -> None:  # type: ignore[no-untyped-def]
    vocabulary = copied(Vocabulary(["bob", "ann"]))
    assert vocabulary.names == ["bob", "ann"]
    assert vocabulary.add("cy") == 2


def test_numbers_come_before_words_and_in_order_of_value() -> None:
    vocabulary = Vocabulary(["b", "10", "-1", "a", "9.5", "1e1"])
    assert vocabulary.order().tolist() == [4, 2, 0, 3, 1, 2]


def test_two_spellings_of_one_number_are_not_less_than_each_other() -> None:
    ranks = Vocabulary(["1", "1.0", "01", "+1", "2"]).order()
    assert ranks.tolist() == [0, 0, 0, 0, 1]


def test_long_whole_numbers_keep_their_order() -> None:
    ranks = Vocabulary(["9007199254740993", "9007199254740992"]).order()
    assert ranks.tolist() == [1, 0]


@pytest.mark.parametrize(
    "name", ["1_2", "1e400", "nan", "inf", " 1", "1\n", "٣", "", "-", ".", "1e", "0x1", "9" * 5000]
)
def test_what_does_not_spell_a_finite_number_is_a_word(name: str) -> None:
    assert number(name) is None


@pytest.mark.parametrize(("name", "value"), [("1", 1), ("-2.5", -2.5), (".5", 0.5), ("5.", 5.0), ("1e-3", 0.001)])
def test_a_number_has_its_value(name: str, value: float) -> None:
    assert number(name) == value


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("ann", "ann"),
        (np.str_("ann"), "ann"),
        (1, "1"),
        (np.int32(1), "1"),
        (1.0, "1"),
        (-0.0, "0"),
        (np.float32(2.0), "2"),
        (0.1, "0.1"),
        (np.float32(0.1), "0.1"),
        (1e300, "1e+300"),
        (True, "True"),
        ((0, 1), "(0, 1)"),
    ],
)
def test_a_value_gets_the_name_that_a_reader_would_write(value: object, name: str) -> None:
    assert constant_name(value) == name
    assert type(constant_name(value)) is str


@pytest.mark.parametrize("value", [None, float("nan"), np.float32("nan"), np.datetime64("NaT")])
def test_a_missing_value_is_no_constant(value: object) -> None:
    with pytest.raises(KnowledgeBaseError, match="missing"):
        constant_name(value)
