"""The engines of this process: every item has its outcome, and a failure is one outcome among the others."""

import threading
import time

import pytest
from tests.engine.pieces import add, divide

from rulewright.engine.engine import Done, Engine, Failed
from rulewright.engine.pool import Pool
from rulewright.engine.serial import Serial
from rulewright.errors import OptionError

ENGINES = [Serial(), Pool(1), Pool(3), Pool()]


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_item_has_its_outcome(engine: Engine) -> None:
    outcomes = list(engine.run(add, 10, range(20)))
    assert sorted((o.item, o.result) for o in outcomes if isinstance(o, Done)) == [(n, 10 + n) for n in range(20)]
    assert list(engine.run(add, 10, [])) == []


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_a_failure_leaves_the_others_alone(engine: Engine) -> None:
    outcomes = list(engine.run(divide, 12, [3, 0, 4]))
    assert sorted(o.result for o in outcomes if isinstance(o, Done)) == [3, 4]
    (failed,) = (o for o in outcomes if isinstance(o, Failed))
    assert failed.item == 0
    assert isinstance(failed.cause, ZeroDivisionError)


@pytest.mark.parametrize("engine", [Serial(), Pool(2)], ids=str)
def test_closing_stops_the_work(engine: Engine) -> None:
    begun, gate = [], threading.Event()

    def work(shared: None, item: int) -> None:
        begun.append(item)
        if item:
            gate.wait(0.05)

    outcomes = engine.run(work, None, range(100))
    next(outcomes)
    outcomes.close()
    gate.set()
    assert len(begun) < 10


def test_who_stops_the_work_does_not_wait_for_what_is_being_done() -> None:
    gate = threading.Event()

    def work(shared: None, item: int) -> None:
        if item:
            gate.wait(20)

    outcomes = Pool(2).run(work, None, range(2))
    next(outcomes)
    started = time.monotonic()
    outcomes.close()
    assert time.monotonic() - started < 5
    gate.set()


def test_threads_work_side_by_side() -> None:
    meeting = threading.Barrier(3, timeout=20)
    assert len(list(Pool(3).run(lambda shared, item: meeting.wait(), None, range(3)))) == 3
    assert not meeting.broken


def test_a_pool_without_threads_is_refused() -> None:
    with pytest.raises(OptionError, match="threads must be at least 1, not 0"):
        Pool(0)
