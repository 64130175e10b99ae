"""On a cluster of real processes: the same outcomes, facts that travel once, and workers that die."""

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.pieces import Counted, add, divide, gather, read, wait

from rulewright.engine import dask as dask_module
from rulewright.engine.dask import Dask
from rulewright.engine.engine import Done, Failed
from rulewright.errors import EngineError, MissingExtraError, OptionError

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address


def test_every_item_has_its_outcome_and_a_failure_leaves_the_others_alone(address: str) -> None:
    outcomes = list(Dask(address).run(divide, 12, [3, 0, 4]))
    assert sorted(o.result for o in outcomes if isinstance(o, Done)) == [3, 4]
    (failed,) = (o for o in outcomes if isinstance(o, Failed))
    assert failed.item == 0
    assert isinstance(failed.cause, ZeroDivisionError)
    assert list(Dask(address).run(add, 10, [])) == []


def test_the_shared_value_travels_to_each_worker_once(address: str, tmp_path: Path) -> None:
    outcomes = list(Dask(address).run(read, Counted(str(tmp_path)), range(40)))
    assert all(isinstance(outcome, Done) for outcome in outcomes)
    unpacked = Counter(int(mark.name.split(".")[0]) for mark in tmp_path.iterdir())
    del unpacked[os.getpid()]  # the scheduler runs in this process, and may look too
    assert list(unpacked.values()) == [1, 1]


def test_what_a_killed_worker_was_doing_is_done_by_another(address: str, tmp_path: Path) -> None:
    outcomes = Dask(address).run(wait, str(tmp_path), range(30))
    first = next(outcomes)
    assert isinstance(first, Done)
    begun = marks_of(tmp_path, first.result)
    while marks_of(tmp_path, first.result) == begun:  # so that it dies in the middle of a piece
        time.sleep(0.005)
    os.kill(first.result, signal.SIGKILL)
    rest = list(outcomes)
    assert all(isinstance(outcome, Done) for outcome in rest)
    assert sorted(outcome.item for outcome in [first, *rest]) == list(range(30))
    assert len(list(tmp_path.iterdir())) > 30


def marks_of(folder: Path, worker: int) -> int:
    return sum(1 for mark in folder.iterdir() if int(mark.name.split(".")[1]) == worker)


def test_work_that_takes_too_much_memory_fails_alone() -> None:
    started = Dask(workers=1, memory="400MB", patience=100)
    outcomes = list(started.run(gather, 1, range(6)))
    assert sorted((o.item, o.result) for o in outcomes if isinstance(o, Done)) == [(n, 1 + n) for n in (0, 1, 2, 4, 5)]
    (failed,) = (o for o in outcomes if isinstance(o, Failed))
    assert failed.item == 3
    assert "for want of memory" in str(failed.cause)


def test_a_cluster_that_is_not_there_is_told() -> None:
    with pytest.raises(EngineError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1: .*dask scheduler"):
        list(Dask("tcp://127.0.0.1:1", patience=0.5).run(add, 1, [1]))
    with pytest.raises(EngineError, match="no scheduler answers at nonsense"):
        list(Dask("nonsense:x", patience=0.5).run(add, 1, [1]))


def test_a_cluster_without_workers_is_told() -> None:
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as cluster,
        pytest.raises(EngineError, match=r"no worker joined .* within 0\.2 seconds; start some with `dask worker tcp"),
    ):
        list(Dask(cluster.scheduler_address, patience=0.2).run(add, 1, [1]))


def test_a_worker_with_other_versions_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_module, "version", lambda name: f"99-{name}")  # here; the workers have their own
    with pytest.raises(
        EngineError, match=r"the worker tcp://.* has rulewright .* \(here 99-rulewright\), numpy .*same"
    ):
        list(Dask(address).run(add, 1, [1]))


def test_a_worker_without_rulewright_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here, theirs = os.getpid(), dask_module.versions()

    def versions() -> dict[str, str]:
        if os.getpid() != here:
            raise ModuleNotFoundError("No module named 'rulewright'")
        return theirs

    monkeypatch.setattr(dask_module, "versions", versions)
    with pytest.raises(EngineError, match=r"cannot work for Rulewright \(No module named .*is it installed there"):
        list(Dask(address).run(add, 1, [1]))


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(OptionError, match="workers must be at least 1"):
        Dask(workers=0)
    for memory in ("much", "0GB", "-1GB"):
        with pytest.raises(OptionError, match="such as 2GB"):
            Dask(memory=memory)
    with pytest.raises(OptionError, match="behind an address"):
        Dask("tcp://10.0.0.1:8786", memory="2GB")


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"rulewright\[dask\]"):
        Dask()
