"""JSON keeps everything that an explanation says."""

import json
from dataclasses import replace

import pytest
from tests.rules.explanations import EVIL, mixture, template

from rulewright.rules.explanation import Explanation
from rulewright.rules.explanation_json import explanation_from_json, explanation_to_json


@pytest.mark.parametrize("made", [mixture(), template(), mixture(EVIL), template(EVIL)])
def test_what_comes_back_is_what_went_in(made: Explanation) -> None:
    assert explanation_from_json(json.loads(json.dumps(explanation_to_json(made)))) == made


def test_an_explanation_without_a_counterfactual_comes_back_too() -> None:
    bare = replace(mixture(), counterfactual=None)
    assert explanation_from_json(explanation_to_json(bare)) == bare
