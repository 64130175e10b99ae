import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.logic.terms import Atom, Constant, Variable, predicate_text, quoted
from rulewright.template.parser import parse_template
from rulewright.template.syntax import Use

X, Y = Variable("X"), Variable("Y")
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ann", "ann"),
        ("a1_b", "a1_b"),
        ("12", "12"),
        ("-3.5", "-3.5"),
        ("1e-3", "1e-3"),
        ("Ann", "'Ann'"),
        ("_x", "'_x'"),
        ("", "''"),
        ("not", "'not'"),
        ("in", "'in'"),
        ("ann lee", "'ann lee'"),
        ("o'hara", r"'o\'hara'"),
        ("back\\slash", r"'back\\slash'"),
        ("two\nlines\tand\r", r"'two\nlines\tand\r'"),
        ("Zürich", "'Zürich'"),
        ("12\n", r"'12\n'"),
    ],
)
def test_constants_are_quoted_unless_they_are_plain_words_or_numbers(name, text):
    assert str(Constant(name)) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("parent", "parent"),
        ("Parent", "Parent"),
        ("r^-1", "r^-1"),
        ("film/country", "'film/country'"),
        ("film/country^-1", "'film/country'^-1"),
        ("over", "'over'"),
        ("2nd", "'2nd'"),
    ],
)
def test_predicates_are_quoted_unless_they_are_plain_words(name, text):
    assert predicate_text(name) == text


def test_an_atom_lists_each_variable_once_in_order_of_first_use():
    atom = Atom("p", (Y, Constant("a"), X, Y))
    assert atom.variables == (Y, X)
    assert str(atom) == "p(Y, a, X, Y)"


@given(NAMES)
def test_every_constant_reads_back_as_itself(name):
    template = parse_template(f"t(X) :- p(X, {Constant(name)}).")
    body = template.clauses[0].body
    assert isinstance(body, Use)
    assert body.atom.terms[1] == Constant(name)


@given(NAMES)
def test_every_predicate_reads_back_as_itself(name):
    template = parse_template(f"t(X) :- {Atom(name, (X,))}.")
    assert template.clauses[0].body.atom.predicate == name


@given(NAMES)
def test_quoting_leaves_one_line_and_no_bare_quote(name):
    text = quoted(name)
    assert "\n" not in text
    assert text[0] == text[-1] == "'"
    inside = text[1:-1].replace("\\\\", "").replace("\\'", "")
    assert "'" not in inside


def test_variables_and_constants_of_one_name_differ():
    assert Variable("x") != Constant("x")
    assert len({Variable("x"), Constant("x"), Variable("x")}) == 2
