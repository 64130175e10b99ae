from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.logic.terms import Atom, Constant, Term, Variable
from rulewright.template.parser import parse_template
from rulewright.template.scopes import merged
from rulewright.template.syntax import And, Compare, Formula, Not, Or, Use, variables_of


def one_rule(text: str) -> str:
    clauses = parse_template(text).clauses
    head, body = merged([clause.head for clause in clauses], [clause.body for clause in clauses])
    return f"{', '.join(map(str, head))}: {body}"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("S(X) :- p(X, Y), q(Y).", "X: p(X, Y), q(Y)"),
        ("S(X) :- p(X, Y) ; q(X, Y).", "X: p(X, Y) ; q(X, Y_2)"),
        ("S(X) :- p(X, Y), Y < 3 ; q(X, Y), not r(Y).", "X: p(X, Y), Y < 3 ; q(X, Y_2), not r(Y_2)"),
        ("S(X) :- r(X, Y), (p(X, Y) ; q(X, Y)).", "X: r(X, Y), (p(X, Y) ; q(X, Y))"),
        ("S(X) :- r(X), (p(X, Y) ; q(X, Y)).", "X: r(X), (p(X, Y) ; q(X, Y_2))"),
        ("S(X) :- not (p(X, Y) ; q(X, Y)).", "X: not (p(X, Y) ; q(X, Y))"),
        ("S(X) :- p(X, Y) ; (q(X, Y) ; r(X, Y)).", "X: p(X, Y) ; (q(X, Y_2) ; r(X, Y_3))"),
        ("S(X) :- p(X, Y) ; q(X, Y) ; p(X, Y_2).", "X: p(X, Y) ; q(X, Y_3) ; p(X, Y_2)"),
        ("S(X) :- p(X, Y). S(X) :- q(X, Y).", "X: p(X, Y) ; q(X, Y_2)"),
        ("S(X, Y) :- p(X, Y). S(Y, X) :- q(X, Y).", "X, Y: p(X, Y) ; q(Y, X)"),
        ("S(A, B) :- p(A, B). S(X, Y) :- q(X, A), r(A, Y).", "A, B: p(A, B) ; q(A, A_2), r(A_2, B)"),
        ("S(X) :- p(X, _) ; p(X, _).", "X: p(X, _1) ; p(X, _2)"),
    ],
)
def test_every_scope_has_variable_names_of_its_own(text: str, rule: str) -> None:
    assert one_rule(text) == rule


def test_thousands_of_clauses_merge_in_a_moment() -> None:
    clauses = parse_template("S(X) :- p(X, Y), q(Y, Z)." * 100).clauses * 50
    _, body = merged([clause.head for clause in clauses], [clause.body for clause in clauses])
    assert len(variables_of(body)) == 1 + 2 * 5000


variables = st.sampled_from("XYZ").map(Variable)
terms = variables | st.sampled_from("ab").map(Constant)
formulas = st.recursive(
    st.builds(Use, st.builds(Atom, st.sampled_from("pq"), st.tuples(terms, terms)))
    | st.builds(Compare, terms, st.sampled_from(["=", "!="]), terms),
    lambda parts: (
        st.builds(Not, parts)
        | st.builds(And, st.lists(parts, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(parts, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=6,
)
clauses = st.lists(
    st.tuples(st.permutations("XYZ").map(lambda names: tuple(map(Variable, names[:2]))), formulas),
    min_size=1,
    max_size=3,
)
facts = st.frozensets(st.tuples(st.sampled_from("pq"), st.sampled_from("ab"), st.sampled_from("ab")))


@settings(deadline=None, max_examples=150)
@given(clauses, facts)
def test_the_merged_rule_means_what_the_clauses_mean(
    given_clauses: list[tuple[tuple[Variable, ...], Formula]], given_facts: frozenset[tuple[str, str, str]]
) -> None:
    heads = [Atom("S", head) for head, _ in given_clauses]
    head, body = merged(heads, [body for _, body in given_clauses])
    for values in product("ab", repeat=2):
        expected = any(some(own, dict(zip(names, values, strict=True)), given_facts) for names, own in given_clauses)
        assert some_by_scope(body, dict(zip(head, values, strict=True)), given_facts) == expected


@settings(deadline=None, max_examples=150)
@given(clauses)
def test_disjuncts_share_variables_only_with_what_is_outside(
    given_clauses: list[tuple[tuple[Variable, ...], Formula]],
) -> None:
    head, body = merged([Atom("S", head) for head, _ in given_clauses], [body for _, body in given_clauses])
    check_scopes(body, set(head))


def check_scopes(formula: Formula, outside: set[Variable]) -> None:
    match formula:
        case Or(children):
            local = [set(variables_of(child)) - outside for child in children]
            assert sum(map(len, local)) == len(set().union(*local))
            for child in children:
                check_scopes(child, outside)
        case And(children):
            for place, child in enumerate(children):
                others = (set(variables_of(other)) for at, other in enumerate(children) if at != place)
                check_scopes(child, outside.union(*others))
        case _:
            pass


Values = dict[Variable, str]
Facts = frozenset[tuple[str, str, str]]


def some(formula: Formula, known: Values, given_facts: Facts) -> bool:
    """Whether some values for the other variables make a formula true."""
    free = [variable for variable in variables_of(formula) if variable not in known]
    return any(
        true(formula, {**known, **dict(zip(free, values, strict=True))}, given_facts)
        for values in product("ab", repeat=len(free))
    )


def some_by_scope(formula: Formula, known: Values, given_facts: Facts) -> bool:
    """The same, one disjunct after the other, so that many variables with scopes of their own stay few at a time."""
    if isinstance(formula, Or):
        return any(some_by_scope(child, known, given_facts) for child in formula.children)
    return some(formula, known, given_facts)


def true(formula: Formula, values: Values, given_facts: Facts) -> bool:
    def of(term: Term) -> str:
        return values[term] if isinstance(term, Variable) else term.name

    match formula:
        case Use(atom):
            first, second = atom.terms
            return (atom.predicate, of(first), of(second)) in given_facts
        case Compare(left, operator, right):
            return (of(left) == of(right)) == (operator == "=")
        case Not(child):
            return not true(child, values, given_facts)
        case And(children):
            return all(true(child, values, given_facts) for child in children)
        case Or(children):
            return any(true(child, values, given_facts) for child in children)
