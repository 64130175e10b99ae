"""Broken files given to the commands: one clean message, an exit code of ours, never a traceback or a surprise."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.mutations import broken_folder

from rulewright.cli.app import main

FACTS, TEMPLATE = "parent(ann, bob). parent(bob, cy). likes(ann, cy).\n", "child(Y, X) :- P(X, Y). P in *.\n"
LABELS = "child(bob, ann). child(cy, bob).\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> int:
    """Run `rulewright`; its exit code, once what it printed has been looked at."""
    sys.argv = ["rulewright", *map(str, arguments)]
    capsys.readouterr()
    code: int | str | None = 0
    try:
        main()
    except SystemExit as left:
        code = left.code
    captured = capsys.readouterr()
    assert code in (None, 0, 1, 2)
    assert "Traceback" not in captured.err + captured.out
    assert "unexpected" not in captured.err
    if code:
        assert captured.err.startswith("error: ")
        assert captured.out == ""
    assert all(c.isprintable() or c == "\n" for c in captured.out + captured.err)
    return int(code or 0)


def spoilt(text: str) -> st.SearchStrategy[bytes]:
    """The text with some bytes in place of others."""
    return st.builds(
        lambda at, count, part: text.encode()[:at] + part + text.encode()[at + count :],
        st.integers(0, len(text)),
        st.integers(0, 5),
        st.binary(max_size=4) | st.sampled_from([b"(", b")", b"'", b"\x1b[2J", b"^-1", b" not ", b"X", b".", b"\n"]),
    )


@pytest.fixture(autouse=True)
def _own_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", sys.argv)


def test_a_problem_with_any_broken_file_is_learned_or_refused_cleanly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = set()

    @settings(deadline=None, max_examples=60)
    @given(st.sampled_from(["facts.pl", "template.rules", "labels.pl"]), st.data())
    def learn(broken: str, data: st.DataObject) -> None:
        for name, text in (("facts.pl", FACTS), ("template.rules", TEMPLATE), ("labels.pl", LABELS)):
            (tmp_path / name).write_bytes(data.draw(spoilt(text)) if name == broken else text.encode())
        codes.add(run(capsys, "learn", tmp_path, "--epochs", 1, "--restarts", 1))

    learn()
    assert codes >= {0, 2}


@pytest.mark.parametrize("name", ["template run", "graph run"])
def test_commands_on_a_broken_run_end_cleanly(
    name: str, sound_runs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = ("g0", "parent") if name == "graph run" else ()
    codes = set()

    @settings(deadline=None, max_examples=40)
    @given(st.binary(max_size=40))
    def use(data: bytes) -> None:
        folder = broken_folder(sound_runs[name], tmp_path / "broken", data)
        codes.add(run(capsys, "rules", folder))
        codes.add(run(capsys, "predict", folder, *question))

    use()
    assert codes >= {0, 2}
