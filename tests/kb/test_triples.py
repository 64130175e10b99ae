from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import FactFormatError, KnowledgeBaseError, OptionError, RulewrightError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.text_file import ReadLimits
from rulewright.kb.triples import read_triples, write_triples

NAMES = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n\ufeff"), min_size=1)
TRUTHS = st.integers(0, 8).map(lambda eighths: eighths / 8)
BINARY_FACTS = st.dictionaries(NAMES, st.dictionaries(st.tuples(NAMES, NAMES), TRUTHS, min_size=1), min_size=1)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("triples") / "facts.tsv"


def read(file: Path, text: str | bytes, **options) -> KnowledgeBase:  # type: ignore[no-untyped-def]
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_triples(file, **options)


def facts_in(kb: KnowledgeBase) -> dict[str, dict[tuple[str, ...], float]]:
    return {
        name: dict(zip(kb.facts_of(name), relation.truths.tolist(), strict=True))
        for name, relation in kb.relations.items()
    }


def kb_of(facts: dict[str, dict[tuple[str, str], float]]) -> KnowledgeBase:
    return KnowledgeBase.of(facts, {name: list(rows.values()) for name, rows in facts.items()})


def test_a_line_is_head_relation_tail(file: Path) -> None:
    kb = read(file, "ann\tparent\tbob\nbob\tlikes\tcy\nbob\tparent\tcy\n")
    assert kb.facts_of("parent") == [("ann", "bob"), ("bob", "cy")]
    assert kb.facts_of("likes") == [("bob", "cy")]
    assert kb.constants.names == ["ann", "bob", "cy"]
    assert kb["parent"].truth is None
    assert kb["parent"].facts.dtype == np.int64


def test_a_fourth_column_is_the_truth(file: Path) -> None:
    kb = read(file, "a\tr\tb\t0.5\na\tr\tc\t1\na\ts\tc\t1e0\n")
    assert facts_in(kb) == {"r": {("a", "b"): 0.5, ("a", "c"): 1}, "s": {("a", "c"): 1}}
    assert kb["s"].truth is None


def test_repeated_facts_are_merged_and_keep_their_highest_truth(file: Path) -> None:
    assert facts_in(read(file, "a\tr\tb\t0.5\na\tr\tb\t0.75\na\tr\tb\t0.25\n")) == {"r": {("a", "b"): 0.75}}


@pytest.mark.parametrize(
    "text",
    [
        "a\tr\tb\r\nc\tr\td\r\n",
        "a\tr\tb\nc\tr\td",
        "\ufeffa\tr\tb\nc\tr\td\n",
        "\n\na\tr\tb\n  \n\nc\tr\td\n\n",
        "\r\na\tr\tb\r\n\r\nc\tr\td",
    ],
)
@pytest.mark.parametrize("block_bytes", [1, 1000])
def test_line_ends_blank_lines_and_byte_order_marks_change_nothing(file: Path, text: str, block_bytes: int) -> None:
    kb = read(file, text, limits=ReadLimits(block_bytes=block_bytes))
    assert kb.facts_of("r") == [("a", "b"), ("c", "d")]


def test_a_hash_a_quote_and_a_comma_are_data(file: Path) -> None:
    assert read(file, '#a\tr\t"b, c\n').facts_of("r") == [("#a", '"b, c')]


def test_only_a_line_feed_ends_a_line(file: Path) -> None:
    assert read(file, "a\x0b\u2028\tr\tb\rc\x85\n").facts_of("r") == [("a\x0b\u2028", "b\rc\x85")]


@pytest.mark.parametrize(
    ("order", "line"),
    [("head tail relation", "a\tb\tr"), ("tail relation head", "b\tr\ta"), ("relation tail head", "r\tb\ta")],
)
def test_columns_may_come_in_any_order(file: Path, order: str, line: str) -> None:
    assert facts_in(read(file, f"{line}\t0.5\n", order=order)) == {"r": {("a", "b"): 0.5}}


@pytest.mark.parametrize("separator", [" ", "|", "::", ";"])
def test_any_text_may_separate_columns(file: Path, separator: str) -> None:
    assert read(file, separator.join("arb") + "\n", separator=separator).facts_of("r") == [("a", "b")]


def test_with_quotes_a_column_may_hold_the_separator(file: Path) -> None:
    text = 'a, r,"b, ""c"""\n"a",r,d e\n'
    assert read(file, text, separator=",", quotes=True).facts_of("r") == [("a", 'b, "c"'), ("a", "d e")]


def test_with_quotes_plain_lines_are_read_alike(file: Path) -> None:
    assert read(file, "a,r,b\nc,r,d\n", separator=",", quotes=True).facts_of("r") == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("text", ['a,r,"b\n', 'a,r,"b"c\n'])
def test_a_broken_quote_is_an_error(file: Path, text: str) -> None:
    with pytest.raises(FactFormatError, match="not a line of CSV"):
        read(file, "a,r,b\n" + text, separator=",", quotes=True)


@pytest.mark.parametrize(
    ("header", "first", "count"),
    [
        (True, "x\ty\tz", 1),
        (None, "head\trelation\ttail", 1),
        (None, "x\ty\tz", 2),
        (False, "head\trelation\ttail", 2),
    ],
)
def test_a_header_is_skipped_when_told_or_recognised(file: Path, header: bool | None, first: str, count: int) -> None:
    assert len(read(file, f"{first}\na\tr\tb\n", header=header)) == count


def test_a_header_is_recognised_in_the_order_of_the_columns_and_with_a_truth(file: Path) -> None:
    text = "tail\thead\trelation\ttruth\nb\ta\tr\t0.5\n"
    assert facts_in(read(file, text, header=None, order="tail head relation")) == {"r": {("a", "b"): 0.5}}


def test_a_header_counts_as_a_line(file: Path) -> None:
    with pytest.raises(FactFormatError, match="found 2") as error:
        read(file, "x\ty\tz\na\tr\tb\na\tr\n", header=True)
    assert error.value.line == 3


@pytest.mark.parametrize("bad", ["a\tr", "a\tr\tb\tc\td", "a", "a\tr\tb\t1"])
@pytest.mark.parametrize("before", ["", "\n"])
def test_a_wrong_number_of_columns_is_an_error_with_its_line(file: Path, bad: str, before: str) -> None:
    with pytest.raises(FactFormatError, match="expected 3 columns, as in the first fact, separated by tabs") as error:
        read(file, f"a\tr\tb\n{before}{bad}\na\tr\tb\n")
    assert (error.value.source, error.value.column, error.value.text) == (str(file), 1, bad)
    assert error.value.line == 2 + len(before)


def test_lines_that_even_out_are_still_wrong(file: Path) -> None:
    with pytest.raises(FactFormatError, match="found 2"):
        read(file, "a\tr\tb\na\tr\na\tr\tb\tc\n")


def test_a_first_line_with_a_wrong_number_of_columns_is_an_error_that_knows_other_separators(file: Path) -> None:
    with pytest.raises(FactFormatError, match=r"found 1; for columns separated by commas pass separator=','"):
        read(file, "\na,r,b\n")


@pytest.mark.parametrize(
    ("bad", "role", "column"), [("\tr\tb", "head", 1), ("a\t\tb", "relation", 3), ("a\tr\t", "tail", 5)]
)
def test_an_empty_name_is_an_error_with_its_column(file: Path, bad: str, role: str, column: int) -> None:
    with pytest.raises(FactFormatError, match=f"the {role} is empty") as error:
        read(file, f"a\tr\tb\n{bad}\n")
    assert (error.value.line, error.value.column) == (2, column)


@pytest.mark.parametrize("truth", ["2", "-0.1", "nan", "x", "inf"])
def test_a_bad_truth_is_an_error_with_its_column(file: Path, truth: str) -> None:
    with pytest.raises(FactFormatError, match=r"the truth must be a number in \[0, 1\]") as error:
        read(file, f"a\tr\tb\t1\na\tr\tb\t{truth}\n")
    assert (error.value.line, error.value.column) == (2, 7)


def test_a_name_that_is_too_long_is_an_error_with_its_column(file: Path) -> None:
    assert len(read(file, "aaa\tr\tb\n", limits=ReadLimits(name_length=3))) == 1
    with pytest.raises(FactFormatError, match="the tail has more than 3 characters") as error:
        read(file, "a\tr\tbbbb\n", limits=ReadLimits(name_length=3))
    assert error.value.column == 5


@pytest.mark.parametrize("text", ["", "\n", " \n\r\n", "\ufeff"])
def test_a_file_without_facts_is_an_error(file: Path, text: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        read(file, text)


def test_a_header_alone_holds_no_facts(file: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        read(file, "a\tr\tb", header=True)


@pytest.mark.parametrize(
    "order", ["head tail", "head tail tail", "subject predicate object", "head relation tail truth"]
)
def test_an_order_that_is_none_is_an_error(file: Path, order: str) -> None:
    with pytest.raises(OptionError, match="order must name head, relation and tail"):
        read(file, "a\tr\tb\n", order=order)


@pytest.mark.parametrize(("separator", "quotes"), [("", False), ("\n", False), ("::", True), ('"', True)])
def test_a_separator_that_can_be_none_is_an_error(file: Path, separator: str, quotes: bool) -> None:
    with pytest.raises(OptionError, match="separator"):
        read(file, "a\tr\tb\n", separator=separator, quotes=quotes)


@settings(deadline=None)
@given(facts=BINARY_FACTS, block_bytes=st.integers(1, 40))
def test_what_is_written_is_read_back(
    file: Path, facts: dict[str, dict[tuple[str, str], float]], block_bytes: int
) -> None:
    kb = kb_of(facts)
    write_triples(kb, file)
    again = read_triples(file, limits=ReadLimits(block_bytes=block_bytes))
    assert facts_in(again) == facts_in(kb)
    assert again.constants.names == kb.constants.names


@settings(deadline=None)
@given(content=st.binary(max_size=40), quotes=st.booleans(), header=st.sampled_from([True, False, None]))
def test_any_bytes_are_facts_or_an_error_of_ours(file: Path, content: bytes, quotes: bool, header: bool | None) -> None:
    with suppress(RulewrightError):
        read(file, content, separator=",", quotes=quotes, header=header)


@settings(deadline=None)
@given(text=st.text(alphabet='a1.,\n" ', max_size=40), block_bytes=st.integers(1, 40), quotes=st.booleans())
def test_the_size_of_the_blocks_changes_nothing(file: Path, text: str, block_bytes: int, quotes: bool) -> None:
    def outcome(block_bytes: int) -> object:
        try:
            kb = read(file, text, separator=",", quotes=quotes, limits=ReadLimits(block_bytes=block_bytes))
        except RulewrightError as error:
            return str(error)
        return kb.constants.names, facts_in(kb)

    assert outcome(block_bytes) == outcome(1000)


def test_only_binary_facts_are_written_as_triples(file: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="gave has 3 arguments"):
        write_triples(KnowledgeBase.of({"gave": [("a", "b", "c")]}), file)


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\rb", "", "\ufeffa"])
def test_a_name_that_would_not_be_read_back_is_not_written(file: Path, name: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="cannot hold the name"):
        write_triples(KnowledgeBase.of({"p": [(name, "b")]}), file)
    with pytest.raises(KnowledgeBaseError, match="cannot hold the name"):
        write_triples(KnowledgeBase.of({name: [("a", "b")]}), file)
