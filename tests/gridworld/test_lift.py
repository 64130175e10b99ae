"""The example of a second environment runs as its README and the guide show."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIFT = ROOT / "examples" / "lift" / "lift.py"


def test_the_lift_learns_the_rules_that_its_readme_and_the_guide_show() -> None:
    done = subprocess.run([sys.executable, LIFT], capture_output=True, text=True, check=True)
    rules = re.findall(r"  (\w+\(Lift\) :- .*)", done.stdout)
    assert rules == [
        "open(Lift) :- calledHere(Lift).",
        "up(Lift) :- calledAbove(Lift), lift(Lift), not calledHere(Lift).",
        "down(Lift) :- calledBelow(Lift), lift(Lift), not calledHere(Lift).",
    ]
    earned, best = map(float, re.findall(r"(\d\.\d+)", done.stdout.splitlines()[-1]))
    assert earned == best
    guide = (ROOT / "docs" / "guides" / "your-own-environment.md").read_text(encoding="utf-8")
    for page in (LIFT.with_name("README.md").read_text(encoding="utf-8"), guide):
        assert all(rule in page for rule in rules)


def test_the_guides_steps_in_the_environment_run(capsys: pytest.CaptureFixture[str]) -> None:
    guide = (ROOT / "docs" / "guides" / "your-own-environment.md").read_text(encoding="utf-8")
    (block,) = (code for code in re.findall(r"```python\n(.*?)```", guide, flags=re.DOTALL) if "GridworldEnv" in code)
    exec(block, {})  # as a reader would paste it
    picture = capsys.readouterr().out.split()
    assert [len(row) for row in picture] == [5] * 5
    assert "A" in "".join(picture)


def test_the_guide_shows_the_code_that_runs() -> None:
    guide = (ROOT / "docs" / "guides" / "your-own-environment.md").read_text(encoding="utf-8")
    code = LIFT.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, flags=re.DOTALL)
    shown = [block.rstrip() for block in blocks if "gymnasium" not in block and "GridworldEnv" not in block]
    assert len(shown) == 3
    assert all(block in code for block in shown)
