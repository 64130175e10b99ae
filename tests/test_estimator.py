import numpy as np
import pytest
from tests.learning_problems import PROBLEMS

from rulewright.errors import NotFittedError, OptionError
from rulewright.estimator import RuleLearner
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.training.fit import FitOptions

PROBLEM = PROBLEMS["grandparent"]


def fitted(**settings) -> RuleLearner:
    return RuleLearner(PROBLEM.template, **settings).fit(PROBLEM.kb, PROBLEM.labels)


def test_it_predicts_what_it_was_fitted_to():
    learner = fitted()
    assert learner.predict(PROBLEM.labels).all()
    others = sorted(set(learner.learned_.truths()) - set(PROBLEM.labels))
    assert not learner.predict(others).any()
    assert learner.predict(PROBLEM.labels).dtype == bool
    assert learner.predict_truth(PROBLEM.labels).dtype == np.float64


def test_a_fact_that_cannot_arise_is_false():
    assert fitted().predict_truth([("nobody", "p1")]).tolist() == [0]


def test_it_predicts_over_other_facts():
    others = KnowledgeBase.of(
        {"parent": [("u", "v"), ("v", "w")], **{name: [("u", "u")] for name in ("likes", "knows", "employs")}}
    )
    assert fitted().predict([("u", "w"), ("u", "u")], others).tolist() == [True, False]


def test_facts_name_constants_as_knowledge_bases_do():
    kb = KnowledgeBase.of({"p": [(1,), (2,)], "q": [(2,), (3,)]})
    learner = RuleLearner("t(X) :- P(X). P in {p, q}.").fit(kb, [(1.0,), (2.0,)])
    assert learner.predict([(1,), (1.0,), ("1",), (3,)]).tolist() == [True, True, True, False]


def test_the_threshold_decides():
    truth = fitted(threshold=0.5).predict_truth(PROBLEM.labels).min()
    assert truth > 0.9
    assert fitted(threshold=1.0).predict(PROBLEM.labels).sum() == (fitted().predict_truth(PROBLEM.labels) >= 1).sum()


def test_the_rules_are_there():
    assert [str(learned.rule) for learned in fitted().program_.rules] == list(PROBLEM.rules)


def test_before_fitting_there_is_nothing():
    learner = RuleLearner(PROBLEM.template)
    for attempt in (lambda: learner.predict([]), lambda: learner.program_, lambda: learner.predict_truth([])):
        with pytest.raises(NotFittedError, match=r"call fit\(kb, labels\) first"):
            attempt()


def test_parameters_are_the_constructors_arguments():
    options = FitOptions(epochs=5)
    learner = RuleLearner(PROBLEM.template, options, alpha=0.9, threshold=0.7)
    assert learner.get_params() == {
        "template": PROBLEM.template,
        "options": options,
        "alpha": 0.9,
        "threshold": 0.7,
        "unlisted": "auto",
        "impossible": "error",
        "device": "cpu",
    }
    assert learner.set_params(alpha=0.8) is learner
    assert learner.get_params()["alpha"] == 0.8
    with pytest.raises(OptionError, match="no parameter beta; it has template, options, alpha"):
        learner.set_params(beta=1)


def test_scikit_learn_can_clone_it():
    base = pytest.importorskip("sklearn.base")
    learner = RuleLearner(PROBLEM.template, FitOptions(epochs=5), alpha=0.9)
    copy = base.clone(learner)
    assert copy is not learner
    assert copy.get_params() == learner.get_params()


def test_its_settings_reach_the_learning():
    with pytest.raises(OptionError, match="unlisted must be one of"):
        fitted(unlisted="maybe")
