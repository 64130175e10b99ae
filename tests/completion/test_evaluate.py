"""Figures against ranks counted by hand, and what they say of themselves."""

import numpy as np
import pytest
from tests.completion.toys import dataset_of, families, held_out, quick, random_pairs

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.evaluate import evaluate
from rulewright.completion.mixture import Mixture
from rulewright.completion.model import CompletionModel
from rulewright.errors import OptionError
from rulewright.kb.splits import Dataset

STRANGE = [("stranger", "parent", "p00"), ("g0", "unheard", "g1"), ("c000", "unheard", "stranger")]


@pytest.fixture(scope="module")
def learned() -> tuple[CompletionModel, Dataset]:
    train, test = held_out([*families(6), *random_pairs("noise", 12, 50, 1)], "grandparent", 5)
    train, valid = held_out(train, "noise", 6)
    dataset = dataset_of(train, valid, [*test, *STRANGE])
    return complete(dataset, quick(constants=ConstantSettings(), answer=True, epochs=5), threads=1), dataset


def by_hand(model: CompletionModel, dataset: Dataset, head: int, relation: int, answer: int) -> tuple[int, int]:
    """(above, level) of an answer, from the scores and the facts of all splits."""
    scores = model.scorer(relation).scores(head)
    everything = np.concatenate([dataset.train, dataset.valid, dataset.test]).tolist()
    base, backwards = relation >> 1, relation & 1
    known = {(h if backwards else t) for h, r, t in everything if r == base and (t if backwards else h) == head}
    rivals = [entity for entity in range(len(dataset.entities)) if entity == answer or entity not in known]
    above = sum(bool(scores[e] > scores[answer]) for e in rivals)
    return above, sum(bool(scores[e] == scores[answer]) for e in rivals)


def test_ranks_are_those_of_the_scores_by_hand(learned: tuple[CompletionModel, Dataset]) -> None:
    model, dataset = learned
    reciprocals = []
    for head, base, tail in dataset.test.tolist():
        for start, relation, answer in ((head, 2 * base, tail), (tail, 2 * base + 1, head)):
            above, level = by_hand(model, dataset, start, relation, answer)
            reciprocals.append(np.mean([1 / rank for rank in range(above + 1, above + level + 1)]))
    found = evaluate(model, dataset, "test", 1)
    assert found.queries == len(reciprocals) == 2 * len(dataset.test)
    assert found.figures["mrr"] == pytest.approx(np.mean(reciprocals))


@pytest.mark.parametrize("split", ["train", "valid", "test"])
def test_parts_recombine_to_the_whole(learned: tuple[CompletionModel, Dataset], split: str) -> None:
    found = evaluate(*learned, split, 1)
    assert sum(row.queries for row in found.relations) == found.queries
    for name, figure in found.figures.items():
        assert sum(row.queries * row.figures[name] for row in found.relations) / found.queries == pytest.approx(figure)
        assert (found.tails[name] + found.heads[name]) / 2 == pytest.approx(figure)
        assert found.pessimistic[name] <= figure + 1e-12
        assert figure <= found.optimistic[name] + 1e-12


def test_scores_are_finite_also_for_what_training_never_saw(learned: tuple[CompletionModel, Dataset]) -> None:
    model, dataset = learned
    for relation in range(2 * len(dataset.relations)):
        for head in range(len(dataset.entities)):
            assert np.isfinite(model.scorer(relation).scores(head)).all()
    unheard = model.relation_id("unheard")
    assert not model.scorer(unheard).scores(0).any()
    assert not model.mixture(unheard).weights.size


def test_a_relation_that_training_never_saw_gets_the_figures_of_chance(
    learned: tuple[CompletionModel, Dataset],
) -> None:
    found = next(row for row in evaluate(*learned, "test", 1).relations if row.relation == "unheard")
    size = len(learned[1].entities)
    assert found.figures["mrr"] == pytest.approx(sum(1 / rank for rank in range(1, size + 1)) / size)


def test_the_number_of_threads_changes_no_figure(learned: tuple[CompletionModel, Dataset]) -> None:
    one, two = (evaluate(*learned, "test", threads).as_dict() for threads in (1, 2))
    for timing in ("seconds", "peak_rss_mb"):
        del one[timing], two[timing]
    assert one == two


def test_the_protocol_says_what_is_ranked_and_how(learned: tuple[CompletionModel, Dataset]) -> None:
    done: list[str] = []
    found = evaluate(*learned, "test", 1, done.append).as_dict()
    size = len(learned[1].entities)
    for part in ("toy, test split", "both directions", f"all {size} entities", "filtered", "ties averaged"):
        assert part in found["protocol"]
    assert list(found)[:8] == ["mrr", "hits@1", "hits@3", "hits@10", "queries", "seconds", "peak_rss_mb", "protocol"]
    assert sorted(set(done)) == ["grandparent", "parent", "unheard"]
    assert found["peak_rss_mb"] > 10


def test_what_cannot_be_evaluated_is_refused(learned: tuple[CompletionModel, Dataset]) -> None:
    model, _ = learned
    with pytest.raises(OptionError, match="no valid queries"):
        evaluate(model, dataset_of(families(2)), "valid")
    with pytest.raises(OptionError, match="split must be one of"):
        evaluate(model, dataset_of(families(2)), "dev")
    with pytest.raises(OptionError, match="threads"):
        evaluate(*learned, "test", threads=-1)


def test_an_empty_mixture_scores_everyone_the_same(learned: tuple[CompletionModel, Dataset]) -> None:
    model, _ = learned
    none = CompletionModel("none", model.entities, model.relations, model.triples, {}, model.settings)
    assert not none.scorer(0).scores(1).any()
    assert len(Mixture.empty(4, 3).paths) == 0
