"""What `rulewright serve` says before a server runs; the server itself is tested in tests/web."""

from pathlib import Path

import pytest
from tests.cli.command_line import CommandLine


def test_a_missing_library_is_named_with_the_extra_that_brings_it(
    rulewright: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("rulewright.cli.serve.find_spec", lambda name: None)
    done = rulewright("serve", tmp_path)
    assert done.code == 2
    assert "rulewright serve needs an optional dependency: pip install 'rulewright[web]'" in done.err


def test_a_folder_that_is_no_run_is_refused_at_once(rulewright: CommandLine, tmp_path: Path) -> None:
    done = rulewright("serve", tmp_path)
    assert done.code == 2
    assert "is not a run folder" in done.err
