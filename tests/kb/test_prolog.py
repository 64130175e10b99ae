import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import FactFormatError, KnowledgeBaseError, RulewrightError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.prolog import read_prolog, write_prolog
from rulewright.kb.text_file import ReadLimits
from rulewright.logic.terms import Atom, Constant

NAMES = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=5),
    st.text(alphabet="a'\"\\,n%/*.\n ", max_size=5),
    st.sampled_from(["ann", "Bob", "1", "-2.5e3", "a_1", "not", "1a", "''", "/m/01"]),
)
TRUTHS = st.integers(0, 8).map(lambda eighths: eighths / 8)
BLANKS = st.sampled_from(["", " ", "\n", "\r\n", "% x, y.\n", "/* p(a). */", "/***/", "/* * / \n */ "])


@st.composite
def tables(draw: st.DrawFn) -> dict[tuple[str, ...], float]:
    arity = draw(st.integers(1, 3))
    return draw(st.dictionaries(st.tuples(*[NAMES] * arity), TRUTHS, min_size=1, max_size=4))


FACTS = st.dictionaries(NAMES, tables(), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prolog") / "facts.pl"


def read(file: Path, text: str | bytes, **limits: int) -> KnowledgeBase:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_prolog(file, limits=ReadLimits(**limits))


def facts_in(kb: KnowledgeBase) -> dict[str, dict[tuple[str, ...], float]]:
    return {
        name: dict(zip(kb.facts_of(name), relation.truths.tolist(), strict=True))
        for name, relation in kb.relations.items()
    }


def test_facts_of_any_arity_are_read(file: Path) -> None:
    kb = read(file, "parent(ann, bob).\nparent(bob,cy).\ntall(cy).\ngave(ann, cy, dog).\n")
    assert kb.facts_of("parent") == [("ann", "bob"), ("bob", "cy")]
    assert kb.facts_of("tall") == [("cy",)]
    assert kb.facts_of("gave") == [("ann", "cy", "dog")]
    assert kb.constants.names == ["ann", "bob", "cy", "dog"]
    assert list(kb.relations) == ["parent", "tall", "gave"]
    assert kb["parent"].truth is None


def test_names_count_in_the_order_of_the_text_whatever_the_arity(file: Path) -> None:
    kb = read(file, "p(a). q(x, y). r(b).")
    assert kb.constants.names == ["a", "x", "y", "b"]
    assert list(kb.relations) == ["p", "q", "r"]


def test_several_facts_share_a_line_and_one_fact_spans_lines(file: Path) -> None:
    assert read(file, "p(a). p(b).p(\nc\n)\n.").facts_of("p") == [("a",), ("b",), ("c",)]


def test_comments_may_stand_anywhere_and_hold_anything(file: Path) -> None:
    text = "% p(x).\n/* p(y). ' */ p /**/ ( % it's, \n a /* , */ , b ) /* * / ** */ . % end"
    assert facts_in(read(file, text)) == {"p": {("a", "b"): 1}}


def test_a_comment_ends_at_its_first_end(file: Path) -> None:
    with pytest.raises(FactFormatError) as error:
        read(file, "p(a) /* x */ q */ .\n")
    assert error.value.column == 14


@pytest.mark.parametrize(
    ("spelt", "name"),
    [
        ("ann", "ann"),
        ("aNN_1", "aNN_1"),
        ("caf\u00e9", "caf\u00e9"),
        ("'ann'", "ann"),
        ('"ann"', "ann"),
        ("'Ann B'", "Ann B"),
        ("''", ""),
        ('""', ""),
        ("'it''s'", "it's"),
        ("\"it''s\"", "it''s"),
        ('"a""b"', 'a"b'),
        (r"'it\'s'", "it's"),
        (r"'\\n\n\t\r\"'", '\\n\n\t\r"'),
        ("'a,b'", "a,b"),
        ("'% /* '", "% /* "),
        ("1", "1"),
        ("-1.50", "-1.50"),
        ("1.0e-5", "1.0e-5"),
        ("007", "007"),
        ("'1'", "1"),
    ],
)
def test_every_spelling_has_its_name(file: Path, spelt: str, name: str) -> None:
    assert read(file, f"p({spelt}).").facts_of("p") == [(name,)]
    assert read(file, f"p(x, {spelt}, 'y z').").facts_of("p") == [("x", name, "y z")]


@pytest.mark.parametrize("name", ["ann", "Ann B", "it's", "\\", "a\nb", "1", "not", "-2.5"])
def test_names_are_those_of_the_constants_of_a_template(file: Path, name: str) -> None:
    assert read(file, f"{Atom('p', (Constant(name),))}.").facts_of("p") == [(name,)]


def test_a_predicate_may_be_quoted(file: Path) -> None:
    assert facts_in(read(file, "'/film/x'(a). '/film/x'('b'). 'p'(a). p(b).")) == {
        "/film/x": {("a",): 1, ("b",): 1},
        "p": {("a",): 1, ("b",): 1},
    }


def test_a_number_in_front_is_the_truth(file: Path) -> None:
    text = "0.5::p(a). 1e-1 :: p(b). p(c). 0::q(a).\n1::q(b)."
    truths = facts_in(read(file, text))
    assert truths == {"p": {("a",): 0.5, ("b",): pytest.approx(0.1), ("c",): 1}, "q": {("a",): 0, ("b",): 1}}


def test_repeated_facts_are_merged_and_keep_their_highest_truth(file: Path) -> None:
    assert facts_in(read(file, "0.5::p(a). 0.75::p(a). 0.25::p('a').")) == {"p": {("a",): 0.75}}


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("p(a).\nq(a) :- p(a).", "facts only; rules", 2, 6),
        ("p(a).\n:- dynamic q/1.", "facts only; rules", 2, 1),
        ("p(a).\n?- p(X).", "facts only; rules", 2, 1),
        ("p(a).\n p(a, Bob).", "Bob is a variable.*write 'Bob'", 2, 7),
        ("p(_).", "_ is a variable", 1, 3),
        ("Parent(a).", "Parent is a variable.*write 'Parent'", 1, 1),
        ("p(a)\nq(b).", "expected a full stop", 2, 1),
        ("p(a b).", r"expected , or \)", 1, 5),
        ("p(a;b).", r"expected , or \)", 1, 4),
        ("p(a,).", "expected a constant", 1, 5),
        ("p().", "expected a constant", 1, 3),
        ("p(f(a)).", "compound term or a list", 1, 4),
        ("p([a]).", "compound term or a list", 1, 3),
        ("p(1a).", "expected a constant", 1, 3),
        ("p(a)).", "expected a full stop", 1, 5),
        ("p(a)..", "expected a predicate", 1, 6),
        ("rain.", "rain has no arguments", 1, 1),
        ("p a.", r"expected \( after p", 1, 3),
        ("p", "not ended by a full stop", 1, 1),
        ("p(a). q(b,\n", "not ended by a full stop", 1, 7),
        ("p(a).\n  /* x", r"not closed by \*/", 2, 3),
        ("p('a).\np('b').", "not closed on its line", 1, 3),
        (r"p('a\qb').", "escape other than", 1, 3),
        ("p('a\nb').", "not closed on its line", 1, 3),
        ("p(\u00e9).", "does not start with a to z is quoted: '\u00e9'", 1, 3),
        ("p(a).\n1.5::p(a).", r"truth must be a number in \[0, 1\], not 1.5", 2, 1),
        ("-0.5::p(a).", "truth must be", 1, 1),
        ("0.5 p(a).", ":: after the truth 0.5", 1, 5),
        ("0.5::p(a); 0.5::p(b).", "expected a full stop", 1, 10),
        ("p(a).\np(b). p(a, b).", "predicate p has 2 arguments here but 1 elsewhere", 2, 7),
        ("p(a, b). q(c). q(c, d).", "predicate q has", 1, 10),
    ],
)
def test_a_mistake_is_an_error_with_its_place(file: Path, text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(FactFormatError, match=message) as error:
        read(file, text)
    assert (error.value.line, error.value.column) == (line, column)


def test_an_arity_that_differs_from_an_earlier_block_is_an_error_with_its_place(file: Path) -> None:
    with pytest.raises(FactFormatError, match="predicate p has 2 arguments here but 1") as error:
        read(file, "p(a).\n q(b). p(a, b).\n", block_bytes=1)
    assert (error.value.line, error.value.column) == (2, 8)


@pytest.mark.parametrize(
    ("text", "role", "column"), [("p(a). q(b, aaaa).", "constant", 7), ("p(a). qqqq(b).", "predicate", 7)]
)
def test_a_name_that_is_too_long_is_an_error_with_its_place(file: Path, text: str, role: str, column: int) -> None:
    assert len(read(file, text, name_length=4)) == 2
    with pytest.raises(FactFormatError, match=f"a {role} of more than 3 characters") as error:
        read(file, text, name_length=3)
    assert error.value.column == column


@pytest.mark.parametrize("text", ["p(a).\nq(\na,\nb,\nc).\n", "p(a).\n/* a\nb\nc\nd\n */\n"])
def test_a_fact_or_comment_over_too_many_lines_is_refused(file: Path, text: str) -> None:
    assert read(file, text, line_length=12, block_bytes=1)
    with pytest.raises(FactFormatError, match="a fact or comment of more than 6 characters") as error:
        read(file, text, line_length=6, block_bytes=1)
    assert (error.value.line, error.value.column) == (2, 1)


@pytest.mark.parametrize("text", ["", "\n", "% nothing\n", "/* nothing */"])
def test_a_file_without_facts_is_an_error(file: Path, text: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        read(file, text)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "p(" + "a," * 100_000,
        "p(" + "a , " * 50_000 + "B).",
        "/*" + "*" * 200_000,
        "p(a" + "/* x */" * 30_000 + "b).",
        "p('" + "''" * 100_000,
        "(" * 200_000,
        "%\n" * 100_000 + "p(a)" + "%\n" * 100_000 + "x",
    ],
    ids=range(8),
)
def test_no_text_takes_more_than_linear_time(file: Path, text: str) -> None:
    started = time.process_time()
    with pytest.raises(FactFormatError):
        read(file, text)
    assert time.process_time() - started < 5


@settings(deadline=None)
@given(facts=FACTS, block_bytes=st.integers(1, 60))
def test_what_is_written_is_read_back(
    file: Path, facts: dict[str, dict[tuple[str, ...], float]], block_bytes: int
) -> None:
    kb = KnowledgeBase.of(facts, {name: list(rows.values()) for name, rows in facts.items()})
    write_prolog(kb, file)
    again = read_prolog(file, limits=ReadLimits(block_bytes=block_bytes))
    assert facts_in(again) == facts_in(kb)
    assert again.constants.names == kb.constants.names


@settings(deadline=None)
@given(blanks=st.lists(BLANKS, min_size=9, max_size=9), block_bytes=st.integers(1, 60))
def test_blanks_and_comments_between_the_parts_change_nothing(file: Path, blanks: list[str], block_bytes: int) -> None:
    parts = ["0.5", "::", "p", "(", "a", ",", "'b c'", ")", "."]
    text = "q(a,b). " + "".join(blank + part for blank, part in zip(blanks, parts, strict=True))
    kb = read(file, text + blanks[0], block_bytes=block_bytes)
    assert facts_in(kb) == {"q": {("a", "b"): 1}, "p": {("a", "b c"): 0.5}}


@settings(deadline=None)
@given(content=st.binary(max_size=40))
def test_any_bytes_are_facts_or_an_error_of_ours(file: Path, content: bytes) -> None:
    with suppress(RulewrightError):
        read(file, content)


@settings(deadline=None)
@given(text=st.text(alphabet="ap1X(),.:'\"\\%/* \n", max_size=40), block_bytes=st.integers(1, 40))
def test_the_size_of_the_blocks_changes_nothing(file: Path, text: str, block_bytes: int) -> None:
    def outcome(block_bytes: int) -> object:
        try:
            kb = read(file, "p(a). p(b).\nq(a)." + text, block_bytes=block_bytes)
        except FactFormatError as error:
            return error.line, error.column
        return kb.constants.names, facts_in(kb)

    assert outcome(block_bytes) == outcome(1000)
