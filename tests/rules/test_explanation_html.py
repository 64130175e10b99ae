"""The page is complete in itself, well formed, and no name in it becomes markup."""

import pytest
from tests.logic.well_formed import read
from tests.rules.explanations import EVIL, mixture, template

from rulewright.rules.explanation import Explanation
from rulewright.rules.explanation_html import explanation_html, explanation_page


@pytest.mark.parametrize("made", [mixture(), template(), mixture(EVIL), template(EVIL)])
def test_a_page_is_well_formed_and_holds_neither_scripts_nor_addresses(made: Explanation) -> None:
    found = read(explanation_page(made))
    assert found.attributes <= {"class", "lang", "charset", "name", "content"}
    assert {"h1", "h2", "table"} <= found.tags


def test_the_names_are_shown_as_they_are() -> None:
    assert "<script>alert(1)</script>" in read(explanation_html(mixture(EVIL))).text


def test_a_fragment_says_what_the_text_says() -> None:
    fragment = explanation_html(mixture(), top=1)
    for words in ("1.250", "the score", "1 smaller part", "6 more ways", "all other differences", "were not a fact"):
        assert words in fragment
    assert "from the facts up" in explanation_html(template())
