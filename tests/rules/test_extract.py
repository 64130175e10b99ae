import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.rules.networks import network, planned, random_facts, scramble

from rulewright.grounding.ground import ground
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.lnn.network import RuleNetwork
from rulewright.rules import extract as extracting
from rulewright.rules.derive import derive
from rulewright.rules.extract import extract
from rulewright.template.shapes import chain

KB = random_facts(0)

TEMPLATES = [
    "S(X, Z) :- P(X, Y), Q(Y, Z). P in {a, b, c}. Q in {a, b}.",
    "S(X, Z) :- R(X, Z) ; O(X, Z). R(X, Z) :- P(X, Y), Q(Y, Z). P in {a, b}. Q in {c}. O in {a, b}.",
    "S(X) :- P(X), not Q(X). P in {u, v, w}. Q in {u, v, w}.",
    "S(X) :- P(X, Y), not Q(Y). P in {a, b}. Q in {u, v, w}.",
    "S(X, Y) :- P(X, Y), not R(X, Y). R(X, Y) :- Q(X, Z), Q(Z, Y). P in {a, b}. Q in {b, c}.",
    "S(X, W) :- P(X, Y), P(Y, W). P in {a, b, c}.",
    "S(X, Y) :- P(X, Y), X < Y. P in {a, b, c}.",
    "S(X) :- P(X, N), Q(X, M), N <= M. P in {a, b}. Q in {b, c}.",
    "S(X) :- P(X) ; Q(X, Y). P in {u, v}. Q in {a, b}.",
    "S(X) :- (P(X) ; Q(X)), R(X, Y). P in {u, v}. Q in {v, w}. R in {a, b}.",
    "S(X) :- P(X), Q(X). P in {u, not v}. Q in {w, u}.",
    "S(X, Y) :- P(X, Y), Q(Y). P in {a, not b}. Q in {u, v}.",
    "S(X, Y) :- P(X, Y), Q(Y). P in {a, not b} over {a, c}. Q in {u, v}.",
    "S(X) :- P(X), Q(X). P in {u, not v} over {w}. Q in {w, u}.",
    "S(X) :- not P(X). P in {u, v}.",
    "S(X) :- not P(X) over {w}. P in {u, v}.",
    "S(X) :- not P(X) over {w, u}, Q(X). P in {u, v}. Q in {u, w}.",
    "S(X) :- P(X), not (Q(X) ; R(X)). P in {u, v, w}. Q in {u, v}. R in {v, w}.",
    "S(X) :- P(X), not (Q(X), R(X)). P in {u, v, w}. Q in {u, v}. R in {v, w}.",
    "S(X) :- P(X), not (not Q(X)). P in {u, v, w}. Q in {u, v}.",
    "S(X, Y) :- A(X, Y), B(X, Y). A(X, Y) :- P(X, Y) ; Q(Y, X). B(X, Y) :- P(X, Z), Q(Z, Y). P in {a, b}. Q in {b, c}.",
    "S(X, Y) :- P(X, Y), not Q(Y, X). P in {a, b}. Q in {a, not c}.",
    "S(X) @product :- P(X), Q(X). P in {u, v}. Q in {v, w}.",
    "S(X) @lukasiewicz :- P(X) ; Q(X). P in {u, v}. Q in {v, w}.",
    "S(X) :- P(X), Q(X). P in {u, v, w} @attention. Q in {u, v} @attention.",
    "S(X) :- P(X, c1). P in {a, b}.",
    "S(X, Y) :- P(X, Y, Z), not Q(Z). P in {s, t}. Q in {u, v}.",
    "S(X) :- P(X, X). P in {a, b}.",
    "S(X) :- P(X, Y), not Q(Y, Y), Y != X. P in {a, b}. Q in {b, c}.",
    "S(X) :- R(X), not T(X). R(X) :- P(X, Y). T(X) :- Q(Y, X), U(Y). P in {a, b}. Q in {b, c}. U in {u, v}.",
    "S(X, Y) :- a(X, Z), P(Z, Y) ; P(X, Y) ; u(X), P(Y, X). P in {b, c}.",
]
ANY_TEMPLATE = st.sampled_from(TEMPLATES)


def accepted(found: RuleNetwork, kb: KnowledgeBase, threshold: float) -> set[tuple[str, ...]]:
    """The facts to which the network gives the threshold; such as are on the edge are no fair question."""
    grounding = ground(found.plan, kb, allow_empty=True)
    truths = found.truths(grounding)
    assume(not len(truths) or abs(truths - threshold).min() > 1e-4)
    return set(kb.decode(grounding.roots[truths >= threshold]))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(ANY_TEMPLATE, st.integers(0, 10**6), st.booleans(), st.sampled_from([0.05, 0.3, 0.5, 0.7, 0.9]))
def test_the_text_accepts_exactly_what_the_network_accepts(text, seed, soft, threshold):
    kb = random_facts(seed)
    found = RuleNetwork(planned(text, kb))
    scramble(found, seed, soft)
    program = extract(found, threshold, most=10_000)
    assert program.complete
    assert set(kb.decode(derive(program, kb))) == accepted(found, kb, threshold)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ANY_TEMPLATE, st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_text_holds_on_other_facts_too(text, seed, other):
    found = RuleNetwork(planned(text, random_facts(seed)))
    scramble(found, seed, soft=True)
    program, kb = extract(found, most=10_000), random_facts(other)
    assert set(kb.decode(derive(program, kb))) == accepted(found, kb, 0.5)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ANY_TEMPLATE, st.integers(0, 10**6))
def test_no_rule_says_less_than_another(text, seed):
    kb = random_facts(seed)
    found = RuleNetwork(planned(text, kb))
    scramble(found, seed, soft=True)
    bodies = [frozenset(learned.rule.body) for learned in extract(found, most=10_000).rules]
    assert not any(one < other for one in bodies for other in bodies)
    assert len(set(bodies)) == len(bodies)


def texts(text: str, kb: KnowledgeBase = KB, threshold: float = 0.5, **weights: list[float]) -> list[str]:
    """The rules, and behind them those of the auxiliaries."""
    program = extract(network(text, kb, **weights), threshold)
    return [str(learned.rule) for learned in program.rules] + [str(rule) for rule in program.auxiliaries]


def test_a_predicate_of_full_weight_is_a_rule():
    text = "S(X, Z) :- P(X, Y), Q(Y, Z). P in {a, b}. Q in {a, c}."
    assert texts(text, P=[1, 0], Q=[0, 1]) == ["S(X, Z) :- a(X, Y), c(Y, Z)."]


def test_every_choice_is_a_rule_of_its_own():
    text = "S(X, Z) :- P(X, Y), Q(Y, Z). P in {a, b}. Q in {c}."
    assert texts(text, P=[1, 1], Q=[1]) == ["S(X, Z) :- a(X, Y), c(Y, Z).", "S(X, Z) :- b(X, Y), c(Y, Z)."]


def test_predicates_too_weak_alone_are_named_together():
    text = "S(X) :- P(X, Y), w(Y). P in {a, b, c}."
    assert texts(text, P=[0.2, 0.2, 0.2], w=[1]) == [
        "S(X) :- a(X, Y), b(X, Y), c(X, Y), w(Y).",
    ]
    assert texts(text, P=[0.8, 0.2, 0.1], w=[1]) == ["S(X) :- a(X, Y), w(Y)."]


def test_a_negated_leaf_is_negated_atom_by_atom():
    assert texts("S(X) :- P(X), not Q(X). P in {u}. Q in {v, w}.", P=[1], Q=[1, 1]) == [
        "S(X) :- u(X), not v(X), not w(X)."
    ]


def test_what_a_negation_shares_out_may_be_denied_in_two_ways():
    assert texts("S(X) :- P(X), not Q(X). P in {u}. Q in {v, w}.", P=[1], Q=[0.5, 0.5]) == [
        "S(X) :- u(X), not v(X).",
        "S(X) :- u(X), not w(X).",
    ]


def test_a_negated_rule_becomes_an_auxiliary():
    text = "S(X) :- P(X), not R(X). R(X) :- Q(X, Y), T(Y). P in {u}. Q in {a}. T in {v}."
    assert texts(text, P=[1], Q=[1], T=[1]) == [
        "S(X) :- u(X), not 'R holds'(X).",
        "'R holds'(X) :- a(X, Y), v(Y).",
    ]


def test_a_declared_universe_is_part_of_the_rule():
    assert texts("S(X) :- not P(X) over {w}. P in {u}.", P=[1]) == ["S(X) :- w(X), not u(X)."]


def test_an_inferred_universe_is_an_auxiliary_unless_the_rule_implies_it():
    text = "S(X) :- P(X), Q(X). P in {u}. Q in {u, not v}."
    assert texts(text, P=[1], Q=[0, 1]) == ["S(X) :- u(X), not v(X)."]
    text = "S(X) :- P(X), Q(X). P in {w}. Q in {u, not v}."
    assert texts(text, P=[1], Q=[0, 1]) == [
        "S(X) :- 'Q considers'(X), w(X), not v(X).",
        "'Q considers'(X1) :- u(X1).",
        "'Q considers'(X1) :- v(X1).",
    ]


def test_comparisons_and_constants_come_along():
    text = "S(X) :- P(X, N), Q(X, c2), N < 5. P in {a}. Q in {b}."
    assert texts(text, P=[1], Q=[1]) == ["S(X) :- a(X, N), b(X, c2), N < 5."]


def test_a_node_used_twice_gives_variables_of_their_own():
    text = "S(X) :- R(X), T(X). R(X) :- P(X, Y). T(X) :- P(X, Y). P in {a, b}."
    assert "S(X) :- a(X, Y), b(X, Y2)." in texts(text, P=[1, 1])


def test_a_network_that_accepts_nothing_has_no_rules():
    program = extract(network("S(X) :- P(X), Q(X). P in {u}. Q in {v}.", KB))
    assert program.rules == ()
    assert program.complete


def test_rules_come_strongest_first_and_the_rest_is_counted_out():
    found = network("S(X) :- P(X). P in {u, v, w}.", KB, P=[0.6, 1.0, 0.8])
    program = extract(found)
    assert [round(learned.truth, 4) for learned in program.rules] == [1, 0.8, 0.6]
    fewer = extract(found, most=2)
    assert fewer.rules == program.rules[:2]
    assert program.complete
    assert not fewer.complete


def test_only_the_auxiliaries_of_the_shown_rules_are_given():
    text = "S(X) :- P(X), w(X) ; u(X), not R(X). R(X) :- Q(X, Y), T(Y). P in {v}. Q in {a}. T in {v}."
    found = network(text, KB, P=[1], w=[1], u=[0.9], Q=[1], T=[1])
    every = extract(found)
    assert len(every.rules) == 2
    assert every.auxiliaries
    shown = extract(found, most=1)
    assert str(shown.rules[0].rule) == "S(X) :- v(X), w(X)."
    assert shown.auxiliaries == ()


def test_a_network_with_too_many_rules_says_that_they_are_not_all(monkeypatch):
    found = RuleNetwork(planned("S(X, Z) :- P(X, Y), Q(Y, Z). P in {a, b, c}. Q in {a, b, c}.", KB))
    for mixture in found.mixtures().values():
        mixture.start_from(torch.tensor([0.6, 0.55, 0.5]))
    assert extract(found).complete
    for name in ("MOST_SETS", "MOST_COMBINATIONS", "MOST_ALTERNATIVES"):
        monkeypatch.setattr(extracting, name, 2)
        assert not extract(found).complete
        monkeypatch.undo()


def test_slight_weights_are_left_out_before_anything_else():
    kb = KnowledgeBase.of({f"r{number}": [("a", "b")] for number in range(40)})
    found = RuleNetwork(planned(str(chain(2, inverses=False)), kb))
    for mixture in found.mixtures().values():
        weights = torch.full((40,), 0.01)
        weights[7] = 0.95
        mixture.start_from(weights)
    program = extract(found)
    assert [str(learned.rule) for learned in program.rules] == ["target(X0, X2) :- r7(X0, X1), r7(X1, X2)."]
    assert program.complete


def test_extraction_leaves_the_network_as_it_was():
    found = network("S(X) :- P(X), Q(X). P in {u}. Q in {v}.", KB, P=[1], Q=[1])
    before = {name: value.clone() for name, value in found.state_dict().items()}
    first, second = extract(found), extract(found)
    assert first == second
    assert all(torch.equal(value, found.state_dict()[name]) for name, value in before.items())


@pytest.mark.parametrize("size", [10, 40])
def test_an_undecided_network_is_read_in_reasonable_time(size):
    kb = KnowledgeBase.of({f"r{number}": [("a", "b")] for number in range(size)})
    found = RuleNetwork(planned(str(chain(2)), kb), seed=1)
    program = extract(found)
    assert len(program.rules) == 100
    assert not program.complete
