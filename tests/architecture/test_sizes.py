"""Files stay small and are named after what is in them."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "src" / "rulewright").rglob("*.py"))
LONGEST = 400
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
ENDINGS_THAT_SAY_NOTHING = tuple(f"_{name}" for name in NAMES_THAT_SAY_NOTHING - {"base"})  # knowledge_base says enough


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_over_400_lines(module: Path) -> None:
    lines = len(module.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST, f"{lines} lines: split it by noun"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_name_on_the_way_to_a_module_says_something(module: Path) -> None:
    names = [part.strip("_") for part in module.relative_to(ROOT / "src").with_suffix("").parts]
    empty = [name for name in names if name in NAMES_THAT_SAY_NOTHING or name.endswith(ENDINGS_THAT_SAY_NOTHING)]
    assert not empty, "name it after the noun or the verb in it"
