"""Whatever stands in a template, in a file of facts or labels, or in settings: an answer or an error of ours, soon."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fuzz.targets import TEXTS, feed_text

from rulewright.errors import InputError, RulewrightError

MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00", b"\x80", b"\xed\xa0\x80", b"\r", b"\xe2\x80\xae")


def texts(name: str) -> st.SearchStrategy[bytes]:
    """Files made of the target's own words, some of them many times over, with strange bytes among them."""
    words = [word.encode("utf-8", "surrogatepass") for word in TEXTS[name].words]
    word = st.sampled_from(words)
    many = st.builds(lambda part, count: part * count, word, st.sampled_from([2, 50, 3000]))
    piece = st.one_of(word, word, word, many, st.sampled_from(MARKS), st.binary(max_size=4))
    return st.lists(piece, max_size=25).map(b"".join)


@pytest.mark.parametrize("name", TEXTS)
def test_any_text_is_read_or_refused_in_our_words(name: str, tmp_path: Path) -> None:
    told: set[type[RulewrightError]] = set()

    @settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
    @given(texts(name))
    def read(data: bytes) -> None:
        error = feed_text(name, data, tmp_path)
        if error is not None:
            told.add(type(error))

    read()
    assert any(issubclass(kind, InputError) for kind in told)


LARGE = {
    "parentheses": b"S(X) :- " + b"(" * 50_000 + b"p(X, X)" + b")" * 50_000 + b".",
    "negations": b"S(X) :- " + b"not " * 50_000 + b"p(X, X).",
    "atoms": b"S(X) :- " + b", ".join([b"p(X, X)"] * 20_000) + b".",
    "arguments": b"S(X) :- p(" + b"X, " * 50_000 + b"X).",
    "a name": b"S(X) :- " + b"p" * 200_000 + b"(X, X).",
    "clauses": b"".join(b"S%d(X) :- S%d(X). " % (n, n + 1) for n in range(3000)),
    "a ladder that doubles": b"".join(
        b"S%d(X, Y) :- S%d(X, Z), S%d(Z, Y). " % (n, n + 1, n + 1) for n in range(60)
    ) + b"S60(X, Y) :- p(X, Y).",
    "lists": b"<a:a> <a:b> " + b"(" * 50_000 + b")" * 50_000 + b" .",
    "triples about triples": b"<a:a> <a:b> " + b"<<( <a:a> <a:b> " * 50_000 + b"<a:c>" + b" )>>" * 50_000 + b" .",
    "objects": b'{"a": ' * 50_000 + b"1" + b"}" * 50_000,
    "elements": b"<a>" * 50_000 + b"</a>" * 50_000,
    "brackets": b"a = " + b"[" * 50_000,
    "tables": b"[a" + b".a" * 50_000 + b"]",
    "digits": b"length = " + b"9" * 100_000,
    "quotes": b'"' * 100_001,
    "columns": b"a\t" * 100_000,
    "commas": b"a," * 100_000,
    "no end of line": b"x" * 2_000_000,
    "nothing but ends of lines": b"\n" * 1_000_000,
    "zeros": b"\x00" * 1_000_000,
}  # fmt: skip


@pytest.mark.parametrize("large", LARGE)
def test_large_and_deep_texts_take_no_time_and_no_stack(large: str, tmp_path: Path) -> None:
    for name in TEXTS:
        place = tmp_path / name
        place.mkdir()
        feed_text(name, LARGE[large], place)


def test_a_template_or_settings_beyond_all_measure_are_refused_unread(tmp_path: Path) -> None:
    for name in ("template", "settings"):
        with (tmp_path / TEXTS[name].file).open("wb") as file:
            file.truncate(20 << 30)  # takes no room on the disk
        with pytest.raises(InputError, match="more than 8,388,608 bytes"):
            TEXTS[name].read(tmp_path / TEXTS[name].file)
