"""Rulewright learns weighted first-order rules that a person can read, by gradient descent on Logical Neural Networks.

>>> import rulewright as rw
>>> kb = rw.KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy"), ("bob", "di")], "likes": [("bob", "ed")]})
>>> template = "grandparent(X, Z) :- P(X, Y), Q(Y, Z).  P in *.  Q in *."
>>> learned = rw.learn(kb, template, [("ann", "cy"), ("ann", "di")])
>>> print(learned.program.rules[0].rule)
grandparent(X, Z) :- parent(X, Y), parent(Y, Z).

Names are loaded when first used, so `import rulewright` is quick, and what needs no torch runs without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.errors import InputError as InputError
    from rulewright.errors import RulewrightError as RulewrightError
    from rulewright.estimator import RuleLearner as RuleLearner
    from rulewright.grounding.ground import GroundingLimits as GroundingLimits
    from rulewright.kb.frames import from_frame as from_frame
    from rulewright.kb.frames import from_frames as from_frames
    from rulewright.kb.knowledge_base import KnowledgeBase as KnowledgeBase
    from rulewright.kb.reading import read_facts as read_facts
    from rulewright.learning import Learned as Learned
    from rulewright.learning import explain as explain
    from rulewright.learning import learn as learn
    from rulewright.lnn.network import RuleNetwork as RuleNetwork
    from rulewright.lnn.operators import And as And
    from rulewright.lnn.operators import Attention as Attention
    from rulewright.lnn.operators import Not as Not
    from rulewright.lnn.operators import Or as Or
    from rulewright.lnn.operators import PredicateMixture as PredicateMixture
    from rulewright.logic.program import Program as Program
    from rulewright.rules.derive import derive as derive
    from rulewright.rules.render import render_text as render_text
    from rulewright.rules.render import render_tree as render_tree
    from rulewright.saving import load as load
    from rulewright.saving import save as save
    from rulewright.template.parser import parse_template as parse_template
    from rulewright.template.shapes import chain as chain
    from rulewright.template.shapes import chain_up_to as chain_up_to
    from rulewright.template.shapes import pair as pair
    from rulewright.training.fit import FitOptions as FitOptions

HOMES = {
    "And": "lnn.operators",
    "Attention": "lnn.operators",
    "FitOptions": "training.fit",
    "GroundingLimits": "grounding.ground",
    "InputError": "errors",
    "KnowledgeBase": "kb.knowledge_base",
    "Learned": "learning",
    "Not": "lnn.operators",
    "Or": "lnn.operators",
    "PredicateMixture": "lnn.operators",
    "Program": "logic.program",
    "RuleLearner": "estimator",
    "RuleNetwork": "lnn.network",
    "RulewrightError": "errors",
    "chain": "template.shapes",
    "chain_up_to": "template.shapes",
    "derive": "rules.derive",
    "explain": "learning",
    "from_frame": "kb.frames",
    "from_frames": "kb.frames",
    "learn": "learning",
    "load": "saving",
    "pair": "template.shapes",
    "parse_template": "template.parser",
    "read_facts": "kb.reading",
    "render_text": "rules.render",
    "render_tree": "rules.render",
    "save": "saving",
}

__all__ = sorted(HOMES)


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module 'rulewright' has no attribute {name!r}")
    return getattr(import_module(f"rulewright.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
