"""The import contracts in pyproject.toml hold, and would notice if they did not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_import_contracts_hold() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("logic/terms.py", "import rulewright.kb.relation", "Imports point one way"),
        ("kb/relation.py", "import torch", "Torch starts in lnn"),
        ("rules/render.py", "import torch", "Torch starts in lnn"),
        ("rules/exchange/prolog.py", "import torch", "Torch starts in lnn"),
        ("web/pages.py", "import torch", "Torch starts in lnn"),
        ("kb/vocabulary.py", "import rulewright.kb.relation\nimport rulewright.kb.knowledge_base", "No cycles"),
        ("newroom.py", "", "Imports point one way"),
    ],
)
def test_a_wrong_import_breaks_its_contract(tmp_path: Path, module: str, line: str, contract: str) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    changed = tmp_path / "src" / "rulewright" / module
    changed.parent.mkdir(exist_ok=True)
    (changed.parent / "__init__.py").touch()
    with changed.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert contract in done.stdout.split("Broken contracts")[-1]
