import math

import numpy as np
import pytest

from rulewright.errors import LabelError, OptionError
from rulewright.grounding.ground import ground
from rulewright.grounding.lineage import Grounding
from rulewright.grounding.plan import plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.training.labels import Targets, labels_apart, place_labels

KB = KnowledgeBase.of({"p": [("a", "b"), ("a", 1), ("b", "c"), ("c", "d")], "q": [("b", "a")]})
TEMPLATE = parse_template("t(X, Y) :- P(X, Y). P in {p}.")


def grounding() -> Grounding:
    return ground(plan(bind(TEMPLATE, KB)), KB)


def placed(labels, **options) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    found = grounding()
    targets = place_labels(labels, found, KB, **options)
    return tuple(sorted(KB.decode(found.roots[rows])) for rows in (targets.positives, targets.negatives))


def test_listed_facts_are_true_and_all_others_false():
    positives, negatives = placed([("a", "b"), ("b", "c")])
    assert positives == [("a", "b"), ("b", "c")]
    assert negatives == [("a", "1"), ("c", "d")]


def test_with_a_negative_label_the_unlisted_take_no_part():
    assert placed({("a", "b"): 1, ("b", "c"): 0.2}) == ([("a", "b")], [("b", "c")])


def test_unlisted_may_be_said_to_be_false_or_unknown():
    assert placed({("a", "b"): 1, ("b", "c"): 0}, unlisted="false")[1] == [("a", "1"), ("b", "c"), ("c", "d")]
    assert placed([("a", "b")], unlisted="unknown") == ([("a", "b")], [])


def test_a_truth_of_one_half_is_positive():
    assert placed({("a", "b"): 0.5, ("b", "c"): 0.49}) == ([("a", "b")], [("b", "c")])


def test_labels_name_constants_as_facts_do():
    assert placed([("a", 1.0)])[0] == placed([("a", np.int64(1))])[0] == [("a", "1")]


def test_a_negative_label_that_cannot_arise_is_no_mistake():
    assert placed({("a", "b"): 1, ("b", "c"): 0, ("d", "a"): 0}) == ([("a", "b")], [("b", "c")])


def test_a_positive_label_that_cannot_arise_is_named():
    with pytest.raises(LabelError, match=r"1 labelled fact.*t\(d, 'Zoe'\).*impossible='ignore'"):
        placed([("a", "b"), ("d", "Zoe")])


def test_impossible_labels_may_be_left_out_but_are_remembered():
    found = grounding()
    targets = place_labels([("a", "b"), ("d", "a")], found, KB, impossible="ignore")
    assert targets.impossible == (("d", "a"),)
    assert len(targets.positives) == 1


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([], "there are no labels"),
        ([("d", "a")], "cannot arise"),
        ([("a",)], r"t\(a\) has 1 arguments, but the head is t\(X, Y\)"),
        (["ab"], "is not a tuple of constants"),
        ([("a", None)], "missing value"),
        ({("a", "b"): math.nan}, r"t\(a, b\) has truth nan"),
        ({("a", "b"): 1.5}, "has truth 1.5"),
        ({("a", "b"): "high"}, "has truth 'high'"),
    ],
)
def test_unusable_labels_are_told(labels, message):
    with pytest.raises(LabelError, match=message):
        placed(labels)


def test_all_positives_left_out_is_an_error():
    with pytest.raises(LabelError, match="no positive label can arise"):
        placed([("d", "a")], impossible="ignore")


@pytest.mark.parametrize("option", [{"unlisted": "maybe"}, {"impossible": "warn"}])
def test_unknown_options_are_told_with_the_known_ones(option):
    with pytest.raises(OptionError, match="must be one of"):
        placed([("a", "b")], **option)


def test_a_share_of_both_kinds_is_put_aside():
    targets = Targets(np.arange(10), np.arange(10, 50))
    training, validation = targets.split(0.3, np.random.default_rng(0))
    assert (len(training.positives), len(validation.positives)) == (7, 3)
    assert (len(training.negatives), len(validation.negatives)) == (28, 12)
    assert sorted([*training.positives, *validation.positives]) == list(range(10))


def test_a_small_share_still_puts_one_of_each_aside():
    _, validation = Targets(np.arange(2), np.arange(2, 4)).split(0.01, np.random.default_rng(0))
    assert len(validation.positives) == len(validation.negatives) == 1


def test_a_large_share_still_leaves_one_of_each():
    training, _ = Targets(np.arange(2), np.arange(2, 4)).split(0.99, np.random.default_rng(0))
    assert len(training.positives) == len(training.negatives) == 1


def test_too_few_labels_for_validation_are_told():
    with pytest.raises(LabelError, match="1 positive and 2 negative"):
        Targets(np.arange(1), np.arange(1, 3)).split(0.5, np.random.default_rng(0))


def test_no_share_puts_nothing_aside():
    targets = Targets(np.arange(1), np.arange(1, 3))
    training, validation = targets.split(0.0, np.random.default_rng(0))
    assert (len(training.positives), len(training.negatives), len(validation.positives)) == (1, 2, 0)


def test_labels_by_name_leave_the_bodies_without_the_answer():
    kb = KB.with_inverses()
    others, labels = labels_apart(kb, "p", TEMPLATE, None)
    assert set(others.relations) == {"q", "q^-1"}
    assert set(labels) == {("a", "b"), ("a", "1"), ("b", "c"), ("c", "d")}


def test_labels_by_an_inverse_name_hide_the_straight_relation_too():
    others, labels = labels_apart(KB, "p^-1", TEMPLATE, None)
    assert set(others.relations) == {"q"}
    assert ("b", "a") in labels


def test_without_labels_the_heads_own_facts_are_the_labels():
    kb = KB.with_relation("t", KB["q"])
    others, labels = labels_apart(kb, None, TEMPLATE, None)
    assert set(labels) == {("b", "a")}
    assert "t" not in others


def test_truths_of_facts_become_truths_of_labels():
    kb = KnowledgeBase.of({"t": [("a", "b"), ("b", "c")], "p": [("a", "b")]}, truth={"t": [1.0, 0.25]})
    assert labels_apart(kb, None, TEMPLATE, None)[1] == {("a", "b"): 1.0, ("b", "c"): 0.25}


def test_a_missing_relation_of_labels_is_told_with_near_names():
    with pytest.raises(LabelError, match="no predicate tt"):
        labels_apart(KB, "tt", TEMPLATE, None)


def test_labels_that_are_all_there_is_are_told():
    kb = KnowledgeBase.of({"t": [("a", "b")]})
    with pytest.raises(LabelError, match="no facts to learn from"):
        labels_apart(kb, None, TEMPLATE, None)
