"""Names from data: as they are shown, and found by someone who is still typing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.logic.harmless import harmless
from rulewright.paths.graph import INVERSE

SUGGESTED = 12
LONGEST = 160  # characters of a name that are shown; the rest would bury the page
ENDING = 30  # of these behind the gap
BRIEF = 40  # characters of a path such as /film/film/genre where it stands among others


def shown(name: str, longest: int = LONGEST) -> str:
    """A name for the eye: nothing in it hides or turns the text around it, and it ends somewhere."""
    if len(name) > longest:
        name = f"{name[: longest - ENDING]}…{name[-ENDING:]}"
    return harmless(name).replace("\n", "\\n") or "(empty name)"


def brief(name: str) -> str:
    """The end of a long path, which tells it from others; its page and its title hold the whole.

    >>> brief("/award/award_nominee/award_nominations./award/award_nomination/award_nominee")
    '…/award_nomination/award_nominee'
    """
    if len(name) <= BRIEF:
        return name
    found = re.search(rf"/(?=[^/]).{{1,{BRIEF - 6}}}\Z", name)
    return name if found is None else f"…{found.group()}"


def brief_rule(rule: str) -> str:
    """A rule's text with its long paths, which stand in quotes, made brief."""
    return re.sub(r"'([^'\\]+)'", lambda match: f"'{brief(match.group(1))}'", rule)


@dataclass(frozen=True)
class Names:
    """Names by number, and the same without regard to case."""

    names: Sequence[str]
    folded: Sequence[str]

    @staticmethod
    def of(names: Sequence[str]) -> "Names":
        """Names as the run counts them."""
        return Names(names, [name.casefold() for name in names])

    @staticmethod
    def directed(names: Sequence[str]) -> "Names":
        """Both directions of relations."""
        return Names.of([name + mark for name in names for mark in ("", INVERSE)])

    def suggested(self, part: str, limit: int = SUGGESTED) -> list[int]:
        """Numbers of names that hold the part: those that begin with it first, then those with a word that does."""
        wanted = part.casefold()
        found = [number for number, name in enumerate(self.folded) if wanted in name]
        return sorted(found, key=lambda number: (rank(self.folded[number], wanted), number))[:limit]

    def holding(self, word: str) -> NDArray[np.bool_]:
        """For each name whether it holds the word."""
        wanted = word.casefold()
        return np.fromiter((wanted in name for name in self.folded), bool, len(self.folded))


def rank(name: str, part: str) -> int:
    """0 for a name that begins with the part, 1 for one with a word that does, 2 for any other that holds it."""
    at = name.find(part)
    if at <= 0:
        return 0
    return 1 if not name[at - 1].isalnum() else 2
