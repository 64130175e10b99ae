"""Rules from elsewhere: what fits, what does not, and that it is weighed."""

import numpy as np
import pytest
from tests.completion.toys import dataset_of, families, held_out, quick

from rulewright.completion.complete import complete
from rulewright.completion.counting import count_hits, count_predictions
from rulewright.completion.evaluate import evaluate
from rulewright.completion.placing import given_rules
from rulewright.completion.rules import rules_of
from rulewright.logic.rated import RatedRule
from rulewright.paths.graph import build_graph
from rulewright.rules.exchange.rule_text import parse_rules

TRIPLES = families()
TRAIN, TEST = held_out(TRIPLES, "grandparent", 4)
DATA = dataset_of(TRAIN, test=TEST)
PARENT, GRANDPARENT = 0, 2  # directed


def given(text: str, data=DATA):
    return given_rules(parse_rules(text), data.entities, data.relations)


def test_a_chain_is_a_path_of_the_relation_and_turned_round_of_its_inverse():
    found = given("grandparent(X, Y) :- parent(A, Y), parent(X, A).")
    assert found.paths[GRANDPARENT].tolist() == [[PARENT, PARENT]]
    assert found.paths[GRANDPARENT + 1].tolist() == [[PARENT + 1, PARENT + 1]]
    assert not found.misfits


def test_inverses_paths_of_other_lengths_and_repetitions_are_understood():
    found = given(
        "grandparent(X, Y) :- parent^-1(A, X), parent(A, Y). grandparent(U, V) :- parent(U, V)."
        "grandparent(X, Y) :- parent(X, A), parent(A, Y)."
    )
    assert found.paths[GRANDPARENT].tolist() == [[PARENT, -1], [PARENT, PARENT]]
    assert (found.length, len(found)) == (2, 4)


def test_rules_with_constants_belong_to_the_side_that_the_variable_is_on():
    found = given("grandparent(X, c000) :- parent(X, p00). grandparent(g0, Y) :- parent(p00, Y).")
    n, entity = len(DATA.entities), DATA.entities.id
    own = [table.tolist() for table in found.constants[GRANDPARENT]]
    assert own == [[PARENT * n + entity("p00")], [entity("c000")]]
    assert [table.tolist() for table in found.constants[GRANDPARENT + 1]] == [
        [(PARENT + 1) * n + entity("p00")],
        [entity("g0")],
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("grandparent(X, Y) :- parent(X, A), parent(X, Y).", "no chain"),
        ("grandparent(X, Y) :- parent(X, A), parent(A, A), parent(A, Y).", "no chain"),
        ("grandparent(X, X) :- parent(X, A), parent(A, X).", "no chain"),
        ("grandparent(X, Y) :- parent(X, A), parent(A, X), parent(X, Y).", "no chain"),
        ("grandparent(X, Y) :- parent(X, A).", "no chain"),
        ("grandparent(X, Y) :- grandparent(X, Y).", "is the head"),
        ("grandparent(X, Y) :- not parent(X, Y).", "negation"),
        ("grandparent(X, Y) :- parent(X, Y), X != Y.", "comparison"),
        ("grandparent(X, Y) :- parent(X, Y, Z).", "two arguments"),
        ("grandparent(X, Y) :- parent(X, ann), parent(ann, Y).", "constants"),
        ("grandparent(X, g0) :- parent(X, A).", "constants"),
        ("grandparent(X, Y) :- parents(X, Y).", "relation that the data does not have"),
        ("grandparent(X, g00) :- parent(X, p00).", "entity that the data does not have"),
    ],
)
def test_what_does_not_fit_is_told_with_its_reason(text, reason):
    found = given(text)
    assert len(found) == 0
    assert reason in str(found.misfits)
    assert ":-" in str(found.misfits)


def test_misspelt_names_come_with_the_nearest_known_ones_and_examples_are_few():
    told = str(given("grandparent(X, Y) :- parnt(X, Y). " * 5).misfits)
    assert "5 rules do not fit" in told
    assert told.count("did you mean parent or grandparent?") == 3


def test_given_paths_replace_mined_ones_and_their_weights_are_learned():
    long = "grandparent(X, Y) :- parent(X, A), parent(A, B), parent(B, Y)."
    text = f"grandparent(X, Y) :- parent(X, A), parent(A, Y). {long}"
    model = complete(DATA, quick(), 1, given=given(text))
    found = rules_of(model, GRANDPARENT)
    assert [str(rule.rule) for rule in found] == ["grandparent(X, Y) :- parent(X, A), parent(A, Y)."]
    assert found[0].weight > 0.5
    mined = next(rule for rule in rules_of(complete(DATA, quick(), 1), GRANDPARENT) if rule.rule == found[0].rule)
    assert (found[0].support, found[0].coverage) == (mined.support, mined.coverage)
    assert found[0].confidence == pytest.approx(mined.confidence)
    assert evaluate(model, DATA, "test", 1).as_dict()["hits@10"] == 1.0
    assert rules_of(model, PARENT) == []


def test_given_rules_with_constants_are_all_that_is_weighed():
    triples = [(f"p{n}", "lives", "paris" if n % 2 else "london") for n in range(40)]
    triples += [(f"p{n}", "speaks", "french" if n % 2 else "english") for n in range(40)]
    data = dataset_of(triples)
    model = complete(data, quick(), 1, given=given("speaks(X, french) :- lives(X, paris).", data))
    assert [str(rule.rule) for rule in rules_of(model, 2)] == ["speaks(X, french) :- lives(X, paris)."]
    assert rules_of(model, 2)[0].weight > 0


def test_paths_are_counted_as_mining_counts_them():
    graph = build_graph(DATA.graph, len(DATA.entities), len(DATA.relations))
    pairs = graph.pairs(GRANDPARENT)
    paths = np.array([[PARENT, -1], [PARENT, PARENT]], np.int32)
    counted = count_hits([(graph, pairs)], paths)
    assert counted.hits.tolist() == [0, len(pairs)]
    assert counted.mass[1] == pytest.approx(len(pairs) / 4)
    predicted, correct = count_predictions(graph, GRANDPARENT, paths)
    assert predicted.tolist() == [6 * 16, 4 * 16]
    assert correct.tolist() == [0, len(pairs)]


def test_thousands_of_rules_are_placed_without_delay():
    (rated,) = parse_rules("grandparent(X, Y) :- parent(X, A), parent(A, Y).")
    rules = [RatedRule(rated.rule)] * 20_000
    assert len(given_rules(rules, DATA.entities, DATA.relations)) == 2
