import numpy as np
import torch
from tests.training.problem import Problem, problem

from rulewright.grounding.ground import ground
from rulewright.grounding.plan import plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.training.judge import Judge, Values
from rulewright.training.labels import place_labels
from rulewright.training.objectives import BinaryCrossEntropy
from rulewright.training.prune import prune


def judge_of(given, sparsity=0.002) -> Judge:
    values = Values(given.grounding, torch.device("cpu"))
    return Judge(values, given.targets, BinaryCrossEntropy(), sparsity, np.random.default_rng(0))


def network_with(given, p, q):
    network = given.build(0)
    network.mixtures()["P"].start_from(torch.tensor(p))
    network.mixtures()["Q"].start_from(torch.tensor(q))
    return network


def weights(network) -> list[list[float]]:
    return [[round(w, 4) for w in network.mixtures()[name].weights.tolist()] for name in ("P", "Q")]


def test_remains_that_change_nothing_become_exactly_zero():
    given = problem()
    network = network_with(given, [1.0, 0.05], [1.0, 0.002])
    judged = prune(network, judge_of(given))
    assert weights(network) == [[1, 0], [1, 0]]
    assert judged == judge_of(given)(network)


def test_what_is_needed_stays():
    given = problem("t(X, Z) :- P(X, Y), Q(Y, Z) ; R(X, Z). P in {parent}. Q in {parent}. R in {friend}.")
    network = given.build(0)
    for name in ("P", "Q"):
        network.mixtures()[name].start_from(torch.tensor([1.0]))
    network.mixtures()["R"].start_from(torch.tensor([0.5]))
    prune(network, judge_of(given))
    assert network.mixtures()["P"].weights.item() == network.mixtures()["Q"].weights.item() == 1
    assert network.mixtures()["R"].weights.item() == 0


def test_a_shared_weight_goes_to_the_one_that_can_do_with_it():
    # In these facts whoever is a parent is also known as kin, so half a weight on each does what a whole one would.
    kb = KnowledgeBase.of({"parent": [("a", "b"), ("b", "c")], "kin": [("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")]})
    steps = plan(bind(parse_template("t(Y, X) :- P(X, Y). P in {parent, kin}."), kb))
    grounding = ground(steps, kb)
    given = Problem(steps, grounding, place_labels([("b", "a"), ("c", "b")], grounding, kb))
    network = given.build(0)
    network.mixtures()["P"].start_from(torch.tensor([0.7, 0.4]))
    prune(network, judge_of(given))
    assert network.mixtures()["P"].weights.tolist() == [1, 0]


def test_the_loss_never_rises():
    given = problem()
    for seed in range(20):
        network = given.build(seed)
        generator = torch.Generator().manual_seed(seed)
        for mixture in network.mixtures().values():
            mixture.start_from(torch.rand(2, generator=generator) * 1.5)
        before = judge_of(given)(network)
        after = prune(network, judge_of(given))
        assert after.loss <= before.loss
        assert after == judge_of(given)(network)


def test_fixed_leaves_and_attention_are_left_alone():
    given = problem("t(X, Z) :- P(X, Y), Q(Y, Z). P in {parent, friend} @fixed. Q in {parent, friend} @attention.")
    network = given.build(0)
    before = weights(network)
    prune(network, judge_of(given))
    assert weights(network) == before
