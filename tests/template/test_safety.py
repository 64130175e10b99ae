import pytest

from rulewright.template.parser import parse_template
from rulewright.template.safety import check_safety
from rulewright.template.syntax import Place


def unsafe(text: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []

    def report(message: str, place: Place) -> None:
        found.append((place.column, message))

    for clause in parse_template(text).clauses:
        check_safety(clause, report)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "S(X) :- p(X).",
        "S(X) :- p(X, Y).",
        "S(X, Y) :- not p(X, Y).",  # a negation brings its universe
        "S(X, Y) :- p(X), not q(X, Y).",
        "S(X) :- not (p(X), q(Y)).",
        "S(X) :- p(X) ; not q(X).",
        "S(X) :- p(X, Y), X < Y, Y != 3.",
        "S(X) :- (p(X), q(Y)), X < Y.",
        "S(X) :- (p(X, Y) ; q(Y, X)), X < Y.",
        "S(X) :- p(X), (q(X, Y) ; r(X, Z)).",
        "S(X) :- p(X), (q(Y) ; r(Z)).",
        "S(X) :- p(X, Y), (q(X, Y) ; r(Y, X)), (q(X, X) ; r(X, Z)).",
        "S(X) :- not (p(X, Y) ; q(Y, X)).",
        "S(X) :- p(X), 1 < 2.",
        "S(X) :- p(X), not (q(X, Y), X < Y).",
        "S(X) :- p(X) ; (q(X) ; r(X)).",
    ],
)
def test_what_facts_and_universes_bind_is_safe(text: str) -> None:
    assert unsafe(text) == []


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("S(X, Y) :- p(X).", 1, "head variable Y of S(X, Y) is bound by no atom of the body"),
        ("S(X, Y) :- p(X), X < Y.", 1, "head variable Y of S(X, Y) is bound by no atom of the body"),
        ("S(X, Y) :- p(X, Y) ; q(X).", 22, "head variable Y of S(X, Y) is bound by no atom of the disjunct q(X)"),
        ("S(X) :- p(X) ; (q(X) ; r(Y)).", 24, "head variable X of S(X) is bound by no atom of the disjunct r(Y)"),
        ("S(X) :- p(X), Y < 3.", 15, "Y in Y < 3 is bound by no atom that is joined to it by ','"),
        ("S(X) :- p(X), (q(X), X < Y), r(Y).", 22, "Y in X < Y is bound by no atom that is joined to it by ','"),
        ("S(X) :- p(X), not q(Y), X < Y.", 25, "Y in X < Y is bound by no atom that is joined to it by ','"),
        ("S(X) :- p(X), not (q(X), X < Y).", 26, "Y in X < Y is bound by no atom that is joined to it by ','"),
        ("S(X) :- p(X) ; X < 3.", 16, "X < 3 only filters and has no truth value; join it by ',' to an atom"),
        ("S(X) :- p(X), (X < 3, X > 1).", 16, "X < 3, X > 1 only filters and has no truth value"),
        ("S(X) :- p(X), not X < 3.", 15, "a comparison has no truth value to negate; write X >= 3"),
        ("S(X) :- p(X), not X = 3.", 15, "a comparison has no truth value to negate; write X != 3"),
        (
            "S(X) :- p(X, Y), (q(X, Y) ; r(X)).",
            29,
            "the disjunct r(X) does not bind Y; every disjunct must, because the",
        ),
        ("S(X) :- p(X), (q(X, Y) ; r(X)), Y < X.", 26, "the disjunct r(X) does not bind Y; every disjunct must"),
        ("S(X) :- (q(X, Y) ; r(Y)), p(Y, Z).", 20, "the disjunct r(Y) does not bind X; every disjunct must"),
        ("S(X) :- p(X), (q(Y) ; (r(Y), (t(X) ; u(Y)))).", 16, "the disjunct q(Y) does not bind X; every disjunct must"),
        ("S(X) :- not (p(X, Y) ; q(X)).", 24, "the disjunct q(X) does not bind Y; under not every disjunct must have"),
        ("S(X) :- not (p(X), (q(Y) ; r(Z))).", 28, "the disjunct r(Z) does not bind Y; under not every disjunct must"),
    ],
)
def test_a_variable_that_nothing_binds_is_reported(text: str, column: int, message: str) -> None:
    assert (column, message) in [(at, found[: len(message)]) for at, found in unsafe(text)]


def test_each_unbound_variable_is_reported() -> None:
    assert [column for column, _ in unsafe("S(X, Y, Z) :- p(X), U < V.")] == [1, 1, 21, 21]


def test_long_formulas_are_shortened_in_messages() -> None:
    ((_, message),) = unsafe("S(X) :- p(X) ; " + ", ".join(["q(Y)"] * 50) + ".")
    assert len(message) < 150
    assert message.endswith("...")
