"""Depth and entities at which an RDF parser would end the process: refused beforehand, with the line.

Without the check, most of these would not fail but take pytest with them.
"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import FactFormatError, RulewrightError
from rulewright.kb.nesting import DEEPEST, check_nesting
from rulewright.kb.rdf import read_rdf
from rulewright.kb.text_file import DEFAULT_LIMITS, ReadLimits

SMALL_BLOCKS = ReadLimits(block_bytes=1)
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="a:">'
NESTED = {  # the beginning, what opens, the middle, what closes, the end
    "list.ttl": ("<a:a> <a:b> ", "(", "", ")", " .\n"),
    "blank.ttl": ("<a:a> <a:b> ", "[ <a:b> ", "<a:c>", "]", " .\n"),
    "triple.ttl": ("<a:a> <a:b> ", "<<( <a:a> <a:b> ", "<a:c>", " )>>", " .\n"),
    "triple.nt": ("<a:a> <a:b> ", "<<( <a:a> <a:b> ", "<a:c>", " )>>", " .\n"),
    "graph.n3": ("<a:a> <a:b> ", "{ <a:a> <a:b> ", "<a:c>", "}", " .\n"),
    "object.jsonld": ('{"@context":{"@vocab":"a:"},"@id":"a:x","p":', '{"p":', "1", "}", "}"),
    "array.json": ('{"@context":{"@vocab":"a:"},"@id":"a:x","p":', "[", "1", "]", "}"),
    "elements.rdf": (RDF, "<rdf:Description><x:p>", "a", "</x:p></rdf:Description>", "</rdf:RDF>"),
    "literal.xml": (RDF + '<rdf:Description rdf:about="a:b"><x:p rdf:parseType="Literal">', "<a>", "", "</a>",
                    "</x:p></rdf:Description></rdf:RDF>"),
}  # fmt: skip


def nested(name: str, depth: int, folder: Path) -> Path:
    start, opening, middle, closing, end = NESTED[name]
    path = folder / name
    path.write_text(start + opening * depth + middle + closing * depth + end, encoding="utf-8")
    return path


@pytest.mark.parametrize("depth", [200, 30_000, 300_000])
@pytest.mark.parametrize("name", NESTED)
def test_what_nests_without_end_is_refused(name: str, depth: int, tmp_path: Path) -> None:
    with pytest.raises(FactFormatError, match=f"more than {DEEPEST} (brackets|elements) are open here; that is too"):
        read_rdf(nested(name, depth, tmp_path))


@pytest.mark.parametrize("name", [name for name in NESTED if not name.startswith("triple")])
def test_what_nests_as_people_write_it_is_read(name: str, tmp_path: Path) -> None:
    assert len(read_rdf(nested(name, 20, tmp_path)).relations) > 0


def test_the_line_is_told(tmp_path: Path) -> None:
    for name, opening in (("deep.ttl", "(\n"), ("deep.jsonld", "[\n"), ("deep.rdf", "<a>\n")):
        path = tmp_path / name
        path.write_text(opening * (DEEPEST + 9), encoding="utf-8")
        for limits in (DEFAULT_LIMITS, SMALL_BLOCKS):
            with pytest.raises(FactFormatError) as told:
                check_nesting(path, path.suffix[1:], limits)
            assert told.value.line == DEEPEST + 1


TEXTS = [
    '"((("', "'[[['", '"""a " (((\n"" {{{ \\""" ((( """', "'''it's ((( ' '''", '"\\"((("', "<a:((('>",
    "<a:\\u0041'(((>", "# a remark ' \" (((\n", '"[" # (\n', "x\\'y",
]  # fmt: skip


@pytest.mark.parametrize("limits", [DEFAULT_LIMITS, SMALL_BLOCKS], ids=["blocks", "bytes"])
@pytest.mark.parametrize("text", TEXTS)
def test_brackets_in_texts_do_not_count_and_none_hides_behind_a_text(
    text: str, limits: ReadLimits, tmp_path: Path
) -> None:
    path = tmp_path / "facts.ttl"
    path.write_text(f"{text} " * 150 + "(((" + " . " * 150, encoding="utf-8")
    check_nesting(path, "ttl", limits)
    path.write_text(f"{text} " * 3 + "(" * (DEEPEST + 1) + f" {text}", encoding="utf-8")
    with pytest.raises(FactFormatError, match="brackets"):
        check_nesting(path, "ttl", limits)


@given(
    st.lists(st.sampled_from(['"', "'", '"""', "\\", "\n", "<", ">", "<<", ">>", "(", ")", "#", "a", "é"]), max_size=60)
)
@settings(deadline=None)
def test_how_a_file_is_cut_into_blocks_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, words: list[str]
) -> None:
    path = tmp_path_factory.mktemp("cut") / "facts.ttl"
    path.write_text("(" * (DEEPEST - 5) + "".join(words) * 3, encoding="utf-8")
    told = []
    for size in (1 << 19, 1, 2, 3, 7):
        try:
            check_nesting(path, "ttl", ReadLimits(block_bytes=size))
            told.append("")
        except FactFormatError as error:
            told.append(str(error))
    assert len(set(told)) == 1


def entities(*declared: str) -> str:
    return f'<?xml version="1.0"?><!DOCTYPE r [{"".join(f"<!ENTITY {entity}>" for entity in declared)}]>'


def described(inside: str) -> str:
    return f'{RDF}<rdf:Description rdf:about="a:b"><x:p>{inside}</x:p></rdf:Description></rdf:RDF>'


@pytest.mark.parametrize(
    "text",
    [
        entities('a "aaaaaaaaaa"', *(f'{y} "{f"&{x};" * 10}"' for x, y in zip("abcdefghi", "bcdefghij", strict=True)))
        + described("&j;"),
        entities(f'a "{"a" * 100_000}"') + described("&a;" * 100_000),
        entities('a "&#38;b;"', 'b "x"') + described("&a;"),
        entities('a SYSTEM "file:///etc/passwd"') + described("&a;"),
        entities('a "aaaaaaaaaaaaaaaaaaaa"') + described("&a;" * 100_000),
        RDF + f'<rdf:Description rdf:about="{"a" * 3_000_000}"/></rdf:RDF>',
    ],
    ids=["laughs", "long", "in disguise", "file", "many", "tag"],
)
def test_entities_that_explode_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "facts.rdf"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulewrightError, match=r"the entity|more than 10,000 characters|a tag of more than"):
        read_rdf(path)


def test_entities_that_shorten_names_are_read(tmp_path: Path) -> None:
    path = tmp_path / "facts.rdf"
    path.write_text(entities('w "http://w.org/w#"') + described("&w;ann"), encoding="utf-8")
    assert "http://w.org/w#ann" in read_rdf(path).constants


def test_what_is_no_xml_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "facts.rdf"
    path.write_text(RDF + "\n  </rdf:Description>", encoding="utf-8")
    with pytest.raises(FactFormatError, match=r"facts\.rdf:2:\d+: this is not XML: mismatched tag"):
        read_rdf(path)
