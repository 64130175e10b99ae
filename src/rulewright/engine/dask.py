"""A Dask cluster: processes on this machine, or workers anywhere behind a scheduler's address.

The shared value is scattered to all workers once; afterwards only items go out and results come back. What a dead
worker was doing, Dask repeats on another. Should all copies of the shared value die, it is scattered again. Work that
dies with its workers again and again is at last tried by itself, so that a piece that kills takes no others with it.

Work, shared value and results travel in Dask's own protocol, which uses pickle between processes that trust each other;
none of our files does.
"""

import logging
import platform
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any
from uuid import uuid4

from rulewright.engine.engine import Done, Failed, Item, Outcomes, Result, Shared
from rulewright.errors import EngineError, MissingExtraError, OptionError

TOGETHER, ALONE = 2, 2  # how often pieces lost with their workers are tried: all side by side, then each by itself
SCATTERINGS = 5  # how often the facts are sent to workers that die meanwhile
DEADLY = (
    "its worker process died each time it was tried; most often that is for want of memory: give the workers more, or "
    "run fewer on a machine"
)
# Short of memory, Dask would write the facts to disk, for every piece to read them and build its graphs again; a little
# later it would give a worker no more work, for as long as the graphs are there. One that takes too much is to end.
NO_HALF_MEASURES = {f"distributed.worker.memory.{step}": False for step in ("target", "spill", "pause")}
LIBRARIES = ("rulewright", "numpy", "numba")  # what results depend on


@dataclass(frozen=True)
class Dask:
    """Runs work on a Dask cluster.

    address  of a scheduler that runs already; None starts a cluster of processes on this machine for as long as the
             work takes
    workers  processes to start; None starts one for each core
    memory   of one started process at most, as in "2GB"; one that would take more is ended. None shares out what there
             is. The workers behind an address have the limit they were started with
    patience seconds to wait for the scheduler, and for workers while there are none
    """

    address: str | None = None
    workers: int | None = None
    memory: str | None = None
    patience: float = 60.0

    def __post_init__(self) -> None:
        dask("distributed")
        if self.address is not None and (self.workers is not None or self.memory is not None):
            raise OptionError(
                "the number and the memory of the workers behind an address are settled where they are started "
                "(`dask worker --memory-limit 4GB`); leave them out here, or leave out the address"
            )
        if self.workers is not None and self.workers < 1:
            raise OptionError(f"workers must be at least 1, not {self.workers}")
        if self.memory is not None and not bytes_of(self.memory) > 0:
            raise OptionError(f"the memory of a worker must be a size such as 2GB or 512MiB, not {self.memory!r}")

    def run(
        self, work: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]
    ) -> Outcomes[Item, Result]:
        """See `Engine`; items are begun in the order given, as far as the scheduler keeps to it."""
        if not items:
            return
        with self.client() as client:
            left = list(range(len(items)))
            for _ in range(TOGETHER):
                if left:
                    left = yield from self.round(client, work, shared, items, left)
            for place in left:
                lost = [place]
                for _ in range(ALONE):
                    if lost:
                        lost = yield from self.round(client, work, shared, items, lost)
                if lost:
                    yield Failed(items[place], EngineError(DEADLY))

    def round(
        self,
        client: Any,
        work: Callable[[Shared, Item], Result],
        shared: Shared,
        items: Sequence[Item],
        places: list[int],
    ) -> Generator[Done[Item, Result] | Failed[Item], None, list[int]]:
        """Scatter, submit, collect. Returns the places of the items that were lost with their workers."""
        scattered = self.scatter(client, shared)
        name = f"{getattr(work, '__name__', 'work')}-{uuid4().hex}"
        running = {client.submit(work, scattered, items[n], key=(name, n), pure=False): n for n in places}
        lost = []
        try:
            for future in dask("distributed").as_completed(list(running)):
                place = running.pop(future)
                outcome = outcome_of(future, items[place])
                if outcome is None:
                    lost.append(place)
                else:
                    yield outcome
            if lost and client.status != "running":
                raise EngineError(
                    f"the connection to the scheduler {self.place} broke while {len(lost)} pieces were left"
                )
        finally:
            if client.status == "running":
                client.cancel([*running, scattered], force=True)
        return lost

    @property
    def place(self) -> str:
        """Where the cluster is, for messages."""
        return "on this machine" if self.address is None else f"at {self.address}"

    @contextmanager
    def client(self) -> Iterator[Any]:
        """A connection to the cluster, which is started where there is no address."""
        distributed = dask("distributed")
        with ExitStack() as open_things:
            # What breaks on the way is told by our own errors; Dask would print tracebacks of its own beside them.
            open_things.enter_context(dask("distributed.utils").silence_logging_cmgr(logging.CRITICAL))
            try:
                if self.address is None:
                    open_things.enter_context(dask("dask.config").set(NO_HALF_MEASURES))
                    where = open_things.enter_context(self.local_cluster())
                else:
                    where = self.address
                client = open_things.enter_context(distributed.Client(where, timeout=self.patience))
            except (OSError, ValueError) as cause:
                raise EngineError(
                    f"no scheduler answers {self.place}: {cause}. Start one with `dask scheduler`, and give the "
                    f"address it prints, such as tcp://10.0.0.1:8786"
                ) from cause
            self.await_workers(client)
            compare_versions(client)
            yield client

    def local_cluster(self) -> Any:
        """Processes on this machine, with one thread each and a bound on their memory."""
        return dask("distributed").LocalCluster(
            n_workers=self.workers,
            threads_per_worker=1,
            processes=True,
            memory_limit="auto" if self.memory is None else bytes_of(self.memory),
            dashboard_address="127.0.0.1:0",  # any free port, and for this machine alone
            silence_logs=logging.CRITICAL,
        )

    def scatter(self, client: Any, shared: object) -> Any:
        """Send a value to all workers there are."""
        for _ in range(SCATTERINGS):
            self.await_workers(client)
            try:
                return client.scatter(shared, broadcast=True, hash=False)
            except (OSError, TimeoutError):
                time.sleep(1)  # they have just died: what replaces them takes a moment
        raise EngineError(f"the workers of the scheduler {self.place} die before the facts reach them")

    def await_workers(self, client: Any) -> None:
        """Wait until there is a worker."""
        try:
            client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError as cause:
            raise EngineError(
                f"no worker joined the scheduler {self.place} within {self.patience:g} seconds; start some with "
                f"`dask worker {self.address or 'ADDRESS'}`"
            ) from cause


def outcome_of(future: Any, item: Item) -> Done[Item, Any] | Failed[Item] | None:
    """What became of an item; None where its worker died once too often, or its result or its input died with one."""
    distributed = dask("distributed")
    try:
        return Done(item, future.result())
    except (CancelledError, distributed.KilledWorker):
        return None
    except Exception as cause:
        return Failed(item, cause)


def compare_versions(client: Any) -> None:
    """An error where a worker would compute with other code than we do."""
    ours = versions()
    for worker, theirs in client.run(versions, on_error="return").items():
        if isinstance(theirs, OSError):
            continue  # it has just died; what replaces it comes from the same installation
        if isinstance(theirs, Exception):
            raise EngineError(f"the worker {worker} cannot work for Rulewright ({theirs}): is it installed there?")
        differing = [f"{name} {theirs[name]} (here {ours[name]})" for name in ours if theirs[name] != ours[name]]
        if differing:
            raise EngineError(
                f"the worker {worker} has {', '.join(differing)}: results could differ. Install the same versions "
                f"everywhere"
            )


def versions() -> dict[str, str]:
    """The versions that results depend on, asked of every worker."""
    return {"python": ".".join(platform.python_version_tuple()[:2])} | {name: version(name) for name in LIBRARIES}


def dask(module: str) -> Any:
    """A module of Dask's. It is loaded when asked for: that takes a second, which no other command should wait."""
    try:
        return import_module(module)
    except ImportError as cause:
        raise MissingExtraError("the engine dask", "dask") from cause


def bytes_of(size: str) -> int:
    """The number of bytes that a size such as 2GB spells; 0 for what spells none."""
    try:
        return int(dask("dask.utils").parse_bytes(size))
    except ValueError:
        return 0
