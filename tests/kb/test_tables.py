from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import FactFormatError, KnowledgeBaseError, RulewrightError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.tables import read_tables
from rulewright.kb.text_file import ReadLimits


def read(folder: Path, header: bool | None = None, limits: ReadLimits | None = None, **files: str) -> KnowledgeBase:
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_bytes(text.encode())
    return read_tables(folder, header=header, limits=limits or ReadLimits())


def test_every_file_is_a_predicate_of_any_arity(tmp_path: Path) -> None:
    kb = read(tmp_path, parent_csv="ann,bob\nbob,cy\n", tall_csv="cy\n", gave_tsv="ann\tcy\tdog\n")
    assert kb.facts_of("parent") == [("ann", "bob"), ("bob", "cy")]
    assert kb.facts_of("tall") == [("cy",)]
    assert kb.facts_of("gave") == [("ann", "cy", "dog")]
    assert kb["parent"].truth is None


def test_other_files_hidden_files_folders_and_labels_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "sub.csv").mkdir()
    (tmp_path / ".hidden.csv").write_text("a")
    kb = read(tmp_path, p_csv="a\n", labels_csv="x\n", labels_tsv="x\n", notes_md="b", template_rules="c")
    assert list(kb.relations) == ["p"]


def test_quotes_blanks_line_ends_and_marks_are_those_of_csv(tmp_path: Path) -> None:
    kb = read(tmp_path, p_csv='\ufeff"a, ""b""", c d \r\n\r\n" e","f\ng"\r\n')
    assert kb.facts_of("p") == [('a, "b"', "c d "), (" e", "f\ng")]


def test_in_tsv_only_tabs_mean_anything(tmp_path: Path) -> None:
    assert read(tmp_path, p_tsv='"a\t b,c"\n').facts_of("p") == [('"a', ' b,c"')]


def test_an_extension_in_capitals_counts(tmp_path: Path) -> None:
    assert read(tmp_path, p_CSV="a,b\n").facts_of("p") == [("a", "b")]


@pytest.mark.parametrize(
    ("header", "text", "facts"),
    [
        (None, "#x,y\na,b\n", [("a", "b")]),
        (None, "x,y\na,b\n", [("x", "y"), ("a", "b")]),
        (True, "x,y\na,b\n", [("a", "b")]),
        (False, "#x,y\na,b\n", [("#x", "y"), ("a", "b")]),
        (False, "x,truth\na,b\n", [("x", "truth"), ("a", "b")]),
        (None, "a,b\n#c,d\n", [("a", "b"), ("#c", "d")]),
    ],
)
def test_a_header_is_skipped_when_told_or_marked(
    tmp_path: Path, header: bool | None, text: str, facts: list[tuple[str, ...]]
) -> None:
    assert read(tmp_path, header, p_csv=text).facts_of("p") == facts


@pytest.mark.parametrize("header", [True, None])
def test_a_last_column_named_truth_holds_truth_values(tmp_path: Path, header: bool | None) -> None:
    kb = read(tmp_path, header, p_csv="x,y,truth\na,b,0.5\na,c,1\n")
    assert kb.facts_of("p") == [("a", "b"), ("a", "c")]
    assert kb["p"].truths.tolist() == [0.5, 1]


def test_many_rows_are_taken_in_parts(tmp_path: Path) -> None:
    kb = read(tmp_path, p_csv="x,y,truth\n" + "".join(f"a{row},b,{row % 2}\n" for row in range(25_000)))
    assert len(kb) == 25_000
    assert kb["p"].truths.sum() == 12_500
    assert kb.facts_of("p")[-1] == ("a24999", "b")


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a,b\nc\n", "expected 2 columns, as in the first row, but found 1", 2),
        ("a,b\n\nc,d,e\n", "but found 3", 3),
        ("a,b\n,c\n", "column 1 is empty", 2),
        ("a,b\nc,\n", "column 2 is empty", 2),
        ('a,b\nc,"d\n', "not CSV", 2),
        ('a,b\nc,"d"e\n', "not CSV", 2),
        ("x,truth\na,2\n", r"truth must be a number in \[0, 1\], not '2'", 2),
        ("x,truth\na,b\n", "truth must be a number", 2),
        ("truth\n1\n", "needs a column of constants", 1),
        ("a,b\nc,ddddd\n", "a name of more than 4 characters", 2),
    ],
)
def test_a_mistake_is_an_error_with_its_line(tmp_path: Path, text: str, message: str, line: int) -> None:
    with pytest.raises(FactFormatError, match=message) as error:
        read(tmp_path, limits=ReadLimits(name_length=4), p_csv=text)
    assert (error.value.source, error.value.line) == (str(tmp_path / "p.csv"), line)


def test_two_files_of_one_predicate_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"p\.csv and p\.tsv hold the same predicate"):
        read(tmp_path, p_csv="a\n", p_tsv="b\n")


def test_a_folder_without_tables_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"no \.csv and no \.tsv file"):
        read(tmp_path)


@pytest.mark.parametrize("text", ["", "\n \n", "x,truth\n"])
def test_tables_without_rows_are_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        read(tmp_path, p_csv=text)


def test_one_table_may_be_empty(tmp_path: Path) -> None:
    assert list(read(tmp_path, p_csv="a\n", q_csv="").relations) == ["p"]


def test_a_folder_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="no file or folder"):
        read_tables(tmp_path / "missing")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@settings(deadline=None)
@given(content=st.binary(max_size=40) | st.text(alphabet='a",\n\r #1', max_size=30).map(str.encode))
def test_any_bytes_are_facts_or_an_error_of_ours(folder: Path, content: bytes) -> None:
    (folder / "p.csv").write_bytes(content)
    (folder / "q.tsv").write_bytes(content)
    with suppress(RulewrightError):
        read_tables(folder)
