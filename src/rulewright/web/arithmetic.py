"""The arithmetic of a template's fact, worked out again from the weights in the run, without torch."""

from functools import lru_cache

import numpy as np

from rulewright.errors import GroundingTooLargeError
from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.lineage import Grounding
from rulewright.grounding.plan import Plan, plan
from rulewright.rules.arithmetic import formula
from rulewright.rules.explanation import Step
from rulewright.rules.lineage_tree import LineageTree
from rulewright.rules.weighing import Weighing, values_of, weighings
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.web.run import TemplateRun
from rulewright.web.wording import Data

MOST_ROWS = 2_000_000  # a page is no place for a join of a hundred million
WITNESSES = 3


@lru_cache(2)
def network_of(run: TemplateRun) -> tuple[Plan, dict[int, Weighing]]:
    """The plan of the run's template, and what every step of it weighs with."""
    template = parse_template(run.document["template"])
    planned = plan(bind(template, run.kb, str(run.document["root"])))
    return planned, weighings(planned, run.program.tree)


def arithmetic(run: TemplateRun, fact: tuple[str, ...]) -> Data | None:
    """The steps from the facts to the truth of a head fact; None where it takes too much to find them."""
    planned, found = network_of(run)
    try:
        grounding: Grounding = ground(planned, run.kb, GroundingLimits(MOST_ROWS), run.kb.encode([fact]))
    except GroundingTooLargeError:
        return None
    (row,) = grounding.rows_of(run.kb.encode([fact])).tolist()
    if row < 0:
        return None
    single = grounding.take(np.array([row]))
    tree = LineageTree(found, values_of(found, single), run.kb, single, WITNESSES)
    return step_data(tree.step(len(single.facts) - 1, 0))


def step_data(step: Step) -> Data:
    """A step with its formula, and its inputs in it."""
    return {
        "label": step.label,
        "value": step.value,
        "kind": step.kind,
        "formula": "" if step.kind == "fact" else formula(step),
        "raw": step.raw,
        "absent": step.kind == "absent" or (step.fact is not None and step.fact.source == "absent"),
        "inputs": [step_data(entry.step) for entry in step.inputs],
    }
