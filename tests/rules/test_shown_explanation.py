"""An explanation is text where it is printed and a card in a notebook, from the same renderer as the page."""

import pytest
from IPython.lib.pretty import pretty
from tests.logic.well_formed import card
from tests.rules.explanations import EVIL, mixture, template

from rulewright.rules.explanation_html import explanation_page
from rulewright.rules.explanation_text import explanation_text
from rulewright.rules.shown_explanation import ShownExplanation


@pytest.mark.parametrize("made", [mixture(), template()])
def test_printed_it_is_the_text(made: ShownExplanation) -> None:
    assert str(made) == pretty(made) == explanation_text(made)


@pytest.mark.parametrize("made", [mixture(), template(), mixture(EVIL), template(EVIL)])
def test_the_card_says_what_the_page_says(made: ShownExplanation) -> None:
    card(made)
    inside = made._repr_html_().split("</style>")[1].splitlines()
    sections = [line for line in inside if line.startswith(("<tr>", "<ul>", "<p>"))]
    assert len(sections) >= 2
    page = explanation_page(made)
    assert all(line in page for line in sections)


def test_names_that_mean_harm_are_shown_as_they_are() -> None:
    assert "<script>alert(1)</script>" in card(mixture(EVIL)).text
