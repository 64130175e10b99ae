"""One small problem that the tests of this room share."""

from dataclasses import dataclass

from rulewright.grounding.ground import ground
from rulewright.grounding.lineage import Grounding
from rulewright.grounding.plan import Plan, plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.lnn.network import RuleNetwork
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.training.labels import Targets, place_labels

PARENTS = "ab ac bd be cf dg eg fh"
FRIENDS = "ad ba cb cg db ea ef fa gb hc"
TEMPLATE = "t(X, Z) :- P(X, Y), Q(Y, Z). P in {parent, friend}. Q in {parent, friend}."


def pairs(text: str) -> list[tuple[str, ...]]:
    return [tuple(word) for word in text.split()]


KB = KnowledgeBase.of({"parent": pairs(PARENTS), "friend": pairs(FRIENDS)})
GRANDPARENTS = sorted({(a, c) for a, b in pairs(PARENTS) for other, c in pairs(PARENTS) if b == other})


@dataclass(frozen=True)
class Problem:
    """What `fit` wants."""

    plan: Plan
    grounding: Grounding
    targets: Targets

    def build(self, seed: int) -> RuleNetwork:
        return RuleNetwork(self.plan, seed=seed)


def problem(template: str = TEMPLATE, fixed: tuple[str, ...] = ()) -> Problem:
    steps = plan(bind(parse_template(template), KB).fixing(fixed))
    grounding = ground(steps, KB)
    return Problem(steps, grounding, place_labels(GRANDPARENTS, grounding, KB))
