"""The page is complete in itself, well formed, and no name in it becomes markup."""

from html.parser import HTMLParser

import pytest
from tests.rules.explanations import EVIL, mixture, template

from rulewright.rules.explanation import Explanation
from rulewright.rules.explanation_html import explanation_html, explanation_page

VOID = {"meta"}


class Checker(HTMLParser):
    """Collects what a page holds, and that its tags close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("made", [mixture(), template(), mixture(EVIL), template(EVIL)])
def test_a_page_is_well_formed_and_holds_neither_scripts_nor_addresses(made: Explanation) -> None:
    page = explanation_page(made)
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert not checker.open
    assert "script" not in checker.tags
    assert checker.attributes <= {"class", "lang", "charset", "name", "content"}
    assert "://" not in page
    assert not any(ord(c) < 32 and c != "\n" for c in page)
    assert "\u202e" not in page


def test_the_names_are_shown_as_they_are() -> None:
    checker = Checker()
    checker.feed(explanation_html(mixture(EVIL)))
    assert "<script>alert(1)</script>" in checker.text


def test_a_fragment_says_what_the_text_says() -> None:
    fragment = explanation_html(mixture(), top=1)
    for words in ("1.250", "the score", "1 smaller part", "6 more ways", "all other differences", "were not a fact"):
        assert words in fragment
    assert "from the facts up" in explanation_html(template())
