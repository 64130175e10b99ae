import pytest
from hypothesis import given, settings
from tests.grounding.oracle import sites
from tests.grounding.problems import Problem, problems

from rulewright.grounding.plan import Complement, Disjoin, Join, Plan, Project, Union, View, inputs_of, plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.terms import Constant, Variable
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template

KB = KnowledgeBase.of({"p": [("a",)], "q": [("a",)], "e": [("a", "b")], "f": [("b", "a")], "t": [("a", "b", "c")]})
W, X, Y, Z = map(Variable, "WXYZ")


def planned(text: str) -> Plan:
    return plan(bind(parse_template(text), KB, root="S"))


def kinds(steps: Plan) -> str:
    return " ".join(type(step).__name__ for step in steps.steps)


def test_the_paper_s_template_becomes_union_join_project_and_disjoin() -> None:
    steps = planned("S(X, Z) :- R(X, Z) ; O(X, Z). R(X, Z) :- P(X, Y), Q(Y, Z). P in {e, f}. Q in {f}. O in {e, f}.")
    assert str(steps).splitlines() == [
        "0: P = union of e, f",
        "1: Q = union of f",
        "2: body of R = join of #0(X, Y), #1(Y, Z)",
        "3: R = #2(X, Z, Y) projected to X, Z",
        "4: O = union of e, f",
        "5: S = any of #3(X, Z), #4(X, Z)",
    ]


@given(problems())
@settings(max_examples=40, deadline=None)
def test_every_step_reads_earlier_steps_with_their_numbers_of_columns(problem: Problem) -> None:
    steps = plan(problem.template).steps
    for place, step in enumerate(steps):
        for view in inputs_of(step):
            below = steps[view.step]
            width = below.leaf.arity if isinstance(below, Union) else len(below.variables)
            assert view.step < place
            assert len(view.terms) == width
    assert {view.step for step in steps for view in inputs_of(step)} == set(range(len(steps) - 1)), "nothing is idle"


@given(problems())
@settings(max_examples=40, deadline=None)
def test_there_is_one_operator_at_each_leaf_and_connective(problem: Problem) -> None:
    steps = plan(problem.template).steps
    with_operator = [s for s in steps if isinstance(s, Union | Disjoin) or (isinstance(s, Join) and len(s.inputs) > 1)]
    assert len(with_operator) == len(sites(problem.template))


def test_a_join_leads_with_the_head_s_variables_in_their_order() -> None:
    join = planned("S(Z, X) :- e(X, Y), f(Y, Z).").steps[2]
    assert isinstance(join, Join)
    assert join.variables == (Z, X, Y)


def test_a_body_that_is_its_head_needs_no_projection() -> None:
    steps = planned("S(X, Y) :- e(X, Y), p(X).")
    assert kinds(steps) == "Union Union Join"
    assert steps.steps[-1].name == "S"


@pytest.mark.parametrize("body", ["e(X, Y)", "e(Y, X)", "t(X, Y, Z)", "t(X, a, Y)"])
def test_a_head_over_one_atom_has_facts_of_its_own(body: str) -> None:
    assert kinds(planned(f"S(X, Y) :- {body}.")) == "Union Project"


def test_inputs_stand_in_the_order_of_the_text_with_negations_last() -> None:
    join = planned("S(X) :- not q(X), p(X), X != a, e(X, Y), not f(Y, X).").steps[-2]
    assert isinstance(join, Join)
    assert [view.terms for view in join.positives] == [(X,), (X, Y)]
    assert [view.terms for view in join.negatives] == [(X,), (Y, X)]
    assert list(map(str, join.conditions)) == ["X != a"]


@pytest.mark.parametrize(
    ("body", "generates"),
    [
        ("p(X), not q(X)", False),
        ("not q(X), p(X)", False),
        ("e(X, Y), not f(Y, X)", False),
        ("p(X), not q(X) over {p}", True),  # a universe that is named is meant
        ("p(X), not e(X, Y)", True),  # nothing binds Y
        ("not q(X)", True),
        ("p(X), (q(X) ; not q(X))", True),  # a disjunct has to bring its values itself
        ("not q(X), not p(X)", True),
        ("p(X), not q(a)", False),
        ("p(X), not (q(X), not e(X, X))", False),
    ],
)
def test_a_negation_generates_assignments_only_where_nothing_else_does(body: str, generates: bool) -> None:
    assert any(isinstance(step, Complement) for step in planned(f"S(X) :- {body}.").steps) == generates


def test_a_node_used_twice_is_one_step() -> None:
    steps = planned("S(X, Z) :- R(X, Y), R(Y, Z), P(Z). R(X, Y) :- e(X, Y), P(X). P in {p, q}.")
    assert [step.name for step in steps.steps] == ["e", "P", "R", "body of S", "S"]
    join = steps.steps[3]
    assert isinstance(join, Join)
    assert [view.step for view in join.inputs] == [2, 2, 1]


def test_the_same_predicate_in_two_domains_is_two_choices() -> None:
    steps = planned("S(X) :- P(X), Q(X). P in {p, q}. Q in {p, q}.")
    assert kinds(steps) == "Union Union Join"


def test_constants_and_repeated_variables_stay_in_the_view() -> None:
    join = planned("S(X) :- t(X, a, X), p(X).").steps[-1]
    assert isinstance(join, Join)
    assert join.positives[0] == View(0, (X, Constant("a"), X))
    assert join.positives[0].variables == (X,)


def test_a_disjunct_loses_its_own_variables_before_the_disjunction() -> None:
    steps = planned("S(X) :- p(X) ; e(X, Y), f(Y, Z).")
    disjoin = steps.steps[-1]
    assert isinstance(disjoin, Disjoin)
    assert all(view.variables == (X,) for view in disjoin.inputs)
    assert isinstance(steps.steps[disjoin.inputs[1].step], Project)


def test_a_group_keeps_the_variables_that_its_neighbours_use() -> None:
    disjoin = next(s for s in planned("S(X) :- p(X), (e(X, Y) ; f(Y, X)), q(Y).").steps if isinstance(s, Disjoin))
    assert set(disjoin.variables) == {X, Y}


def test_the_plan_prints_every_kind_of_step() -> None:
    text = str(planned("S(X) :- p(X), (q(X) ; not e(X, X) over {q}), not f(X, a), X < 5."))
    for part in ["join of", "any of", "complement of #2(X, X) over q", "union of e", "not #3(X, a), X < 5"]:
        assert part in text
