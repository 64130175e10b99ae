"""Which sets of a leaf's predicates reach which value together."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from rulewright.rules.alternatives import NEARLY

Members = tuple[int, ...]


def joint_choices(
    weights: Sequence[float], settle: Callable[[Tensor], Tensor], need: float, most: int
) -> tuple[list[Members], bool]:
    """At most so many sets of two or more weighted predicates that may reach the need, and whether there are no others.

    Smaller sets come first, of those that are too many the heaviest. A set grows by lighter predicates only, as long as
    its value is below 1 and with everything lighter it could reach the need; so in a leaf that has made up its mind
    there are none.
    """
    ranked = sorted((member for member, weight in enumerate(weights) if weight > 0), key=lambda m: (-weights[m], m))
    lighter = [sum(weights[m] for m in ranked[place + 1 :]) for place in range(len(ranked))]
    found: list[Members] = []
    growing: list[tuple[Members, float]] = [((place,), weights[member]) for place, member in enumerate(ranked)]
    while growing:
        now = settle(torch.tensor([total for _, total in growing])).tolist()
        ever = settle(torch.tensor([total + lighter[places[-1]] for places, total in growing])).tolist()
        grown = [
            ((*places, place), total + weights[ranked[place]])
            for (places, total), value, bound in zip(growing, now, ever, strict=True)
            if value < 1 and bound >= need - NEARLY
            for place in range(places[-1] + 1, len(ranked))
        ]
        if len(found) + len(grown) > most:
            heaviest = sorted(grown, key=lambda entry: -entry[1])[: most - len(found)]
            return found + [tuple(ranked[place] for place in places) for places, _ in heaviest], False
        found += [tuple(ranked[place] for place in places) for places, _ in grown]
        growing = grown
    return found, True
