"""--engine, and what the command says about relations that fail and runs that were interrupted."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.cli.command_line import CommandLine

from rulewright.cli import learn as learn_module
from rulewright.completion.saving import load_model
from rulewright.completion.work import Pair, RelationWork
from rulewright.engine.engine import Failed, Outcomes
from rulewright.engine.pool import Pool

TINY = "length = 1\npaths = 5\nmined = 9\nqueries = 9\nfolds = 2\nused_folds = 2\nepochs = 1\nhard = 9\n"


class FailingOnce(Pool):
    """Threads on which the first relation fails."""

    def run(
        self, work: Callable[[RelationWork, int], Pair], shared: RelationWork, items: Sequence[int]
    ) -> Outcomes[int, Pair]:
        for outcome in super().run(work, shared, items):
            yield Failed(outcome.item, MemoryError()) if outcome.item == 0 else outcome


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    data = tmp_path / "data"
    data.mkdir()
    lines = [f"e{n}\t{relation}\te{(n + 1) % 8}\n" for relation in ("odd\x1b[31m", "next", "near") for n in range(8)]
    (data / "train.txt").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "tiny.toml").write_text(TINY, encoding="utf-8")
    return ["learn", str(data), "--settings", str(tmp_path / "tiny.toml")]


def test_the_engine_is_chosen_by_name(rulewright: CommandLine, arguments: list[str]) -> None:
    pool, serial = (rulewright(*arguments, "--engine", name) for name in ("pool", "serial"))
    assert (pool.code, serial.code) == (0, 0), serial.err
    assert pool.out.split(" in ")[0] == serial.out.split(" in ")[0]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--engine", "pol"], "must be one of pool, serial, dask, not pol (did you mean pool?)"),
        (["--workers", "3"], "--workers goes with --engine dask, not with pool"),
        (["--engine", "serial", "--address", "tcp://x:1", "--worker-memory", "2GB"], "--address, --worker-memory goes"),
        (["--engine", "dask", "--workers", "0"], "workers must be at least 1"),
        (["--engine", "dask", "--worker-memory", "much"], "such as 2GB"),
        (["--engine", "dask", "--worker-memory", "2GB", "--address", "tcp://x:1"], "behind an address"),
        (["--threads", "0"], "threads must be at least 1"),
    ],
)
def test_options_that_make_no_sense_are_mistakes(
    rulewright: CommandLine, arguments: list[str], options: list[str], complaint: str
) -> None:
    done = rulewright(*arguments, *options)
    assert done.code == 2
    assert complaint in done.err


def test_a_relation_that_fails_is_named_at_the_end_and_tried_again_alone(
    rulewright: CommandLine, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    with monkeypatch.context() as patched:
        patched.setattr(learn_module, "engine_for", lambda *options, **named: FailingOnce(1))
        done = rulewright(*arguments, "--out", run)
        printed = rulewright(*arguments, "--json")
    assert done.code == printed.code == 1
    assert "4 directed relations" in done.out
    assert "1 of 3 relations could not be learned:\n  odd\\x1b[31m: there was not enough memory" in done.err
    assert json.loads(printed.out)["failed"] == [{"relation": "odd\x1b[31m", "reason": "there was not enough memory"}]
    assert sorted(load_model(run).mixtures) == [2, 3, 4, 5]
    again = rulewright(*arguments, "--out", run)
    assert again.code == 0
    assert "continuing: 2 of 3 relations are done" in again.err
    assert sorted(load_model(run).mixtures) == [0, 1, 2, 3, 4, 5]
    assert not [name for name in os.listdir(tmp_path) if "partial" in name]


def test_another_command_does_not_go_on_with_the_run(
    rulewright: CommandLine, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(learn_module, "engine_for", lambda *options, **named: FailingOnce(1))
        rulewright(*arguments, "--out", tmp_path / "run")
    other = rulewright(*arguments, "--out", tmp_path / "run", "--seed", "1")
    assert other.code == 2
    assert "unfinished run of another command" in other.err
