"""Rules dropped, added, pinned, and the rest fitted again around them."""

import pytest
from tests.completion.toys import dataset_of, families, held_out, quick

from rulewright.completion.complete import complete
from rulewright.completion.editing import add, drop, pin, refit
from rulewright.completion.rules import rules_of
from rulewright.completion.saving import load_model, save_model
from rulewright.errors import InputError, OptionError
from rulewright.rules.exchange.rule_text import parse_rules

TRAIN, TEST = held_out(families(), "grandparent", 4)
DATA = dataset_of(TRAIN, test=TEST)
MODEL = complete(DATA, quick(), 1)
GRANDPARENT = 2
GOOD = "grandparent(X, Y) :- parent(X, A), parent(A, Y)."
LONG = "grandparent(X, Y) :- parent(X, A), parent(A, B), parent(B, C), parent(C, Y)."


def rule(text):
    (rated,) = parse_rules(text)
    return rated.rule


def weights(model, relation=GRANDPARENT):
    return {str(found.rule): found.weight for found in rules_of(model, relation)}


def test_a_dropped_rule_is_gone_and_the_old_model_stays():
    edited = drop(MODEL, GRANDPARENT, rule(GOOD))
    assert GOOD not in weights(edited)
    assert GOOD in weights(MODEL)
    rest = {text: weight for text, weight in weights(MODEL).items() if text != GOOD}
    assert weights(edited) == rest
    assert MODEL.predict("g0", "grandparent", 1, True) != edited.predict("g0", "grandparent", 1, True)


def test_a_rule_may_be_written_with_other_variables_and_in_another_order():
    assert GOOD not in weights(drop(MODEL, GRANDPARENT, rule("grandparent(U, V) :- parent(W, V), parent(U, W).")))


def test_an_added_rule_counts_what_it_is_given_even_if_it_is_longer_than_others():
    edited = add(drop(MODEL, GRANDPARENT, rule(GOOD)), GRANDPARENT, rule(LONG), 0.7)
    assert weights(edited)[LONG] == pytest.approx(0.7)
    again = add(edited, GRANDPARENT, rule(GOOD), 2.0)
    assert weights(again)[GOOD] == 2.0
    assert again.predict("g0", "grandparent", 1, True)[0].score >= 1


def test_inverse_relations_have_rules_of_their_own():
    text = "grandparent(Y, X) :- parent(A, X), parent(Y, A)."
    edited = drop(MODEL, GRANDPARENT + 1, rule(GOOD))
    assert weights(edited) == weights(MODEL)
    assert text in weights(MODEL, GRANDPARENT + 1)
    assert text not in weights(edited, GRANDPARENT + 1)


def test_a_pinned_weight_is_left_alone_and_a_dropped_rule_stays_away():
    dropped = next(text for text in weights(MODEL) if text != GOOD)
    edited = pin(drop(MODEL, GRANDPARENT, rule(dropped)), GRANDPARENT, rule(GOOD), 0.25)
    again = refit(edited, DATA, {GRANDPARENT})
    assert weights(again)[GOOD] == 0.25
    assert dropped not in weights(again)
    free = refit(drop(MODEL, GRANDPARENT, rule(dropped)), DATA, {GRANDPARENT})
    assert weights(free)[GOOD] > 0.25
    assert again.mixture(GRANDPARENT + 1) is MODEL.mixture(GRANDPARENT + 1)


def test_what_is_pinned_stays_so_in_a_run_folder(tmp_path):
    edited = pin(MODEL, GRANDPARENT, rule(GOOD))
    loaded = load_model(save_model(edited, tmp_path / "run", "toy"))
    assert loaded.pinned == edited.pinned != {}
    assert weights(refit(loaded, DATA, {GRANDPARENT}))[GOOD] == weights(MODEL)[GOOD]


def test_literals_are_dropped_and_added_too():
    text = "grandparent(X, Y) :- not parent(X, Y)."
    edited = add(MODEL, GRANDPARENT, rule(text), 0.5)
    assert weights(edited)[text] == 0.5
    assert text not in weights(drop(edited, GRANDPARENT, rule(text)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda: drop(MODEL, GRANDPARENT, rule(LONG)), "grandparent has no rule"),
        (lambda: drop(MODEL, 0, rule(GOOD)), "is no rule of parent"),
        (lambda: add(MODEL, GRANDPARENT, rule("grandparent(X, Y) :- parents(X, Y)."), 1), "did you mean parent"),
        (lambda: pin(MODEL, GRANDPARENT, rule(LONG)), "say its weight"),
    ],
)
def test_what_cannot_be_changed_is_told(change, told):
    with pytest.raises(InputError, match=told):
        change()


@pytest.mark.parametrize("weight", [0, -1, float("inf"), float("nan")])
def test_a_weight_must_be_a_positive_number(weight):
    with pytest.raises(OptionError, match="greater than 0"):
        add(MODEL, GRANDPARENT, rule(LONG), weight)
