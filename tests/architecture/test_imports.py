"""Torch is loaded only where it is used, and no import of the package hides."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
PACKAGE = SOURCE / "rulewright"
WITHOUT_TORCH = [
    *("__init__.py", "errors.py", "logic", "kb", "template", "grounding", "paths"),
    *("rules/render.py", "rules/store.py", "rules/exchange", "rules/arithmetic.py", "rules/explanation.py", "web"),
    *("rules/explanation_dot.py", "rules/explanation_html.py", "rules/explanation_json.py"),
    *("rules/explanation_text.py", "rules/shown_explanation.py"),
]


def modules_in(place: Path) -> list[str]:
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    dotted = (".".join(file.relative_to(SOURCE).with_suffix("").parts) for file in files)
    return [name.removesuffix(".__init__") for name in dotted]


@pytest.mark.parametrize("place", WITHOUT_TORCH)
def test_importing_it_leaves_torch_unloaded(place: str) -> None:
    if not (PACKAGE / place).exists():
        pytest.skip("not there")
    program = f"import sys, {', '.join(modules_in(PACKAGE / place))}; sys.exit('torch' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or "torch was loaded"


def hidden_imports(tree: ast.Module) -> Iterator[ast.stmt]:
    """Imports of the package that do not stand at the top level of their file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["rulewright" if node.level else node.module or ""]
        else:
            continue
        if node not in tree.body and any(name.split(".")[0] == "rulewright" for name in names):
            yield node


def public_door(tree: ast.Module) -> set[ast.AST]:
    """How the package's own __init__ offers its names: to type checkers at once, to programs on first use."""
    parts = [
        node
        for node in tree.body
        if (isinstance(node, ast.FunctionDef) and node.name == "__getattr__")
        or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    ]
    return {inner for part in parts for inner in ast.walk(part)}


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_import_of_the_package_hides(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    allowed = public_door(tree) if module == PACKAGE / "__init__.py" else set()
    hidden = [
        f"{module.name}:{node.lineno}: {ast.unparse(node)}" for node in hidden_imports(tree) if node not in allowed
    ]
    assert not hidden, "an import inside a function or under a condition means a type in the wrong room"


def test_a_hidden_import_is_found() -> None:
    tree = ast.parse(
        "import rulewright.kb\ndef f():\n    from rulewright.lnn import network\n    import rulewright.errors"
    )
    assert [node.lineno for node in hidden_imports(tree)] == [3, 4]
