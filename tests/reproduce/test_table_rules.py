"""The seven rules of the paper are written with relations the data has, and looked up in what was learned."""

import os

import pytest

from rulewright.kb.datasets import load_dataset
from rulewright.paths.graph import INVERSE
from rulewright.reproduce.table_rules import RULES


@pytest.mark.data
@pytest.mark.skipif("RULEWRIGHT_DATA" not in os.environ, reason="RULEWRIGHT_DATA is not set")
def test_every_relation_of_the_seven_rules_is_in_the_data() -> None:
    known = set(load_dataset("FB15k-237").relations.names)
    assert len(RULES) == 7
    assert {name.removesuffix(INVERSE) for head, body in RULES for name in (head, *body)} <= known
