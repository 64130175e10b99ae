"""Chain templates, learned batch by batch: the paper's first way to complete a knowledge base."""

import numpy as np
import pytest
import torch

from rulewright.completion.chains import ChainFold, ChainSettings, learn_chains
from rulewright.errors import DatasetError, OptionError
from rulewright.grounding.ground import ground
from rulewright.grounding.leaves import Leaves
from rulewright.grounding.plan import plan
from rulewright.kb.splits import Dataset
from rulewright.kb.vocabulary import Vocabulary
from rulewright.lnn.network import RuleNetwork
from rulewright.paths.graph import build_graph
from rulewright.template.binding import bind
from rulewright.template.shapes import chain_up_to

PEOPLE, PARENT, LIKES, GRANDPARENT = 60, 0, 1, 2


def family(seed: int = 0) -> Dataset:
    """People with two parents each, some likings, and grandparents as they follow.

    Some of these are left for testing.
    """
    rng = np.random.default_rng(seed)
    parents = [(int(p), PARENT, child) for child in range(4, PEOPLE) for p in rng.choice(child, 2, replace=False)]
    likes = [(int(a), LIKES, int(b)) for a, b in rng.integers(PEOPLE, size=(80, 2))]
    up = {(p, c) for p, _, c in parents}
    grand = np.array(sorted({(g, GRANDPARENT, c) for g, p in up for q, c in up if p == q}))
    grand = rng.permutation(grand)
    aside = len(grand) // 4
    graph = np.array([*parents, *likes, *grand[aside:].tolist()])
    names = Vocabulary(f"p{n}" for n in range(PEOPLE))
    relations = Vocabulary(["parent", "likes", "grandparent"])
    return Dataset("family", names, relations, graph, graph, grand[:0], grand[:aside])


@pytest.fixture(scope="module")
def data() -> Dataset:
    return family()


def test_the_composition_behind_a_relation_is_learned(data: Dataset) -> None:
    rules = learn_chains(data, "grandparent", ChainSettings(length=2, epochs=30, step=0.3))
    assert str(rules.program.rules[0].rule) == "answer(X0, X2) :- parent(X0, X1), parent(X1, X2)."
    known = build_graph(np.concatenate([data.train, data.test]), PEOPLE, 3)
    assert rules.rank(data.test[:, [0, 2]], known, 2 * GRANDPARENT).figures()["mrr"] > 0.9


def test_a_relation_without_facts_is_refused(data: Dataset) -> None:
    with pytest.raises(DatasetError, match="no training facts of unheard"):
        learn_chains(data, "unheard")


def test_a_fold_hides_its_queries_in_both_directions(data: Dataset) -> None:
    steps = plan(bind(chain_up_to(1, head="answer"), data.knowledge_base().with_inverses()))
    hidden = data.train[data.train[:, 1] == GRANDPARENT][::3]
    fold = ChainFold(data, hidden, steps, data.knowledge_base().with_inverses().relations)
    seen = {tuple(fact) for fact in fold.kb["grandparent"].facts.tolist()}
    back = {tuple(fact) for fact in fold.kb["grandparent^-1"].facts.tolist()}
    for head, _, tail in hidden.tolist():
        assert (head, tail) not in seen
        assert (tail, head) not in back
    assert len(seen) == (data.train[:, 1] == GRANDPARENT).sum() - len(hidden)


def test_kept_leaves_ground_a_batch_as_fresh_ones_do(data: Dataset) -> None:
    kb = data.knowledge_base().with_inverses()
    steps = plan(bind(chain_up_to(3, head="answer"), kb))
    network = RuleNetwork(steps, seed=1).eval()
    leaves = Leaves()
    for batch in (data.test[:5, [0, 2]], data.test[5:9, [0, 2]], np.array([[3], [7]])):
        fresh, kept = ground(steps, kb, heads=batch), ground(steps, kb, heads=batch, leaves=leaves)
        assert kb.decode(fresh.roots) == kb.decode(kept.roots)
        np.testing.assert_allclose(network.truths(fresh), network.truths(kept), atol=1e-6)
    assert max(len(table) for table in kept.facts[:-1]) <= max(len(table) for table in fresh.facts)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_gpu_learns_the_same_chains(data: Dataset) -> None:
    here, there = (learn_chains(data, "grandparent", ChainSettings(epochs=3), device) for device in ("cpu", "cuda"))
    heads = np.arange(PEOPLE)
    np.testing.assert_allclose(there.scores(heads), here.scores(heads), rtol=1e-3, atol=1e-4)


def test_a_device_that_is_not_there_is_told(data: Dataset) -> None:
    with pytest.raises(OptionError, match="device 'warp' cannot be used"):
        learn_chains(data, "grandparent", device="warp")
