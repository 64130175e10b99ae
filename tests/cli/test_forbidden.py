"""What the system does not let a user read or write is told in one line, by every command."""

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.command_line import CommandLine

NOBODY = 65534


@pytest.fixture
def forbidden(tmp_path: Path) -> Iterator[Path]:
    """A folder that this user may not enter; the superuser becomes somebody else meanwhile."""
    folder = tmp_path / "forbidden"
    folder.mkdir(mode=0o000)
    codecs.lookup("ascii")  # Python loads it when it is first used, perhaps from where only the superuser may read
    superuser = hasattr(os, "geteuid") and os.geteuid() == 0
    if superuser:
        os.seteuid(NOBODY)
    try:
        if os.access(folder, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
            pytest.skip("this system forbids nothing")
        yield folder
    finally:
        if superuser:
            os.seteuid(0)
        folder.chmod(0o700)


@pytest.mark.parametrize(
    "arguments",
    [
        ("learn", "PLACE"),
        ("learn", "PLACE/facts.pl", "--template", "PLACE/template"),
        ("learn", "nations", "--rules", "PLACE/rules.txt"),
        ("learn", "nations", "--settings", "PLACE/settings.toml"),
        ("learn", "nations", "--out", "PLACE/run"),
        ("learn", "examples/grandparent", "--out", "PLACE/run"),
        ("rules", "PLACE/run"),
        ("evaluate", "PLACE/run"),
        ("predict", "PLACE/run", "a", "r"),
        ("explain", "PLACE/run", "a", "r", "b"),
        ("export", "PLACE/run", "--format", "json"),
        ("serve", "PLACE/run"),
        ("data", "check", "PLACE/data"),
        ("reproduce", "umls", "--out", "PLACE/results"),
    ],
    ids=" ".join,
)
def test_what_the_system_forbids_is_told(rulewright: CommandLine, forbidden: Path, arguments: tuple[str, ...]) -> None:
    done = rulewright(*(argument.replace("PLACE", str(forbidden)) for argument in arguments))
    assert done.code == 2, done.err
    assert "Permission denied" in done.err
    assert "unexpected" not in done.err
    assert done.out == ""
