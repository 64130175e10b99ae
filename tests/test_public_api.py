"""The public door: what it offers is a list that somebody decided on, and everything on it explains itself."""

import ast
import doctest
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import rulewright

PACKAGE = Path(rulewright.__file__).parent

DECIDED = [
    "And",
    "Attention",
    "FitOptions",
    "GroundingLimits",
    "InputError",
    "KnowledgeBase",
    "Learned",
    "Not",
    "Or",
    "PredicateMixture",
    "Program",
    "RuleLearner",
    "RuleNetwork",
    "RulewrightError",
    "chain",
    "chain_up_to",
    "derive",
    "explain",
    "from_frame",
    "from_frames",
    "learn",
    "load",
    "pair",
    "parse_template",
    "read_facts",
    "render_text",
    "render_tree",
    "save",
]


def module_name(path: Path) -> str:
    return ".".join(("rulewright", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


WITH_EXAMPLES = sorted(module_name(path) for path in PACKAGE.rglob("*.py") if ">>>" in path.read_text(encoding="utf-8"))


def test_the_exported_names_are_the_decided_ones():
    assert rulewright.__all__ == DECIDED == sorted(DECIDED)


@pytest.mark.parametrize("name", DECIDED)
def test_every_exported_name_is_there_and_explains_itself(name):
    value = getattr(rulewright, name)
    assert inspect.getdoc(value)
    assert value.__module__.startswith("rulewright.")


def test_type_checkers_and_programs_see_the_same_names_in_the_same_places():
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    imports = [
        node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rule")
    ]
    seen = {name.asname: (node.module or "").removeprefix("rulewright.") for node in imports for name in node.names}
    assert seen == rulewright.HOMES


def test_the_names_are_offered_for_completion_and_others_are_refused():
    assert set(DECIDED) <= set(dir(rulewright))
    with pytest.raises(AttributeError, match="has no attribute 'lern'"):
        rulewright.lern  # noqa: B018


def test_importing_the_package_is_quick_because_it_loads_next_to_nothing():
    program = "import sys, rulewright; print(sorted(m for m in ('torch', 'numpy', 'lark', 'rich') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_there_are_examples_to_run():
    assert {"rulewright", "rulewright.learning", "rulewright.saving", "rulewright.estimator"} <= set(WITH_EXAMPLES)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_in_docstrings_are_right(name):
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0
