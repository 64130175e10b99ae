"""A model for other tools: JSON without loss, counted figures, and Prolog that adds up the same scores."""

import json

import numpy as np
import pytest
from tests.completion.toys import dataset_of, families, held_out, quick
from tests.rules.exchange.engines import clingo_facts, needs_prolog, prolog

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.exporting import (
    is_crisp,
    knowledge_base,
    model_from_json,
    model_to_json,
    programs,
    rated_rules,
    weighted_rules,
)
from rulewright.completion.saving import mixtures_to_arrays
from rulewright.errors import RunFolderError
from rulewright.rules.exchange.datalog import to_datalog
from rulewright.rules.exchange.weighted_prolog import to_weighted_prolog

DATA = dataset_of([*held_out(families(6), "grandparent", 4)[0], ("p00", "write", "It's me"), ("p01", "member", "c000")])
MODEL = complete(DATA, quick(), 1)
CRISP = complete(DATA, quick(sharpness=0.0, direct=False), 1)


@pytest.mark.parametrize("constants", [None, ConstantSettings()])
def test_json_holds_everything(constants):
    model = complete(DATA, quick(constants=constants, answer=True), 1)
    found = model_from_json(json.loads(json.dumps(model_to_json(model, with_facts=True))))
    assert (found.name, found.settings) == (model.name, model.settings)
    assert (found.entities.names, found.relations.names) == (model.entities.names, model.relations.names)
    np.testing.assert_array_equal(found.triples, model.triples)
    expected, arrays = mixtures_to_arrays(model.mixtures), mixtures_to_arrays(found.mixtures)
    assert arrays.keys() == expected.keys()
    for name, array in expected.items():
        assert arrays[name].dtype == array.dtype, name
        np.testing.assert_array_equal(arrays[name], array, err_msg=name)
    assert [mixture.loss for mixture in found.mixtures.values()] == [m.loss for m in model.mixtures.values()]


@pytest.mark.parametrize("change", [{"kind": "other"}, {"widths": {}}, {"entities": []}, {"facts": [[0, 0, 99999]]}])
def test_json_of_something_else_is_refused(change):
    with pytest.raises(RunFolderError):
        model_from_json(model_to_json(MODEL, with_facts=True) | change)


def test_figures_are_counted_on_the_graph():
    (best, *_) = [r for r in rated_rules(MODEL, 2) if str(r.rule) == "grandparent(X, Y) :- parent(X, A), parent(A, Y)."]
    assert (best.predicted, best.correct) == (24, 18)
    assert best.confidence == 0.75


@needs_prolog
def test_prolog_adds_up_the_scores_of_a_model_whose_truths_are_0_or_1(tmp_path):
    assert is_crisp(CRISP, CRISP.mixtures)
    assert not is_crisp(MODEL, MODEL.mixtures)
    rules = weighted_rules(CRISP, CRISP.mixtures, None)
    text = "".join(to_weighted_prolog(rules, knowledge_base(CRISP), with_facts=True, exact=True))
    assert "'write fact' stands for 'write'" in text.replace('"', "'")
    for name, query in (("grandparent", "g0"), ("grandparent^-1", "c000"), ("parent", "g1")):
        goal = f"forall(answer('{name}', '{query}', A, S), format('~w\t~15|~w~n', [A, S]))"
        found = {line.split()[0]: float(line.split()[1]) for line in prolog(text, goal.replace("\t", " "), tmp_path)}
        scores = CRISP.scorer(CRISP.relation_id(name)).scores(CRISP.entity_id(query))
        expected = {CRISP.entities.name(place): float(scores[place]) for place in np.flatnonzero(scores).tolist()}
        assert found == pytest.approx(expected, abs=1e-5)
        assert found


def test_datalog_derives_every_answer_that_a_rule_speaks_for():
    found, left_out = programs(CRISP, [2], None)
    assert left_out == 0
    derived = clingo_facts("".join(to_datalog(found, knowledge_base(CRISP), with_facts=True)))
    expected = set()
    for head in range(len(DATA.entities)):
        for tail in np.flatnonzero(CRISP.scorer(2).scores(head)).tolist():
            expected.add((DATA.entities.name(head), DATA.entities.name(tail)))
    assert derived == expected != set()
