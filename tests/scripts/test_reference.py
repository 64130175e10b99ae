"""docs/cli.md is generated; what it says is what the commands say."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_command_reference_in_the_docs_is_what_the_commands_say():
    spec = importlib.util.spec_from_file_location("dev", ROOT / "scripts" / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    dev = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(dev)
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == dev.command_reference(), "run `python3 scripts/dev.py reference`"
