import numpy as np
import pytest
from IPython.lib.pretty import pretty
from tests.logic.well_formed import EVIL, card

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.vocabulary import Vocabulary


@pytest.fixture
def family() -> KnowledgeBase:
    return KnowledgeBase.of(
        {"parent": [("ann", "bob"), ("bob", "cy")], "tall": [("cy",)], "gave": [("ann", "cy", "dog")]},
        truth={"parent": [1, 0.5]},
    )


def test_facts_come_back_by_name(family: KnowledgeBase) -> None:
    assert family.facts_of("parent") == [("ann", "bob"), ("bob", "cy")]
    assert family.facts_of("tall") == [("cy",)]
    assert family["parent"].truths.tolist() == [1, 0.5]
    assert family["tall"].truth is None


def test_sizes_are_counted(family: KnowledgeBase) -> None:
    assert len(family) == 4
    assert family.arities == {"parent": 2, "tall": 1, "gave": 3}
    assert str(family) == "knowledge base: 4 facts, 3 predicates, 4 constants"


def test_encoding_and_decoding_are_each_others_inverse(family: KnowledgeBase) -> None:
    rows = family.encode([("cy", "ann"), ("dog", "bob")])
    assert rows.dtype == np.int64
    assert family.decode(rows) == [("cy", "ann"), ("dog", "bob")]


def test_an_unknown_name_is_encoded_as_minus_one(family: KnowledgeBase) -> None:
    assert family.encode([("ann", "zoe")]).tolist() == [[0, -1]]
    assert family.encode([]).shape[0] == 0


def test_facts_of_different_lengths_cannot_be_encoded_together(family: KnowledgeBase) -> None:
    with pytest.raises(KnowledgeBaseError, match="different numbers"):
        family.encode([("ann",), ("ann", "bob")])


def test_the_inverse_mark_reads_binary_facts_backwards(family: KnowledgeBase) -> None:
    assert family.facts_of("parent^-1") == [("bob", "ann"), ("cy", "bob")]
    assert family["parent^-1"].truths.tolist() == [1, 0.5]


def test_what_can_be_asked_for_is_in_the_knowledge_base(family: KnowledgeBase) -> None:
    assert "parent" in family
    assert "parent^-1" in family
    assert "tall^-1" not in family
    assert "child" not in family
    assert 3 not in family


@pytest.mark.parametrize("name", ["parnt", "tall^-1", "parent^-1^-1"])
def test_an_unknown_predicate_is_an_error(family: KnowledgeBase, name: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="unknown predicate"):
        family[name]


def test_a_misspelt_predicate_is_answered_with_the_nearest(family: KnowledgeBase) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"did you mean parent\?"):
        family["parnt"]


def test_inverses_stand_beside_binary_relations_only(family: KnowledgeBase) -> None:
    both = family.with_inverses()
    assert set(both.relations) == {"parent", "tall", "gave", "parent^-1"}
    assert both.facts_of("parent^-1") == [("bob", "ann"), ("cy", "bob")]
    assert set(both.with_inverses().relations) == set(both.relations)


def test_given_facts_of_an_inverse_are_not_overwritten() -> None:
    kb = KnowledgeBase.of({"p": [("a", "b")], "p^-1": [("c", "d")]}).with_inverses()
    assert kb.facts_of("p^-1") == [("c", "d")]


def test_predicates_can_be_left_out_and_added(family: KnowledgeBase) -> None:
    assert set(family.without("parent", "gave").relations) == {"tall"}
    added = family.with_relation("short", Relation.of(family.encode([("ann",)])))
    assert added.facts_of("short") == [("ann",)]
    assert "short" not in family


def test_a_given_vocabulary_is_used_and_extended() -> None:
    vocabulary = Vocabulary(["zoe"])
    kb = KnowledgeBase.of({"p": [("ann", "zoe")]}, constants=vocabulary)
    assert kb.constants is vocabulary
    assert kb["p"].facts.tolist() == [[1, 0]]


def test_numbers_are_named_by_their_text() -> None:
    assert KnowledgeBase.of({"p": [(1, 2.5), (1.0, "x")]}).facts_of("p") == [("1", "2.5"), ("1", "x")]


def test_a_predicate_without_facts_is_left_out() -> None:
    assert set(KnowledgeBase.of({"p": [("a",)], "q": []}).relations) == {"p"}


@pytest.mark.parametrize("facts", [{}, {"p": []}])
def test_no_fact_at_all_is_an_error(facts: dict[str, list[tuple[str, ...]]]) -> None:
    with pytest.raises(KnowledgeBaseError, match="no facts"):
        KnowledgeBase.of(facts)


def test_one_predicate_with_two_arities_is_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="predicate p has facts with 1 and 2 arguments"):
        KnowledgeBase.of({"p": [("a", "b"), ("a",)]})


@pytest.mark.parametrize("fact", ["ann", 3])
def test_a_fact_that_is_no_tuple_is_an_error_that_shows_how_to_write_it(fact: object) -> None:
    with pytest.raises(KnowledgeBaseError, match=rf"predicate p: .* is written \({fact!r},\)"):
        KnowledgeBase.of({"p": [fact]})  # type: ignore[list-item]


def test_a_fact_without_arguments_is_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match="at least one column"):
        KnowledgeBase.of({"p": [()]})


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_constant_is_an_error(missing: object) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"predicate p: .* missing value"):
        KnowledgeBase.of({"p": [("ann", missing)]})


def test_truths_must_match_the_facts() -> None:
    with pytest.raises(KnowledgeBaseError, match="1 facts but 2 truth values"):
        KnowledgeBase.of({"p": [("a",)]}, truth={"p": [1, 1]})


def test_truths_of_an_unknown_predicate_are_an_error() -> None:
    with pytest.raises(KnowledgeBaseError, match=r"which has no facts \(did you mean parent\?\)"):
        KnowledgeBase.of({"parent": [("a",)]}, truth={"parents": [1]})


def test_a_notebook_shows_its_predicates_the_largest_first(family: KnowledgeBase) -> None:
    assert card(family).text.split("predicate")[-1].split() == ["22parent", "11tall", "13gave"]
    assert pretty(family) == str(family)


def test_a_notebook_shows_hostile_names_as_they_are_and_counts_what_it_leaves_out() -> None:
    many = {EVIL: [("a",), ("b",)]} | {f"p{number}": [("a",)] for number in range(40)}
    text = card(KnowledgeBase.of(many)).text
    assert "<script>alert(1)</script>" in text
    assert "21 predicates with fewer facts not shown." in text
