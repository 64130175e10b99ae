"""An explanation's parts are the terms of the score, and its facts are facts."""

from dataclasses import replace

import numpy as np
import pytest

from rulewright.completion.complete import complete
from rulewright.completion.explain import explain
from rulewright.completion.model import CompletionModel
from rulewright.completion.presets import DENSE, SMALL, SPARSE
from rulewright.errors import InputError
from rulewright.kb.datasets import load_dataset
from rulewright.logic.terms import Constant
from rulewright.paths.mine import MiningLimits

LIGHT = {"paths": 60, "mined": 100, "queries": 120, "hard": 40, "easy": 10, "epochs": 4}
NARROW = MiningLimits(branch=20, table=16)


@pytest.fixture(scope="module", params=["small", "sparse", "dense"])
def model(request: pytest.FixtureRequest) -> CompletionModel:
    shape = {"small": SMALL, "sparse": SPARSE, "dense": DENSE}[request.param]
    light = replace(shape, **LIGHT, length=min(shape.length, 3), folds=4, used_folds=2, limits=NARROW)
    return complete(load_dataset("nations"), light)


def test_the_parts_add_up_to_the_score(model: CompletionModel) -> None:
    names, relations = model.entities.names, model.relations.names
    rng = np.random.default_rng(0)
    for _ in range(40):
        head, tail = (names[int(n)] for n in rng.integers(len(names), size=2))
        relation = relations[int(rng.integers(len(relations)))] + ("^-1" if rng.random() < 0.5 else "")
        found = explain(model, head, relation, tail)
        assert sum(part.share for part in found.parts) == pytest.approx(found.score, abs=1e-3)


def test_every_fact_shown_is_a_fact_and_the_walk_is_connected(model: CompletionModel) -> None:
    known = {(h, r, t) for h, r, t in model.triples.tolist()}
    entity, relation = model.entities.id, model.relations.id
    shown = 0
    for head, wanted, tail in model.triples[::97].tolist():
        names = model.entities.names
        found = explain(model, names[head], model.relations.names[wanted], names[tail])
        for part in found.parts:
            for fact in part.facts:
                first, second = (term.name for term in fact.terms if isinstance(term, Constant))
                assert (entity(first), relation(fact.predicate), entity(second)) in known
                shown += 1
            for before, after in zip(part.facts, part.facts[1:], strict=False):
                assert set(before.terms) & set(after.terms)
    assert shown > 0


def test_the_place_counts_all_entities_above(model: CompletionModel) -> None:
    names = model.entities.names
    scores = model.scorer(0).scores(0)
    found = explain(model, names[0], model.relations.names[0], names[3])
    assert found.higher == int((scores > scores[3]).sum())
    assert f"score {found.score:.3f}" in str(found)


def test_an_unknown_name_is_answered_with_the_nearest(model: CompletionModel) -> None:
    with pytest.raises(InputError, match="did you mean"):
        explain(model, model.entities.names[0] + "x", model.relations.names[0], model.entities.names[1])
