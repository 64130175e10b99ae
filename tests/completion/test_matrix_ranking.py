"""Ranks by products of matrices, against those by walking: the code that runs on a GPU, run by torch on the CPU."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.completion.toys import dataset_of, families, held_out, quick, random_pairs

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings, no_rules
from rulewright.completion.evaluate import evaluate
from rulewright.completion.matrix_ranking import MatrixRanker, MatrixScorer, ranker_on
from rulewright.completion.mixture import COLUMNS, Mixture
from rulewright.completion.model import CompletionModel
from rulewright.completion.path_matrices import EdgesByEnd, path_steps
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import OptionError
from rulewright.kb.splits import Dataset
from rulewright.kb.vocabulary import Vocabulary
from rulewright.paths.graph import Walker, both_directions, build_graph

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def learned() -> tuple[CompletionModel, Dataset]:
    """A model with every kind of base predicate."""
    facts = [*families(8), *random_pairs("noise", 12, 50, 1), *random_pairs("other", 12, 40, 2)]
    train, test = held_out(facts, "grandparent", 5)
    train, valid = held_out(train, "noise", 6)
    dataset = dataset_of(train, valid, [*test, ("stranger", "parent", "p00"), ("g0", "unheard", "g1")])
    chosen = quick(constants=ConstantSettings(), answer=True, direct=True, epochs=5)
    return complete(dataset, chosen, threads=1), dataset


def assert_same_scores(model: CompletionModel) -> None:
    """Every entity's score for every head and relation."""
    edges = EdgesByEnd.of(model.graph, CPU)
    heads = torch.arange(len(model.entities))
    for relation in range(2 * len(model.relations)):
        found = MatrixScorer(model, edges, relation).scores(heads).numpy()
        scorer = model.scorer(relation)
        walked = np.stack([scorer.scores(head) for head in heads.tolist()], axis=1)
        np.testing.assert_allclose(found, walked, rtol=2e-5, atol=2e-6)


def test_scores_are_those_of_the_walks(learned: tuple[CompletionModel, Dataset]) -> None:
    model = learned[0]
    kinds = [any(getattr(m, part).any() for m in model.mixtures.values()) for part in ("weights", "direct", "answer")]
    columns = np.max([m.columns for m in model.mixtures.values()], axis=0)
    assert all(kinds)
    assert (columns > 0).all()  # or the comparison would leave a part out
    assert_same_scores(model)


@st.composite
def models(draw: st.DrawFn) -> CompletionModel:
    """Any graph with any weighted paths, limits included."""
    entities, relations = draw(st.integers(2, 7)), draw(st.integers(1, 3))
    ids = st.tuples(st.integers(0, entities - 1), st.integers(0, relations - 1), st.integers(0, entities - 1))
    triples = np.array(draw(st.lists(ids, min_size=1, max_size=25)), dtype=np.int64)
    length = draw(st.integers(1, 4))
    steps = st.lists(st.integers(0, 2 * relations - 1), min_size=1, max_size=length)
    bodies = sorted({(*body, *[-1] * (length - len(body))) for body in draw(st.lists(steps, min_size=1, max_size=12))})
    paths = np.array(bodies, dtype=np.int32)
    rng = np.random.default_rng(draw(st.integers(0, 9)))
    weights = rng.random(len(paths)).astype(np.float32)
    if draw(st.booleans()):
        weights[rng.random(len(paths)) < 0.3] = 0
    walker: Walker = draw(st.sampled_from(["forward", "symmetric"]))
    chosen = CompletionSettings(
        length=length,
        walker=walker,
        sharpness=draw(st.sampled_from([0.0, 10.0])),
        most=draw(st.sampled_from([1, 2, 99])),
    )
    nothing = np.zeros(0, np.float32)
    mixture = Mixture(
        0, paths, weights, np.ones(len(paths), np.int64), weights, np.zeros(len(COLUMNS), np.float32), nothing, nothing,
        no_rules(),
    )  # fmt: skip
    names = Vocabulary(f"e{n}" for n in range(entities)), Vocabulary(f"r{n}" for n in range(relations))
    return CompletionModel("any", *names, triples, {0: mixture}, chosen)


@given(models())
@settings(max_examples=150, deadline=None)
def test_any_paths_on_any_graph_score_as_they_are_walked(model: CompletionModel) -> None:
    assert_same_scores(model)


def test_paths_that_begin_alike_share_their_rows() -> None:
    graph = build_graph(np.array([[0, 0, 1], [1, 1, 2], [1, 1, 3]]), 4, 2)
    paths = np.array([[0, -1], [0, 1], [0, 2], [2, -1]], dtype=np.int32)
    first, second = path_steps(EdgesByEnd.of(graph, CPU), paths, np.ones(4, np.float32))
    assert first.relations.tolist() == [0, 2]
    assert second.relations.tolist() == [1, 2]
    assert first.rows == 1 + 2  # relation 0 leads to entity 1, relation 2 (the second one) to entities 2 and 3


@pytest.mark.parametrize("budget", [0, 100_000, 1_000_000_000])
def test_ranks_are_those_of_the_walks_however_many_heads_fit(
    learned: tuple[CompletionModel, Dataset], budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, dataset = learned
    monkeypatch.setattr("rulewright.completion.matrix_ranking.BUDGET", budget)
    monkeypatch.setattr("rulewright.completion.matrix_ranking.QUERIES", 7)
    everything = np.concatenate([dataset.train, dataset.valid, dataset.test])
    known = build_graph(everything, len(dataset.entities), len(dataset.relations))
    ranker = MatrixRanker(model, CPU)
    queries = np.random.default_rng(0).permutation(both_directions(everything))
    for relation in range(2 * len(dataset.relations)):
        asked = queries[queries[:, 1] == relation][:, [0, 2]]
        found, walked = ranker.rank(relation, asked, known), model.rank(relation, asked, known)
        middle, wanted = found.higher + found.equal / 2, walked.higher + walked.equal / 2
        assert (found.equal >= 1).all()
        assert (middle == wanted).mean() > 0.98  # the rest: scores that differ by rounding alone
        assert found.figures()["mrr"] == pytest.approx(walked.figures()["mrr"], abs=2e-3)


def test_a_device_that_is_not_there_is_told_before_the_work(learned: tuple[CompletionModel, Dataset]) -> None:
    with pytest.raises(OptionError, match="device 'quantum' cannot be used"):
        evaluate(*learned, device="quantum")
    if not torch.cuda.is_available():
        with pytest.raises(OptionError, match=r"device 'cuda' cannot be used: torch .* without CUDA|no CUDA device"):
            evaluate(*learned, device="cuda")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_gpu_gives_the_same_figures(learned: tuple[CompletionModel, Dataset]) -> None:
    here, there = evaluate(*learned), evaluate(*learned, device="cuda")
    for name, figure in here.figures.items():
        assert there.figures[name] == pytest.approx(figure, abs=2e-3)


def test_the_cpu_is_left_to_the_model_itself(learned: tuple[CompletionModel, Dataset]) -> None:
    ranker, threads = ranker_on(learned[0], torch.device("cpu"), 3)
    assert ranker is learned[0]
    assert threads == 3
