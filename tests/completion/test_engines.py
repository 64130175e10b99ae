"""The same seed gives the same rules, bit for bit, wherever they are learned, and whatever dies meanwhile."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from tests.completion.test_complete import same
from tests.completion.toys import dataset_of, families, quick, random_pairs

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.evaluate import evaluate
from rulewright.completion.model import CompletionModel
from rulewright.completion.unfinished import unfinished_run
from rulewright.engine.dask import Dask
from rulewright.engine.engine import Engine
from rulewright.engine.pool import Pool
from rulewright.engine.serial import Serial
from rulewright.errors import EngineError, OptionError

distributed = pytest.importorskip("distributed")
TRIPLES = [*families(6), *(fact for n in range(10) for fact in random_pairs(f"noise{n}", 20, 60, n))]
DATASET = dataset_of(TRIPLES, valid=TRIPLES[::7])
SETTINGS = quick(constants=ConstantSettings(), answer=True, queries=40, mined=30, epochs=5)
QUIET = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}


@pytest.fixture(scope="module")
def here() -> CompletionModel:
    return complete(DATASET, SETTINGS, engine=Serial())


@contextmanager
def process(*arguments: str) -> Iterator[int]:
    """A command of Dask's in a process of its own, with its children."""
    command = [sys.executable, "-m", "dask", *arguments]
    started = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **QUIET}
    )
    try:
        yield started.pid
    finally:
        kill_with_children(started.pid)
        started.wait()


def kill_with_children(pid: int) -> None:
    """Kill -9, children first: a nanny would replace its worker."""
    found = psutil.Process(pid)
    children = found.children(recursive=True)
    for process in (found, *children):
        process.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True)
class Cluster:
    """A scheduler and workers as separate processes: the address, and their ids."""

    address: str
    scheduler: int
    workers: list[int]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with started(tmp_path_factory.mktemp("workers"), 2) as running:
        yield running


@contextmanager
def started(folder: Path, count: int) -> Iterator[Cluster]:
    """A scheduler and so many workers."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    with ExitStack() as running:
        local = ["--host", "127.0.0.1", "--no-dashboard"]
        scheduler = running.enter_context(
            process("scheduler", *local, "--port", str(port), "--dashboard-address", ":0")
        )
        options = [*local, "--nthreads", "1", "--memory-limit", "2GB", "--local-directory", str(folder)]
        workers = [running.enter_context(process("worker", address, *options)) for _ in range(count)]
        yield Cluster(address, scheduler, workers)


def equal(one: CompletionModel, other: CompletionModel) -> bool:
    return list(one.mixtures) == list(other.mixtures) and all(
        same(mixture, other.mixtures[relation]) and mixture.loss == other.mixtures[relation].loss
        for relation, mixture in one.mixtures.items()
    )


@pytest.mark.parametrize(
    "engine", [Pool(2), Dask(workers=2, memory="1GB", patience=120)], ids=lambda e: type(e).__name__
)
def test_every_engine_gives_the_same_rules_and_figures(here: CompletionModel, engine: Engine) -> None:
    model = complete(DATASET, SETTINGS, engine=engine)
    assert equal(model, here)
    assert evaluate(model, DATASET, "valid", 1).figures == evaluate(here, DATASET, "valid", 1).figures


def test_facts_to_learn_from_that_are_not_the_graph_travel_too(cluster: Cluster) -> None:
    apart = dataset_of([t for t in TRIPLES if t[1] == "grandparent"], graph=[t for t in TRIPLES if t[1] == "parent"])
    there = complete(apart, SETTINGS, engine=Dask(cluster.address, patience=120))
    assert equal(there, complete(apart, SETTINGS, engine=Serial()))


def test_a_worker_killed_on_the_way_changes_nothing(here: CompletionModel, cluster: Cluster) -> None:
    killed: list[int] = []

    def kill_a_worker(name: str) -> None:
        if not killed:
            children = psutil.Process(cluster.workers[0]).children()
            killed.append(next(child.pid for child in children if is_worker(child)))
            os.kill(killed[0], signal.SIGKILL)

    assert equal(complete(DATASET, SETTINGS, None, kill_a_worker, engine=Dask(cluster.address, patience=120)), here)
    assert killed


def test_where_all_workers_die_it_is_told_and_what_was_finished_is_kept(here: CompletionModel, tmp_path: Path) -> None:
    with started(tmp_path / "workers", 1) as lone:
        with distributed.Client(lone.address, timeout=120) as client:
            client.wait_for_workers(1, timeout=120)

        def kill_the_worker(name: str) -> None:
            if psutil.Process(lone.workers[0]).status() != psutil.STATUS_ZOMBIE:
                kill_with_children(lone.workers[0])

        with (
            pytest.raises(EngineError, match=r"no worker joined the scheduler at tcp.* within 8 seconds; start some"),
            unfinished_run(tmp_path / "run", DATASET, SETTINGS) as unfinished,
        ):
            complete(
                DATASET, SETTINGS, None, kill_the_worker, engine=Dask(lone.address, patience=8), unfinished=unfinished
            )
    with unfinished_run(tmp_path / "run", DATASET, SETTINGS) as unfinished:
        assert 0 < len(unfinished.finished) < 12
        assert equal(complete(DATASET, SETTINGS, engine=Serial(), unfinished=unfinished), here)


def test_a_scheduler_killed_on_the_way_loses_nothing_that_was_finished(
    here: CompletionModel, cluster: Cluster, tmp_path: Path
) -> None:
    def kill_the_scheduler(name: str) -> None:
        os.kill(cluster.scheduler, signal.SIGKILL)

    engine = Dask(cluster.address, patience=120)
    with (
        pytest.raises(EngineError, match=r"the connection to the scheduler .* broke"),
        unfinished_run(tmp_path / "run", DATASET, SETTINGS) as unfinished,
    ):
        complete(DATASET, SETTINGS, None, kill_the_scheduler, engine=engine, unfinished=unfinished)
    with unfinished_run(tmp_path / "run", DATASET, SETTINGS) as unfinished:
        assert 0 < len(unfinished.finished) < 12
        assert equal(complete(DATASET, SETTINGS, engine=Serial(), unfinished=unfinished), here)


def is_worker(child: psutil.Process) -> bool:
    """Whether a child of a nanny is its worker, and not a helper of the multiprocessing module."""
    return "spawn_main" in " ".join(child.cmdline())


def test_threads_go_with_the_default_engine_alone() -> None:
    with pytest.raises(OptionError, match="threads"):
        complete(DATASET, SETTINGS, 2, engine=Serial())
