"""The paper's running example ('Learning First-Order LNNs'): every table of its figure, and the network's arithmetic.

A: a1 = (1, 2), a2 = (1, 5)    B: b1 = (1, 2)    C: c1 = (2, 5)
"""

import pytest

from rulewright.grounding.ground import ground
from rulewright.grounding.lineage import Aligned, Grounding, Groups, Memberships
from rulewright.grounding.plan import plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.operators import And, Or
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template

KB = KnowledgeBase.of({"A": [(1, 2), (1, 5)], "B": [(1, 2)], "C": [(2, 5)]})

# (b) and (c): the template for R, and the one for S on top of it
RULE = "R(X, Z) :- P(X, Y), Q(Y, Z). P in {A, B}. Q in {C}."
PROGRAM = f"S(X, Z) :- R(X, Z) ; O(X, Z). O in {{A, B}}. {RULE}"


def grounded(text: str) -> Grounding:
    return ground(plan(bind(parse_template(text), KB)), KB)


def tables(grounding: Grounding) -> dict[str, set[tuple[str, ...]]]:
    steps = zip(grounding.plan.steps, grounding.facts, strict=True)
    return {step.name: set(KB.decode(facts)) for step, facts in steps}


def test_the_template_for_r_generates_r1_alone() -> None:
    assert KB.decode(grounded(RULE).roots) == [("1", "5")]


def test_the_generated_facts_are_those_of_the_figure() -> None:
    found = tables(grounded(PROGRAM))
    assert found == {
        "P": {("1", "2"), ("1", "5")},
        "Q": {("2", "5")},
        "O": {("1", "2"), ("1", "5")},
        "body of R": {("1", "5", "2")},  # PQ; the head's variables X and Z come first, then Y
        "R": {("1", "5")},
        "S": {("1", "5"), ("1", "2")},
    }


def test_the_lineage_is_that_of_the_figure() -> None:
    grounding = grounded(PROGRAM)
    names = {step.name: place for place, step in enumerate(grounding.plan.steps)}
    lineage = {name: grounding.lineage[place] for name, place in names.items()}
    rows = {name: KB.decode(grounding.facts[place]) for name, place in names.items()}
    p1, p2 = rows["P"].index(("1", "2")), rows["P"].index(("1", "5"))
    o1, o2 = rows["O"].index(("1", "2")), rows["O"].index(("1", "5"))
    s1, s2 = rows["S"].index(("1", "5")), rows["S"].index(("1", "2"))
    for leaf, both, one in (("P", p1, p2), ("O", o1, o2)):
        backing = lineage[leaf]
        assert isinstance(backing, Memberships)
        assert backing.members[backing.offsets[both] : backing.offsets[both + 1]].tolist() == [0, 1]  # a1 and b1
        assert backing.members[backing.offsets[one] : backing.offsets[one + 1]].tolist() == [0]  # a2
    body, head, root = lineage["body of R"], lineage["R"], lineage["S"]
    assert isinstance(body, Aligned)
    assert body.rows[:, 0].tolist() == [p1, 0]  # pq1 of p1 and q1
    assert isinstance(head, Groups)
    assert (head.offsets.tolist(), head.rows.tolist()) == ([0, 1], [0])  # r1 of pq1
    assert isinstance(root, Aligned)
    assert root.rows[:, s1].tolist() == [0, o2]  # s1 of r1 and o2
    assert root.rows[:, s2].tolist() == [-1, o1]  # s2 of o1 alone


@pytest.fixture
def network() -> RuleNetwork:
    """The network of the paper's figure with stated weights; beta_1 to beta_4 in its numbering."""
    network = RuleNetwork(plan(bind(parse_template(PROGRAM), KB)), alpha=0.9).double().eval()
    conjunction, disjunction = (next(o for o in network.operators.values() if isinstance(o, k)) for k in (And, Or))
    weights = {
        network.mixtures()["P"]: [0.9, 0.3, 0.4],  # beta_1, w_1 for A and B
        network.mixtures()["Q"]: [1.0, 0.8],
        network.mixtures()["O"]: [1.1, 0.5, 0.2],  # beta_3, w_3 for A and B
        conjunction: [1.3, 1.5, 1.4],  # beta_2, w_2 for P and Q
        disjunction: [1.2, 1.3, 1.25],  # beta_4, w_4 for R and O
    }
    for operator, values in weights.items():
        assert operator.parameter.contains(values), "the weights satisfy the paper's constraints at alpha = .9"
        operator.parameter.right_inverse(values)
    return network


def relu1(value: float) -> float:
    return max(0.0, min(1.0, value))


def test_the_truths_of_s1_and_s2_are_those_worked_out_by_hand(network: RuleNetwork) -> None:
    p1 = 1 - relu1(0.9 - (0.3 + 0.4))  # a1 and b1
    q1 = 1 - relu1(1.0 - 0.8)
    pq1 = relu1(1.3 - 1.5 * (1 - p1) - 1.4 * (1 - q1))
    r1 = pq1  # maxout of one
    o2 = 1 - relu1(1.1 - 0.5)  # a2
    o1 = 1 - relu1(1.1 - (0.5 + 0.2))  # a1 and b1
    assert (p1, q1, r1, o2, o1) == pytest.approx((0.8, 0.8, 0.72, 0.4, 0.6))
    s1 = 1 - relu1(1.2 - 1.3 * r1 - 1.25 * o2)
    s2 = 1 - relu1(1.2 - 1.25 * o1)
    assert (s1, s2) == pytest.approx((1.0, 0.55))
    grounding = grounded(PROGRAM)
    truths = dict(zip(KB.decode(grounding.roots), network.truths(grounding).tolist(), strict=True))
    assert truths == pytest.approx({("1", "5"): s1, ("1", "2"): s2}, abs=1e-6)


def test_every_fact_on_the_way_has_the_truth_worked_out_by_hand(network: RuleNetwork) -> None:
    grounding = grounded(PROGRAM)
    found = {
        (step.name, *fact): truth
        for step, facts, values in zip(grounding.plan.steps, grounding.facts, network.values(grounding), strict=True)
        for fact, truth in zip(KB.decode(facts), values.tolist(), strict=True)
    }
    expected = {
        ("P", "1", "2"): 0.8,
        ("P", "1", "5"): 1 - (0.9 - 0.3),
        ("Q", "2", "5"): 0.8,
        ("O", "1", "2"): 0.6,
        ("O", "1", "5"): 0.4,
        ("body of R", "1", "5", "2"): 0.72,
        ("R", "1", "5"): 0.72,
        ("S", "1", "5"): 1.0,
        ("S", "1", "2"): 0.55,
    }
    assert found == pytest.approx(expected, abs=1e-6)


def test_s1_is_true_beyond_doubt_and_its_score_says_by_how_much(network: RuleNetwork) -> None:
    grounding = grounded(PROGRAM)
    scores = dict(zip(KB.decode(grounding.roots), network.score(grounding).tolist(), strict=True))
    assert scores == pytest.approx({("1", "5"): 1 - (1.2 - 1.3 * 0.72 - 1.25 * 0.4), ("1", "2"): 0.55}, abs=1e-6)


def test_s2_does_not_depend_on_the_rule_and_teaches_it_nothing(network: RuleNetwork) -> None:
    grounding = grounded(PROGRAM)
    s2 = KB.decode(grounding.roots).index(("1", "2"))
    network(grounding)[s2].backward()
    taught = {name for name, operator in network.mixtures().items() if any(p.grad.any() for p in operator.parameters())}
    assert taught == {"O"}
