"""The long trials: what is asked for is tried, what cannot be tried is said, what broke is told at the end."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
Start = Callable[..., int]


@pytest.fixture
def soak(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import soak

    return soak


@pytest.fixture
def start(soak: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Run the script with other trials than the long ones, and without touching what is recorded."""
    from record import SkippedError

    def lacking(asked: object) -> dict[str, int]:
        raise SkippedError("there is no such device")

    def broken(asked: object) -> dict[str, int]:
        raise SystemExit("two files differ")

    written: list[str] = []
    monkeypatch.setattr(
        soak, "TRIALS", {"lacking": lacking, "broken": broken, "sound": lambda asked: {"n": asked.kills}}
    )
    monkeypatch.setattr(soak, "write_result", lambda name, figures: written.append(f"{name} {figures['n']}"))
    monkeypatch.setattr(soak, "write_report", lambda: f"written: {', '.join(written)}")

    def run(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["soak.py", *arguments])
        return int(soak.main())

    return run


def test_all_trials_run_and_what_broke_is_told_at_the_end(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    assert start("--kills", "7") == 1
    told = capsys.readouterr()
    assert "lacking: skipped, there is no such device" in told.out
    assert "broken: FAILED: two files differ" in told.err
    assert told.err.endswith("failed: broken\n")
    assert told.out.endswith("written: sound 7\n")


def test_named_trials_run_alone(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    assert start("sound", "lacking") == 0
    assert "broken" not in capsys.readouterr().err


def test_an_unknown_trial_is_told(start: Start, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        start("sond")
    assert left.value.code == 2
    assert "there is no trial sond: choose from lacking, broken, sound" in capsys.readouterr().err


def test_the_results_are_what_was_recorded(soak: ModuleType) -> None:
    from report import report

    assert (BENCHMARKS / "RESULTS.md").read_text(encoding="utf-8") == report()


def test_every_trial_that_was_recorded_has_a_section_of_the_results(soak: ModuleType) -> None:
    from record import read_result

    text = (BENCHMARKS / "RESULTS.md").read_text(encoding="utf-8").lower()
    recorded = [name for name in (*soak.TRIALS, "cost") if read_result(name) is not None]
    assert {"kills", "scale", "cluster"} <= set(recorded)
    assert [name for name in recorded if f"\n## {name}" not in text] == []
