"""Presets by the shape of the data, and what the paper's one may use."""

from pathlib import Path

import numpy as np
import pytest
from tests.completion.toys import dataset_of, families

from rulewright.cli.learn_graph import read_settings
from rulewright.completion.complete import complete
from rulewright.completion.presets import DENSE, SMALL, SMALL_ENTITIES, SPARSE, SPARSE_RELATIONS, preset_for
from rulewright.completion.rules import rules_of
from rulewright.completion.settings import CompletionSettings
from rulewright.errors import OptionError
from rulewright.kb.splits import Dataset
from rulewright.kb.vocabulary import Vocabulary


def shaped(entities: int, relations: int) -> Dataset:
    triples = np.zeros((1, 3), np.int64)
    names = Vocabulary(f"e{n}" for n in range(entities)), Vocabulary(f"r{n}" for n in range(relations))
    return Dataset("shape", *names, triples, triples, triples[:0], triples[:0])


@pytest.mark.parametrize(
    ("entities", "relations", "preset"),
    [
        (SMALL_ENTITIES, 500, SMALL),
        (SMALL_ENTITIES + 1, SPARSE_RELATIONS, SPARSE),
        (SMALL_ENTITIES + 1, SPARSE_RELATIONS + 1, DENSE),
    ],
)
def test_the_best_preset_goes_by_the_shape(entities: int, relations: int, preset: object) -> None:
    found = preset_for(shaped(entities, relations), "best", seed=7)
    assert found.seed == 7
    assert {k: v for k, v in vars(found).items() if k != "seed"} == {
        k: v for k, v in vars(preset).items() if k != "seed"
    }


def test_the_papers_preset_uses_paths_alone_and_its_own_loss() -> None:
    for shape, length in (((100, 5), 3), ((2000, 11), 5), ((2000, 237), 4)):
        found = preset_for(shaped(*shape), "paper", seed=3)
        assert (found.length, found.seed, found.objective, found.sharpness) == (length, 3, "margin", 0.0)
        assert found.constants is None
        assert not found.direct
        assert not found.answer


def test_the_papers_preset_learns_rules_of_paths_with_weights_above_0() -> None:
    dataset = dataset_of(families(6))
    model = complete(dataset, preset_for(dataset, "paper"), threads=1)
    for relation in range(4):
        assert {rule.kind for rule in rules_of(model, relation)} <= {"path"}
        assert (model.mixture(relation).weights >= 0).all()
        assert np.isfinite(model.mixture(relation).loss)
    best = rules_of(model, model.relation_id("grandparent"))[0]
    assert str(best.rule) == "grandparent(X, Y) :- parent(X, A), parent(A, Y)."


def test_another_preset_does_not_exist() -> None:
    with pytest.raises(OptionError, match="best or paper"):
        preset_for(shaped(1, 1), "worst")


@pytest.mark.parametrize(
    ("name", "preset"), [("umls", SMALL), ("kinship", SMALL), ("WN18RR", SPARSE), ("FB15k-237", DENSE)]
)
def test_the_frozen_settings_of_a_data_set_are_those_of_its_preset(name: str, preset: CompletionSettings) -> None:
    frozen = Path(__file__).resolve().parents[2] / "benchmarks" / "settings" / f"{name}.toml"
    assert read_settings(frozen, CompletionSettings()) == preset
