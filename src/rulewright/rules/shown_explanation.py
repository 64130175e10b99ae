"""What explains a prediction to a reader: an explanation that is text where it is printed, and HTML in a notebook.

Apart from the data in `explanation`, which all that write explanations read.
"""

from rulewright.logic.markup import Shown, card, shown, title
from rulewright.rules.explanation import Explanation
from rulewright.rules.explanation_html import sections_html
from rulewright.rules.explanation_text import explanation_text, headline

SHOWN_PARTS = 10


class ShownExplanation(Explanation, Shown):
    """Why a fact scores as it does, to be read."""

    def __str__(self) -> str:
        return explanation_text(self, SHOWN_PARTS)

    def _repr_html_(self) -> str:
        """A card: the largest parts, the arithmetic, the candidates beside it and what would undo it."""
        return card(title(shown(headline(self))), sections_html(self, SHOWN_PARTS, "p"))
