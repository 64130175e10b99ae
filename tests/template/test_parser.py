from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import TemplateSyntaxError
from rulewright.logic.terms import Atom, Constant, Term, Variable
from rulewright.template.parser import MAX_CHARACTERS, MAX_DEPTH, parse_template
from rulewright.template.syntax import (
    And,
    Clause,
    Compare,
    Domain,
    Formula,
    Not,
    Option,
    Or,
    Pattern,
    Place,
    Template,
    Use,
    is_variable,
)


def term(word: str) -> Term:
    return Variable(word) if is_variable(word) else Constant(word)


def use(predicate: str, *words: str) -> Use:
    return Use(Atom(predicate, tuple(map(term, words))))


def body(text: str) -> Formula:
    return parse_template(f"S(X) :- {text}.").clauses[0].body


def domain(text: str) -> Domain:
    return parse_template(f"{text}.").domains[0]


P, Q, R = use("p", "X"), use("q", "X"), use("r", "X")


def test_the_paper_s_program_template_parses() -> None:
    template = parse_template(
        """% the paper's program template, figure (c)
        S(X, Z) :- R(X, Z) ; O(X, Z).
        R(X, Z) :- P(X, Y), Q(Y, Z).
        P in {A, B}.   Q in {C}.   O in {A, B}.
        """
    )
    both = (Pattern("A"), Pattern("B"))
    assert template == Template(
        (
            Clause(Atom("S", (Variable("X"), Variable("Z"))), Or((use("R", "X", "Z"), use("O", "X", "Z")))),
            Clause(Atom("R", (Variable("X"), Variable("Z"))), And((use("P", "X", "Y"), use("Q", "Y", "Z")))),
        ),
        (Domain("P", both), Domain("Q", (Pattern("C"),)), Domain("O", both)),
    )


def test_both_arrows_both_conjunctions_both_disjunctions_and_both_negations_mean_the_same() -> None:
    assert parse_template("S(X) <- p(X) & ~q(X) | r(X).") == parse_template("S(X) :- p(X), not q(X) ; r(X).")


def test_conjunction_binds_tighter_than_disjunction() -> None:
    assert body("p(X), q(X) ; r(X)") == Or((And((P, Q)), R))
    assert body("p(X), (q(X) ; r(X))") == And((P, Or((Q, R))))


def test_flat_text_gives_flat_nodes_and_groups_stay_groups() -> None:
    assert body("p(X), q(X), r(X)") == And((P, Q, R))
    assert body("p(X) ; q(X) ; r(X)") == Or((P, Q, R))
    assert body("p(X), (q(X), r(X))") == And((P, And((Q, R))))
    assert body("(p(X) ; q(X)) ; r(X)") == Or((Or((P, Q)), R))
    assert body("((p(X)))") == P


def test_not_takes_an_atom_or_a_group_and_may_name_its_universe() -> None:
    assert body("not p(X), q(X)") == And((Not(P), Q))
    assert body("not (p(X), q(X))") == Not(And((P, Q)))
    assert body("not (not p(X)) over {a, b*}, q(X)") == And((Not(Not(P), (Pattern("a"), Pattern("b*"))), Q))
    assert body("not (not p(X) over {a})") == Not(Not(P, (Pattern("a"),)))


@pytest.mark.parametrize(("written", "meant"), [("==", "="), ("<>", "!="), *((o, o) for o in Compare.OPERATORS)])
def test_every_comparison_is_read(written: str, meant: str) -> None:
    assert body(f"p(X, Y), X {written} Y") == And((use("p", "X", "Y"), Compare(Variable("X"), meant, Variable("Y"))))


def test_less_than_a_negative_number_is_no_arrow() -> None:
    assert body("p(X), X<-3") == And((P, Compare(Variable("X"), "<", Constant("-3"))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X", Variable("X")),
        ("_x", Variable("_x")),
        ("Été", Variable("Été")),
        ("x", Constant("x")),
        ("été", Constant("été")),
        ("12", Constant("12")),
        ("-1.50e-3", Constant("-1.50e-3")),
        ("'X'", Constant("X")),
        ('"it\'s"', Constant("it's")),
        (r"'it\'s \"a\" \\ \n\t\r'", Constant('it\'s "a" \\ \n\t\r')),
        ("'not'", Constant("not")),
    ],
)
def test_the_first_letter_or_quotes_tell_variables_from_constants(text: str, expected: Term) -> None:
    assert body(f"p({text})") == Use(Atom("p", (expected,)))


def test_every_lone_underscore_is_another_variable() -> None:
    template = parse_template("S(X) :- p(X, _), q(_, _1).  T(X) :- p(X, _).")
    assert str(template) == "S(X) :- p(X, _2), q(_3, _1).\nT(X) :- p(X, _4)."


def test_predicates_may_be_quoted_or_inverted_or_both() -> None:
    assert body("p^-1(X, Y)") == use("p^-1", "X", "Y")
    assert body("'/film/film.x'(X)") == use("/film/film.x", "X")
    assert body("'/film/film'^-1(X, Y)") == use("/film/film^-1", "X", "Y")
    assert body("Über(X)") == use("Über", "X")


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("P in {A, B}", (Pattern("A"), Pattern("B"))),
        ("P in *", (Pattern("*"),)),
        ("P in HasObstacle*", (Pattern("HasObstacle*"),)),
        ("P in {not Has?, ~b}", (Pattern("Has?", negated=True), Pattern("b", negated=True))),
        ("P in not b", (Pattern("b", negated=True),)),
        ("P in {a^-1, *^-1, 'a b'^-1}", (Pattern("a^-1"), Pattern("*^-1"), Pattern("a b^-1"))),
        ("P in {'a*', \"*\"^-1}", (Pattern("a*", exact=True), Pattern("*^-1", exact=True))),
        ("P in {/film/*./x, part-of}", (Pattern("/film/*./x"), Pattern("part-of"))),
        ("P in {nothing, not*, 'not'}", (Pattern("nothing"), Pattern("not*"), Pattern("not"))),
    ],
)
def test_domains_list_names_and_globs(text: str, patterns: tuple[Pattern, ...]) -> None:
    assert domain(text) == Domain("P", patterns)


def test_a_quoted_name_without_stars_says_the_same_as_the_bare_name() -> None:
    assert domain("P in {'A'}") == domain("P in {A}")
    assert domain("P in {'A*'}") != domain("P in {A*}")


def test_domains_take_except_over_and_options() -> None:
    assert domain("P in * except {S, T*} over {U} @attention @alpha(0.9)") == Domain(
        "P",
        (Pattern("*"),),
        (Pattern("S"), Pattern("T*")),
        (Pattern("U"),),
        (Option("attention"), Option("alpha", 0.9)),
    )


def test_clauses_take_options_after_their_head() -> None:
    clause = parse_template("S(X) @product @fixed :- p(X).").clauses[0]
    assert clause.options == (Option("product"), Option("fixed"))


def test_several_statements_share_a_line_and_comments_and_line_ends_do_not_matter() -> None:
    expected = parse_template("S(X) :- p(X).\nP in *.\nQ in *.")
    assert parse_template("\ufeffS(X):-p(X).P in *.Q in *.") == expected
    assert parse_template("% first\r\nS(X) :- # half\r\n  p(X). % '(\r\nP in *. Q in *. # end") == expected


def test_every_node_knows_its_place() -> None:
    template = parse_template("\nS(X) @fixed :-\n  p(X), not q(X) over {a},\n  X < 3.\n  P in {A, not B}.")
    clause, found = template.clauses[0], template.domains[0]
    assert isinstance(clause.body, And)
    atom, negation, comparison = clause.body.children
    assert isinstance(atom, Use)
    assert isinstance(negation, Not)
    assert isinstance(negation.child, Use)
    assert isinstance(comparison, Compare)
    places = [clause.place, clause.options[0].place, atom.place, negation.place, negation.child.place]
    places += [negation.universe[0].place, comparison.place, found.place]
    assert [(place.line, place.column) for place in places] == [
        *((2, 1), (2, 6), (3, 3), (3, 9), (3, 13)),
        *((3, 24), (4, 3), (5, 3)),
    ]
    assert [pattern.place for pattern in found.patterns] == [Place(5, 9), Place(5, 12)]


def test_the_template_keeps_its_text() -> None:
    assert parse_template("S(X) :- p(X). %").text == "S(X) :- p(X). %"


def nested(depth: int) -> str:
    return "S(X) :- " + "not (" * depth + "p(X)" + ")" * depth + "."


def test_nesting_is_limited_before_anything_recurses_too_deep() -> None:
    deepest = parse_template(nested(MAX_DEPTH))
    assert parse_template(str(deepest)) == deepest
    for text in (nested(MAX_DEPTH + 1), nested(5_000)):
        with pytest.raises(TemplateSyntaxError, match=f"more than {MAX_DEPTH} groups and negations"):
            parse_template(text)


def test_parentheses_that_group_nothing_cost_no_depth() -> None:
    assert body("(" * 5000 + "p(X)" + ")" * 5000) == P


def test_text_has_a_size_limit() -> None:
    with pytest.raises(TemplateSyntaxError, match="the limit is 1,000,000") as caught:
        parse_template("S(X) :- p(X)." + " " * MAX_CHARACTERS)
    assert len(str(caught.value)) < 1000


def test_a_body_of_thousands_of_atoms_is_one_flat_node() -> None:
    assert body(", ".join(["p(X)"] * 3000)) == And((P,) * 3000)


names = st.sampled_from(["p", "Q2", "not", "over", "a^-1", "x y^-1", "a.b", "*", "^-1", ""]) | st.text(max_size=4)
variables = st.sampled_from(["X", "Y", "_1", "_x", "Été", "X_2"]).map(Variable)
constants = (names | st.sampled_from(["0", "-1", "2.50", "1e-3", "1.", "--1", "Ab", "aB"])).map(Constant)
atoms = st.builds(Atom, names, st.lists(variables | constants, min_size=1, max_size=2).map(tuple))
globs = st.sampled_from(["*", "a*", "?b", "*^-1", "/film/*./x?^-1", "not*", "a-*:b", "*.*"])
patterns = st.builds(Pattern, names, st.booleans(), st.just(True)) | st.builds(Pattern, globs, st.booleans())
universes = st.lists(patterns, max_size=2).map(tuple)
formulas = st.recursive(
    st.builds(Use, atoms)
    | st.builds(Compare, variables | constants, st.sampled_from(Compare.OPERATORS), variables | constants),
    lambda parts: (
        st.builds(Not, parts, universes)
        | st.builds(And, st.lists(parts, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(parts, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=6,
)
values = st.none() | st.floats(allow_nan=False, allow_infinity=False)
options = st.lists(st.builds(Option, st.sampled_from(["alpha", "x1"]), values), max_size=2).map(tuple)
templates = st.builds(
    Template,
    st.lists(st.builds(Clause, atoms, formulas, options), min_size=1, max_size=2).map(tuple),
    st.lists(
        st.builds(Domain, names, st.lists(patterns, min_size=1, max_size=3).map(tuple), universes, universes, options),
        max_size=2,
    ).map(tuple),
)


@settings(deadline=None, max_examples=100)
@given(templates)
def test_the_text_of_any_tree_parses_back_to_it(template: Template) -> None:
    text = str(template)
    again = parse_template(text)
    assert again == template
    assert str(again) == text


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=30) | st.text(alphabet="SXp_(){}'\"\\,;.:-<>=!&|~*?@^1 \n%#", max_size=30))
def test_any_text_parses_or_is_a_syntax_error_within_the_text(text: str) -> None:
    assert_parses_or_points(text)


words = ["S", "X", "p", "_", "(", "(", ")", ")", "{", "}", ",", ";", ".", ":-", "not", "over", "in", "except", "*", "<"]


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from([*words, "p(X)", "S(X) :-", "@alpha", "(0.9)", "'q'", "^-1", "3", "\n"]), max_size=15))
def test_any_words_parse_or_are_a_syntax_error_within_the_text(found: list[str]) -> None:
    assert_parses_or_points(" ".join(found))


@settings(deadline=None, max_examples=60)
@given(templates.map(str), st.data())
def test_a_text_cut_short_parses_or_is_a_syntax_error_within_the_text(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    assert_parses_or_points(text[:start] + text[end:])


def assert_parses_or_points(text: str) -> None:
    mistake: TemplateSyntaxError | None = None
    try:
        template = parse_template(text)
    except TemplateSyntaxError as error:
        mistake = error
    if mistake is None:
        assert parse_template(str(template)) == template
    else:
        lines = text.split("\n")
        assert 1 <= mistake.line <= len(lines)
        assert 1 <= mistake.column <= len(lines[mistake.line - 1]) + 1


def test_the_places_of_statements_come_in_order() -> None:
    places = [clause.place for clause in parse_template("S(X) :- p(X). S(X) :- q(X).\nS(X) :- r(X).").clauses]
    assert all((a.line, a.column) < (b.line, b.column) for a, b in pairwise(places))
