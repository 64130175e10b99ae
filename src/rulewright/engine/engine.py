"""What every engine does: run one function over independent items, and hand over each outcome as it comes.

`work(shared, item)` computes one piece. `shared` is what every piece reads; an engine brings it to each place of work
once. What comes out may depend on nothing else, so the same items give the same results wherever they run.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Done(Generic[Item, Result]):
    """A piece of work that succeeded."""

    item: Item
    result: Result


@dataclass(frozen=True)
class Failed(Generic[Item]):
    """A piece of work that did not; the others go on."""

    item: Item
    cause: Exception


Outcomes = Generator[Done[Item, Result] | Failed[Item], None, None]


class Engine(Protocol):
    """A place where work runs."""

    def run(
        self, work: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]
    ) -> Outcomes[Item, Result]:
        """The outcome of every item, in the order in which they come; closing the generator stops the work."""
        ...


def attempt(work: Callable[[Shared, Item], Result], shared: Shared, item: Item) -> Done[Item, Result] | Failed[Item]:
    """Do one piece of work here."""
    try:
        return Done(item, work(shared, item))
    except Exception as cause:
        return Failed(item, cause)
