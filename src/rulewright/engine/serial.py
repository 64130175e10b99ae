"""One piece of work after the other in this process: for debugging, and as the measure of the other engines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulewright.engine.engine import Item, Outcomes, Result, Shared, attempt


@dataclass(frozen=True)
class Serial:
    """Runs work in the caller's own thread."""

    def run(
        self, work: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]
    ) -> Outcomes[Item, Result]:
        """See `Engine`; items are done in the order given."""
        for item in items:
            yield attempt(work, shared, item)
