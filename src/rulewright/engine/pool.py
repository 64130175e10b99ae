"""A pool of threads in this process: they share the facts, and all cores where the work lets go of Python's lock."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from rulewright.engine.engine import Item, Outcomes, Result, Shared, attempt
from rulewright.errors import OptionError


@dataclass(frozen=True)
class Pool:
    """Runs work on so many threads; None takes all cores."""

    threads: int | None = None

    def __post_init__(self) -> None:
        if self.threads is not None and self.threads < 1:
            raise OptionError(f"threads must be at least 1, not {self.threads}")

    def run(
        self, work: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]
    ) -> Outcomes[Item, Result]:
        """See `Engine`; items are begun in the order given."""
        if not items:
            return
        pool = ThreadPoolExecutor(min(self.threads or os.cpu_count() or 1, len(items)))
        running = [pool.submit(attempt, work, shared, item) for item in items]
        try:
            for outcome in as_completed(running):
                yield outcome.result()
        finally:  # whoever interrupts does not wait for what is being done: nobody asks for its outcome
            pool.shutdown(wait=False, cancel_futures=True)
