"""The smallest wrong text for every complaint: what it says and where it points."""

import pytest

from rulewright.errors import TemplateSyntaxError
from rulewright.template.parser import parse_template


def complaint(text: str) -> TemplateSyntaxError:
    with pytest.raises(TemplateSyntaxError) as caught:
        parse_template(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "the template is empty"),
        (" \n% nothing\n", 1, 1, "the template is empty"),
        ("S(X) :- p(X)", 1, 13, "a '.' must end the statement here"),
        ("S(X) :- p(X) % end\n", 1, 13, "a '.' must end the statement here"),
        ("S(X) :- p(X)\nP in *.", 1, 13, "a '.' must end the statement here, or ',' or ';' continue it"),
        ("P in {A}\nQ in *.", 1, 9, "a '.' must end the statement here"),
        ("P in A B.", 1, 7, "a '.' must end the statement here"),
        ("S(X) :- p(X) q(X).", 1, 13, "a '.' must end the statement here, or ',' or ';' continue it"),
        ("S(X :- p(X).", 1, 2, "this ( is not closed"),
        ("S(X) :- (p(X), q(X).", 1, 9, "this ( is not closed"),
        ("S(X) :- p(X", 1, 10, "this ( is not closed"),
        ("P in {A, B.", 1, 6, "this { is not closed"),
        ("P in {A:-B}.", 1, 6, "this { is not closed"),
        ("P in A:-B.", 1, 7, "':-' cannot stand here; expected '.', 'except', 'over' or an option"),
        ("S(X) :- p(X)).", 1, 13, "this ) closes nothing"),
        ("P in *}.", 1, 7, "this } closes nothing"),
        ("S(X) :- p('a).", 1, 11, "this ' opens a quoted text that is not closed on its line"),
        ('P in {"a\n}.', 1, 7, 'this " opens a quoted text that is not closed on its line'),
        (r"S(X) :- p('a\d').", 1, 13, r"\d is no escape; those are \\ \' \" \n \t \r"),
        ("S(X).", 1, 5, "'.' cannot stand here; expected ':-' or an option such as @alpha(0.9)"),
        ("S(X)", 1, 5, "the text ends where ':-' or an option such as @alpha(0.9) should come"),
        ("S :- p(X).", 1, 3, "':-' cannot stand here; expected '(' or 'in'"),
        ("S() :- p(X).", 1, 3, "')' cannot stand here; expected a variable or a constant"),
        ("3(X) :- p(X).", 1, 1, "'3' cannot stand here; expected a name"),
        ("S(X) :- .", 1, 9, "'.' cannot stand here; expected an atom such as p(X, Y), a comparison, '(' or 'not'"),
        ("S(X) :- p(X), .", 1, 15, "'.' cannot stand here; expected an atom such as p(X, Y), a comparison"),
        ("S(X) :- p(X) :- q(X).", 1, 14, "':-' cannot stand here; expected '.', ',' or ';'"),
        ("S(X) :- p(X), X < .", 1, 19, "'.' cannot stand here; expected a variable or a constant"),
        ("S(X) :- p(X) over {A}.", 1, 14, "'over' cannot stand here; expected '.', ',' or ';'"),
        ("P in {}.", 1, 7, "'}' cannot stand here; expected a name or a glob or 'not'"),
        ("P in {A B}.", 1, 9, "'B' cannot stand here; expected '}' or ','"),
        ("P in {A} over", 1, 14, "the text ends where '{' should come"),
        ("S(X) @alpha(x) :- p(X).", 1, 13, "'x' cannot stand here; expected a number"),
        ("S(X) @ :- p(X).", 1, 6, "after @ comes the name of an option"),
        ("S(X) :- p^2(X).", 1, 10, "after ^ comes -1: r^-1 is the inverse of r"),
        ("S(X) :- p(X) $.", 1, 14, "the character '$' has no meaning here; a name with such characters needs quotes"),
        ("not p(X) :- q(X).", 1, 1, "not stands before an atom or a parenthesised formula of a body"),
        ("S(X) :- not not p(X).", 1, 13, "not stands before an atom or a parenthesised formula of a body"),
        ("S(X) :- in(X).", 1, 9, "in is a word of the language and cannot stand here; as a name it needs quotes: 'in'"),
        ("S(X) :- p(over).", 1, 11, "over is a word of the language and cannot stand here"),
        ("P in {except}.", 1, 7, "except is a word of the language and cannot stand here"),
        ("S(_) :- p(X).", 1, 3, "a lone _ has no name by which the body could bind it"),
        ("S(X) :-\n  p(X),\n  _ < X.", 3, 3, "a lone _ is bound by nothing, so it cannot be compared"),
    ],
)
def test_the_complaint_says_what_is_wrong_and_points_at_it(text: str, line: int, column: int, message: str) -> None:
    error = complaint(text)
    assert message in str(error)
    assert (error.line, error.column) == (line, column)
    assert error.text == text


def test_the_error_shows_the_line_with_a_caret() -> None:
    assert str(complaint("S(X) :- p(X).\nP in {A B}.")) == (
        "line 2, column 9: 'B' cannot stand here; expected '}' or ','\n  P in {A B}.\n          ^"
    )


def test_an_error_in_a_very_long_line_shows_its_surroundings_only() -> None:
    error = complaint("S(X) :- " + "p(X), " * 1_000 + "q(X$), " + "p(X), " * 1_000)
    *_, shown, caret = str(error).splitlines()
    assert error.column == 6_012
    assert len(shown) < 150
    assert shown[len(caret) - 1] == "$"


def test_line_ends_of_other_systems_do_not_move_the_place() -> None:
    error = complaint("S(X) :- p(X).\r\n% \x0b \x85 \u2028\r\nP in {A B}.\r\n")
    assert (error.line, error.column) == (3, 9)
    assert "\n  P in {A B}.\n" in str(error)
