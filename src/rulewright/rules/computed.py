"""computed(network, kb, grounding): the values of a network in training or trained, ready to be followed as a tree."""

import torch

from rulewright.grounding.lineage import Grounding
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.operators import And, Attention, Mixture, Or
from rulewright.rules.lineage_tree import LineageTree
from rulewright.rules.weighing import Weighing


def computed(network: RuleNetwork, kb: KnowledgeBase, grounding: Grounding, witnesses: int = 1) -> LineageTree:
    """The tree over the values of all facts of a grounding."""
    training = network.training
    with torch.no_grad():
        values = [value.tolist() for value in network.eval().values(grounding)]
        weighings = network_weighings(network)
    network.train(training)
    return LineageTree(weighings, values, kb, grounding, witnesses)


def network_weighings(network: RuleNetwork) -> dict[int, Weighing]:
    """The figures of every step that has an operator of its own."""
    found = {}
    for place in range(len(network.plan.steps)):
        operator = network.operator(place)
        if isinstance(operator, And | Or | Mixture):
            bias = None if isinstance(operator, Attention) else float(operator.bias)
            found[place] = Weighing(tuple(operator.weights.tolist()), bias)
    return found
