import numpy as np
import pytest
import torch
from tests.training.problem import problem

from rulewright.training import judge as judging
from rulewright.training.judge import Judge, Values, leaf_weights, sampled
from rulewright.training.objectives import BinaryCrossEntropy

RNG = np.random.default_rng(0)


def judge_of(given, sparsity=0.0) -> Judge:
    values = Values(given.grounding, torch.device("cpu"))
    return Judge(values, given.targets, BinaryCrossEntropy(), sparsity, np.random.default_rng(0))


def test_the_judgement_is_the_loss_of_the_exact_truths():
    given = problem()
    network = given.build(0)
    truths = torch.from_numpy(network.truths(given.grounding))
    expected = BinaryCrossEntropy()(truths[given.targets.positives], truths[given.targets.negatives])
    network.train()
    assert judge_of(given)(network).loss == pytest.approx(expected.item())


def test_sparsity_is_in_the_loss_but_not_in_the_fit():
    given = problem()
    network = given.build(0)
    judgement = judge_of(given, sparsity=0.5)(network)
    assert judgement.loss - judgement.fitting == pytest.approx(0.5 * leaf_weights(network).item())
    assert leaf_weights(network).item() == pytest.approx(2, abs=0.2)  # four weights of about a half


def test_a_large_grounding_is_sliced_to_the_same_values(monkeypatch):
    given = problem()
    network = given.build(0).eval()
    rows = np.array([3, 0, 5])
    with torch.no_grad():
        whole = Values(given.grounding, torch.device("cpu")).at(network, rows)
        monkeypatch.setattr(judging, "WHOLE_UP_TO", 0)
        sliced = Values(given.grounding, torch.device("cpu"))
        assert sliced.whole is None
        assert torch.equal(sliced.at(network, rows), whole)


def test_a_large_grounding_is_judged_alike(monkeypatch):
    given = problem()
    network = given.build(0)
    whole = judge_of(given, 0.1)(network)
    monkeypatch.setattr(judging, "WHOLE_UP_TO", 0)
    assert judge_of(given, 0.1)(network).loss == pytest.approx(whole.loss)


def test_of_very_many_facts_a_sample_is_judged(monkeypatch):
    monkeypatch.setattr(judging, "JUDGED", 4)
    found = sampled(np.arange(100), RNG)
    assert len(found) == 4
    assert found.tolist() == sorted(set(found.tolist()))
    assert sampled(np.arange(3), RNG).tolist() == [0, 1, 2]
