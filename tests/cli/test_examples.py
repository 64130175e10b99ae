"""Every folder of examples that holds a template learns what its README shows."""

import re
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FOLDERS = sorted(path.parent for path in EXAMPLES.glob("*/template.rules"))
EXPECTED = {
    "comparison": ["looks_up_to(X, Y) :- age(X, M), friend(X, Y), age(Y, N), M < N."],
    "disjunction": ["invites(X, Z) :- partner(X, Z).", "invites(X, Z) :- friend(X, Y), friend(Y, Z)."],
    "grandparent": ["grandparent(X, Z) :- parent(X, Y), parent(Y, Z)."],
    "negation": ["visits(X, Y) :- friend(X, Y), not ill(Y)."],
    "soft_facts": ["ripe(Fruit) :- red(Fruit), soft(Fruit)."],
    "ternary": ["plays_with(Child, Thing) :- gave(Giver, Child, Thing), toy(Thing)."],
}


def test_every_example_is_known_here():
    assert {folder.name for folder in FOLDERS} == set(EXPECTED)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_an_example_learns_its_rule(rulewright, folder, seed):
    done = rulewright("learn", folder, "--seed", seed)
    assert done.code == 0, done.err
    rules = [line.split("  ")[-1] for line in done.out.splitlines() if ":-" in line]
    assert rules == EXPECTED[folder.name]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_readme_shows_what_is_printed(rulewright, folder):
    blocks = re.findall(r"```\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    command, expected = blocks
    assert command.split() == ["rulewright", "learn", f"examples/{folder.name}"]
    assert rulewright("learn", folder).out == expected
    assert 5 <= len((folder / "README.md").read_text(encoding="utf-8").splitlines()) <= 15
