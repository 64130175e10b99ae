import pickle
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import FactFormatError, KnowledgeBaseError, OptionError, RulewrightError, excerpt
from rulewright.kb.text_file import Block, ReadLimits, text_blocks, write_text


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "facts.txt"


def text_of(file: Path, content: bytes, encoding: str = "utf-8", **limits: int) -> str:
    file.write_bytes(content)
    return "".join(block.text for block in text_blocks(file, encoding, ReadLimits(**limits)))


@pytest.fixture(scope="module")
def shared_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("text") / "facts.txt"


@settings(deadline=None)
@given(text=st.text(alphabet="aé\r\n\t", max_size=30), block_bytes=st.integers(1, 8))
def test_blocks_of_any_size_hold_the_same_lines(shared_file: Path, text: str, block_bytes: int) -> None:
    shared_file.write_bytes(text.encode())
    blocks = list(text_blocks(shared_file, limits=ReadLimits(block_bytes=block_bytes)))
    whole = text.replace("\r\n", "\n")
    assert "".join(block.text for block in blocks) == whole + ("\n" if whole and whole[-1] != "\n" else "")
    for number, block in enumerate(blocks):
        assert block.text.endswith("\n")
        assert block.line == 1 + sum(earlier.text.count("\n") for earlier in blocks[:number])


def test_a_byte_order_mark_is_dropped_at_the_start_only(file: Path) -> None:
    assert text_of(file, b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", block_bytes=1) == "a\n\ufeffb\n"


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252"])
def test_other_encodings_can_be_asked_for(file: Path, encoding: str) -> None:
    assert text_of(file, "é\nb\n".encode(encoding), encoding, block_bytes=3) == "é\nb\n"


@pytest.mark.parametrize("block_bytes", [1, 2, 100])
def test_bytes_that_are_no_text_are_an_error_with_their_place(file: Path, block_bytes: int) -> None:
    with pytest.raises(FactFormatError, match="byte 0xe9 at byte position 5; pass encoding") as error:
        text_of(file, b"ok\nd\xc3\xe9\n".replace(b"\xc3", b"\x61"), block_bytes=block_bytes)
    assert error.value.line == 2


def test_a_character_cut_off_at_the_end_is_an_error(file: Path) -> None:
    with pytest.raises(FactFormatError, match="byte 0xc3 at byte position 2"):
        text_of(file, b"a\n\xc3")


def test_utf_16_is_recognised_in_the_error(file: Path) -> None:
    with pytest.raises(FactFormatError, match="encoding='utf-16'"):
        text_of(file, "a\n".encode("utf-16"))


@pytest.mark.parametrize("encoding", ["utf-99", "hex", "a\0b"])
def test_an_unknown_encoding_is_an_error(file: Path, encoding: str) -> None:
    with pytest.raises(OptionError, match="unknown encoding"):
        text_of(file, b"a", encoding)


@settings(deadline=None)
@given(content=st.binary(max_size=20), encoding=st.sampled_from(["utf-8", "utf-16", "utf-7", "ascii", "idna", "cp932"]))
def test_any_bytes_are_text_or_an_error_of_ours(shared_file: Path, content: bytes, encoding: str) -> None:
    shared_file.write_bytes(content)
    with suppress(RulewrightError):
        list(text_blocks(shared_file, encoding, ReadLimits(block_bytes=3)))


def test_a_file_that_is_too_large_is_refused(file: Path) -> None:
    assert text_of(file, b"ab\n", file_bytes=3) == "ab\n"
    with pytest.raises(KnowledgeBaseError, match="more than 3 bytes"):
        text_of(file, b"abc\n", file_bytes=3)


@pytest.mark.parametrize("content", [b"ok\nabcd\nok\n", b"ok\nabcd"])
@pytest.mark.parametrize("block_bytes", [1, 100])
def test_a_line_that_is_too_long_is_refused_with_its_number(file: Path, content: bytes, block_bytes: int) -> None:
    assert text_of(file, content, line_length=4, block_bytes=block_bytes)
    with pytest.raises(FactFormatError, match="more than 3 characters") as error:
        text_of(file, content, line_length=3, block_bytes=block_bytes)
    assert error.value.line == 2


def test_an_endless_line_is_refused_before_it_is_read(file: Path) -> None:
    file.write_bytes(b"a" * 1000)
    seen: Iterator[Block] = text_blocks(file, limits=ReadLimits(line_length=10, block_bytes=4))
    with pytest.raises(FactFormatError, match="more than 10 characters"):
        next(seen)


def test_limits_below_one_are_refused() -> None:
    with pytest.raises(OptionError, match="name_length must be at least 1"):
        ReadLimits(name_length=0)


def test_a_missing_file_is_an_error_that_names_its_neighbours(file: Path) -> None:
    file.write_text("a")
    with pytest.raises(KnowledgeBaseError, match=r"no file or folder .*fact\.txt \(did you mean facts\.txt\?\)"):
        next(text_blocks(file.with_name("fact.txt")))


@pytest.mark.parametrize("missing", ["no/such/folder", "."])
def test_what_is_no_file_cannot_be_read(tmp_path: Path, missing: str) -> None:
    with pytest.raises(KnowledgeBaseError):
        next(text_blocks(tmp_path / missing))


def test_an_error_knows_line_column_and_text(file: Path) -> None:
    error = Block("a\nb c\nd\n", 7, file).error("wrong", 4)
    assert (error.line, error.column, error.text) == (8, 3, "b c")
    assert str(error) == f"{file}:8:3: wrong\n  b c\n    ^"


def test_the_rest_of_a_block_keeps_lines_and_columns(file: Path) -> None:
    block = Block("a\nb c\nd\n", 7, file)
    rest = block.rest(4)
    assert rest.text == "  c\nd\n"
    assert (rest.error("", 2).line, rest.error("", 2).column) == (8, 3)


def test_a_tab_takes_one_place_so_that_the_caret_stands_right() -> None:
    assert excerpt("a\tb\x1b", 3) == "\n  a→b?\n    ^"


@pytest.mark.parametrize("column", [1, 60, 200, 501, 1000, 1001])
def test_of_a_long_line_the_part_around_the_column_is_shown(column: int) -> None:
    text = "".join(chr(ord("a") + place % 26) for place in range(1000))
    _, shown, caret = excerpt(text, column).split("\n")
    assert len(shown) == 122
    assert (shown + " ")[caret.index("^")] == (text + " ")[column - 1]


def test_an_error_survives_the_way_between_processes(file: Path) -> None:
    error = Block("abc\n", 1, file).error("wrong", 1)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is FactFormatError
    assert (str(copy), copy.line, copy.column, copy.source) == (str(error), 1, 2, str(file))


def test_a_written_file_replaces_the_old_one_whole(file: Path) -> None:
    file.write_text("old")
    write_text(file, ["né", "w\n"])
    assert file.read_bytes() == "néw\n".encode()
    assert list(file.parent.iterdir()) == [file]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(file: Path) -> None:
    def pieces() -> Iterator[str]:
        yield "new"
        raise KeyError

    file.write_text("old")
    with pytest.raises(KeyError):
        write_text(file, pieces())
    assert file.read_text() == "old"
    assert list(file.parent.iterdir()) == [file]


def test_what_utf_8_cannot_hold_is_not_written(file: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="ud800"):
        write_text(file, ["\ud800"])
    assert not file.exists()


def test_a_folder_that_is_missing_cannot_be_written_to(file: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="cannot write"):
        write_text(file.parent / "missing" / "file", ["a"])
