"""Templates, facts and networks that the tests of this room share."""

import random

import torch

from rulewright.grounding.plan import Plan, plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.operators import Attention, Connective
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template

CONSTANTS = [f"c{number}" for number in range(5)]


def planned(text: str, kb: KnowledgeBase) -> Plan:
    return plan(bind(parse_template(text), kb))


def network(text: str, kb: KnowledgeBase, **weights: list[float]) -> RuleNetwork:
    """A network whose leaves have these weights, the others none; its connectives are at their vertex."""
    found = RuleNetwork(planned(text, kb))
    for name, mixture in found.mixtures().items():
        mixture.start_from(torch.tensor(weights.get(name, [0.0] * mixture.arity)))
    for operator in found.operators.values():
        if isinstance(operator, Connective):
            with torch.no_grad():
                operator.parameter.raw_ray_scales.zero_()
    return found.eval()


def random_facts(seed: int) -> KnowledgeBase:
    """Binary a b c, unary u v w, ternary s t: about a third of what is possible, over five constants."""
    rng = random.Random(seed)
    every = [(x, y) for x in CONSTANTS for y in CONSTANTS]
    facts = {name: [pair for pair in every if rng.random() < 0.3] or every[1:2] for name in "abc"}
    facts |= {name: [(x,) for x in CONSTANTS if rng.random() < 0.5] or [("c1",)] for name in "uvw"}
    facts |= {name: [tuple(rng.choices(CONSTANTS, k=3)) for _ in range(8)] for name in "st"}
    return KnowledgeBase.of(facts)


def scramble(found: RuleNetwork, seed: int, soft: bool) -> None:
    """Any parameters that the constraints allow; sharp ones choose some predicates with full weight."""
    generator = torch.Generator().manual_seed(seed)
    for mixture in found.mixtures().values():
        size = mixture.arity
        if isinstance(mixture, Attention):
            mixture.start_from((torch.randn(size, generator=generator) * (1 if soft else 6)).exp())
            continue
        weights = torch.rand(size, generator=generator)
        bias = float(torch.rand(1, generator=generator)) * 1.4
        weights = weights * 1.2 if soft else (weights < 0.5).float()
        mixture.parameter.right_inverse([bias if soft and seed % 2 else 1.0, *weights.tolist()])
    for operator in found.operators.values():
        if isinstance(operator, Connective) and soft:
            operator.parameter.right_inverse(operator.parameter.sample(generator))
