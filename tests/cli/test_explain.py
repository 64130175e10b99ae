"""rulewright explain on the run of a template."""

import json
from pathlib import Path

import pytest
from tests.cli.command_line import CommandLine

from rulewright.rules.explanation_json import explanation_from_json


def test_a_head_fact_is_explained_with_or_without_the_predicates_name(rulewright: CommandLine, run: Path) -> None:
    done = rulewright("explain", run, "bob", "eve")
    assert done.code == 0
    assert done.out.startswith("grandparent(bob, eve): truth 1.000, predicted")
    assert "parent(bob, di)" in done.out
    assert "were not a fact" in done.out
    assert rulewright("explain", run, "bob", "grandparent", "eve").out == done.out


def test_it_comes_in_every_form(rulewright: CommandLine, run: Path) -> None:
    found = explanation_from_json(json.loads(rulewright("explain", run, "bob", "eve", "--json").out))
    assert found.arithmetic is not None
    assert found.arithmetic.value == found.score
    assert rulewright("explain", run, "bob", "eve", "--format", "dot").out.rstrip().endswith("}")
    assert "</html>" in rulewright("explain", run, "bob", "eve", "--format", "html").out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("bob", "evee"), "did you mean eve"),
        (("bob",), "2 arguments, not 1"),
        (("gus", "ann"), "cannot arise"),
    ],
)
def test_what_cannot_be_explained_says_why(
    rulewright: CommandLine, run: Path, words: tuple[str, ...], complaint: str
) -> None:
    done = rulewright("explain", run, *words)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
