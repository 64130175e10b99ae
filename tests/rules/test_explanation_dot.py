"""DOT text draws every fact once, and a hostile name stays a name."""

import re
import shutil
import subprocess

import pytest
from tests.rules.explanations import EVIL, mixture, template

from rulewright.rules.explanation import Explanation
from rulewright.rules.explanation_dot import explanation_dot

STRING = r'"(?:[^"\\\n]|\\.)*"'
LINE = re.compile(
    rf"  (\w+( -> \w+)?( \[label={STRING}(, [\w=, ]+)?\])?|rankdir=LR|(node|edge) \[fontname={STRING}\]);\Z"
)


@pytest.mark.parametrize("made", [mixture(), template(), mixture(EVIL), template(EVIL)])
def test_every_line_is_a_node_or_an_edge_whatever_the_names(made: Explanation) -> None:
    first, *lines, last = explanation_dot(made).rstrip("\n").split("\n")
    assert (first, last) == ("digraph explanation {", "}")
    assert all(LINE.match(line) for line in lines)


def test_facts_lead_to_rules_and_rules_to_the_score() -> None:
    text = explanation_dot(mixture())
    assert text.count('label="likes(ann, bob)"') == 1
    assert 'rule0 -> score [label="+1.000"]' in text
    assert "fact0 -> rule0" in text
    assert "style=dashed" in text


def test_what_is_not_drawn_is_summed_up() -> None:
    assert 'rest -> score [label="+0.250"]' in explanation_dot(mixture(), top=1)
    assert "rest" not in explanation_dot(mixture())


def test_weights_stand_on_the_edges_of_a_template() -> None:
    assert 'label="1.250"' in explanation_dot(template())


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("made", [mixture(EVIL), template(EVIL)])
def test_graphviz_takes_it(made: Explanation) -> None:
    done = subprocess.run(["dot", "-Tsvg"], input=explanation_dot(made), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
