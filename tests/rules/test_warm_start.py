import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.networks import planned, random_facts

from rulewright.errors import OptionError
from rulewright.grounding.ground import ground
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.node import Node
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.rules.derive import derive
from rulewright.rules.extract import extract
from rulewright.rules.warm_start import warm_start
from rulewright.template.parser import parse_template
from rulewright.template.syntax import And, Compare, Formula, Not, Use

KB = random_facts(0)
CHAIN = "S(X, Z) :- P(X, Y), Q(Y, Z). P in {a, b, c}. Q in {a, b, c}."


def rule(text: str) -> Rule:
    clause = parse_template(text).clauses[0]

    def part(formula: Formula) -> Literal | Comparison:
        match formula:
            case Use(atom):
                return Literal(atom)
            case Not(Use(atom)):
                return Literal(atom, negated=True)
            case Compare(left, operator, right):
                return Comparison(left, operator, right)
        raise AssertionError(formula)

    children = clause.body.children if isinstance(clause.body, And) else (clause.body,)
    return Rule(clause.head, tuple(map(part, children)))


def started(text: str, *rules: str, kb=KB) -> RuleNetwork:
    network = RuleNetwork(planned(text, kb), seed=1)
    warm_start(network, [rule(one) for one in rules])
    return network


def weights(network: RuleNetwork) -> dict[str, list[float]]:
    return {name: [round(w, 4) for w in m.weights.tolist()] for name, m in network.mixtures().items()}


def test_the_rules_predicates_get_full_weight_and_the_others_a_faint_one():
    assert weights(started(CHAIN, "S(X, Z) :- a(X, Y), c(Y, Z).")) == {"P": [1, 0.02, 0.02], "Q": [0.02, 0.02, 1]}


def test_names_of_variables_and_the_order_of_atoms_do_not_matter():
    assert weights(started(CHAIN, "T(A, B) :- c(M, B), a(A, M).")) == {"P": [1, 0.02, 0.02], "Q": [0.02, 0.02, 1]}


def test_several_rules_share_the_leaves():
    found = weights(started(CHAIN, "S(X, Z) :- a(X, Y), c(Y, Z).", "S(X, Z) :- b(X, Y), c(Y, Z)."))
    assert found == {"P": [1, 1, 0.02], "Q": [0.02, 0.02, 1]}


def test_rules_take_different_disjuncts_where_they_can_and_the_rest_starts_empty():
    text = "S(X, Y) :- P(X, Y) ; Q(X, Y) ; R(X, Y). P in {a, b}. Q in {a, b}. R in {a, b}."
    found = weights(started(text, "S(X, Y) :- a(X, Y).", "S(X, Y) :- b(X, Y)."))
    assert found == {"P": [1, 0.02], "Q": [0.02, 1], "R": [0.02, 0.02]}
    assert weights(started(text, "S(X, Y) :- a(X, Y).", "S(X, Y) :- a(X, Y)."))["Q"] == [0.02, 0.02]


def test_many_predicates_are_each_fainter_so_that_together_they_do_not_count():
    kb = KB
    for number in range(50):
        kb = kb.with_relation(f"r{number}", KB["a"])
    found = started("S(X, Y) :- P(X, Y). P in {r*}.", "S(X, Y) :- r7(X, Y).", kb=kb)
    others = found.mixtures()["P"].weights.sum().item() - 1
    assert 0 < others <= 0.2


def test_inverses_are_the_same_facts_from_right_to_left():
    text = "S(X, Z) :- P(X, Y), Q(Y, Z). P in {a, a^-1}. Q in {b, b^-1}."
    assert weights(started(text, "S(X, Z) :- a(Y, X), b(Y, Z).")) == {"P": [0.02, 1], "Q": [1, 0.02]}
    assert weights(started(text, "S(X, Z) :- a^-1(Y, X), b(Y, Z).")) == {"P": [1, 0.02], "Q": [1, 0.02]}


def test_negation_has_to_be_the_templates():
    text = "S(X) :- P(X), not Q(X). P in {u, v}. Q in {u, v}."
    assert weights(started(text, "S(X) :- u(X), not v(X).")) == {"P": [1, 0.02], "Q": [0.02, 1]}
    with pytest.raises(OptionError, match="does not fit"):
        started(text, "S(X) :- u(X), v(X).")


def test_a_negated_disjunction_takes_all_and_a_negated_conjunction_any():
    both = "S(X) :- P(X), not (Q(X) ; R(X)). P in {u}. Q in {v}. R in {w}."
    assert weights(started(both, "S(X) :- u(X), not v(X), not w(X).")) == {"P": [1], "Q": [1], "R": [1]}
    with pytest.raises(OptionError):
        started(both, "S(X) :- u(X), not v(X).")
    either = "S(X) :- P(X), not (Q(X), R(X)). P in {u}. Q in {v}. R in {w}."
    assert weights(started(either, "S(X) :- u(X), not w(X)."))["R"] == [1]


def test_negated_members_can_be_meant():
    text = "S(X) :- P(X), Q(X). P in {u, not v}. Q in {w, not w}."
    assert weights(started(text, "S(X) :- not v(X), w(X).")) == {"P": [0.02, 1], "Q": [1, 0.02]}


def test_comparisons_have_to_be_the_templates_read_either_way():
    text = "S(X, Y) :- P(X, M), Q(Y, N), M < N. P in {a, b}. Q in {a, b}."
    for body in ("a(X, M), b(Y, N), M < N", "b(Y, M), a(X, N), M > N"):
        assert weights(started(text, f"S(X, Y) :- {body}.")) == {"P": [1, 0.02], "Q": [0.02, 1]}
    for body in ("a(X, M), b(Y, N)", "a(X, M), b(Y, N), M <= N", "a(X, M), b(Y, N), N < M"):
        with pytest.raises(OptionError, match="does not fit"):
            started(text, f"S(X, Y) :- {body}.")
    with pytest.raises(OptionError, match="does not fit"):
        started(CHAIN, "S(X, Z) :- a(X, Y), b(Y, Z), X < Z.")


def test_constants_have_to_be_the_templates():
    text = "S(X) :- P(X, c1). P in {a, b}."
    assert weights(started(text, "S(X) :- b(X, c1).")) == {"P": [0.02, 1]}
    for body in ("b(X, c2)", "b(X, Y)"):
        with pytest.raises(OptionError):
            started(text, f"S(X) :- {body}.")


@pytest.mark.parametrize(
    "text",
    [
        "S(X, Z) :- a(X, Z).",
        "S(X, Z) :- a(X, Y), b(Y, Z), c(X, Z).",
        "S(X, Z) :- a(X, Y), b(Z, Y).",
        "S(X, Z) :- a(X, X), b(X, Z).",
        "S(X) :- a(X, Y), b(Y, X).",
        "S(X, Z) :- a(X, Y), d(Y, Z).",
        "S(X, Z) :- u(X), b(X, Z).",
    ],
)
def test_a_rule_of_another_shape_is_told(text):
    with pytest.raises(OptionError, match=r"the rule does not fit the template: S\(") as caught:
        started(CHAIN, text)
    assert text in str(caught.value)


def test_a_node_used_twice_has_one_choice():
    text = "S(X, Z) :- P(X, Y), P(Y, Z). P in {a, b}."
    assert weights(started(text, "S(X, Z) :- b(X, Y), b(Y, Z).")) == {"P": [0.02, 1]}
    with pytest.raises(OptionError):
        started(text, "S(X, Z) :- a(X, Y), b(Y, Z).")


def test_attention_starts_there_too():
    found = started("S(X) :- P(X). P in {u, v} @attention.", "S(X) :- v(X).")
    assert found.mixtures()["P"].weights.tolist() == pytest.approx([0.02 / 1.02, 1 / 1.02])


def test_a_fixed_leaf_that_no_rule_names_stays_a_plain_disjunction():
    text = "S(X) :- P(X) ; Q(X). P in {u, v}. Q in {w} @fixed."
    assert weights(started(text, "S(X) :- u(X).")) == {"P": [1, 0.02], "Q": [1]}


PREDICATES = st.sampled_from(["a", "b", "c"])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(PREDICATES, PREDICATES, st.integers(0, 1000))
def test_the_network_starts_out_accepting_what_the_rule_accepts(p, q, seed):
    kb = random_facts(seed)
    given_rule = rule(f"S(X, Z) :- {p}(X, Y), {q}(Y, Z).")
    network = RuleNetwork(planned(CHAIN, kb), seed=seed)
    warm_start(network, [given_rule])
    program = Program(given_rule.head, (LearnedRule(given_rule, 1.0),), Node("pred", "P"))
    grounding = ground(network.plan, kb)
    accepted = set(kb.decode(grounding.roots[network.truths(grounding) >= 0.5]))
    assert accepted == set(kb.decode(derive(program, kb)))
    assert [str(learned.rule) for learned in extract(network).rules] == [str(given_rule)]
