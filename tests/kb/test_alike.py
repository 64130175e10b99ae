import pytest

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.alike import under_predicates_of
from rulewright.kb.knowledge_base import KnowledgeBase

KNOWN = KnowledgeBase.of({"p": [("a", "b")], "q": [("a",)]})


def test_predicates_that_are_not_there_have_no_facts():
    other, missing = under_predicates_of(KNOWN, KnowledgeBase.of({"p": [("c", "d")], "r": [("c",)]}))
    assert missing == ("q",)
    assert other.facts_of("p") == [("c", "d")]
    assert other.facts_of("q") == []
    assert other["q"].arity == 1
    assert other.facts_of("r") == [("c",)]


def test_a_predicate_with_other_arguments_is_told():
    with pytest.raises(KnowledgeBaseError, match="p has 3 arguments here, and 2"):
        under_predicates_of(KNOWN, KnowledgeBase.of({"p": [("a", "b", "c")]}))
