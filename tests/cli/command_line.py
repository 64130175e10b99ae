"""Running the command line inside this process: importing torch takes seconds, so a process of its own is for a few."""

import sys
from dataclasses import dataclass

import pytest

from rulewright.cli.app import main


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


class CommandLine:
    """Called with arguments, it runs `rulewright` with them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *arguments: object) -> Done:
        self.monkeypatch.setattr(sys, "argv", ["rulewright", *map(str, arguments)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        captured = self.capsys.readouterr()
        return Done(left.value.code or 0, captured.out, captured.err)
