"""How deep an RDF file nests, looked at before it is parsed.

The parser calls itself for what is nested, and drops it so, too: some ten thousand brackets would overflow the stack,
and the process would end without a word. It also resolves the entities of RDF/XML however long they become. So whoever
opens more than `DEEPEST` brackets or elements inside each other, or declares entities made of entities, is refused. The
whole file is looked at, block by block.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from xml.parsers import expat

from rulewright.errors import FactFormatError
from rulewright.kb.text_file import ReadLimits, byte_blocks

DEEPEST = 100  # brackets inside each other; as in a template
LONGEST_ENTITY = 200  # characters; those that stand for a namespace have some fifty
LONGEST_TAG = 1_000_000  # bytes; until a tag is complete, all of it is in memory with its entities resolved
MARK = 3  # bytes of the longest mark

# What opens and closes something in Turtle and its relatives, and where text ends in which brackets mean nothing.
TURTLE = re.compile(rb"""\\.|<<|>>|[(\[{)\]}]|"{3}|'{3}|["'#<]""", re.DOTALL)
TURTLE_TEXTS = {
    b'"""': re.compile(rb'\\.|"""', re.DOTALL),
    b"'''": re.compile(rb"\\.|'''", re.DOTALL),
    b'"': re.compile(rb'\\.|["\n]', re.DOTALL),
    b"'": re.compile(rb"\\.|['\n]", re.DOTALL),
    b"#": re.compile(rb"\n"),
    b"<": re.compile(rb'\\.|>|(?=[\x00-\x20<"{}|^`])', re.DOTALL),  # an IRI, or what only looked like one
}
JSON = re.compile(rb'[\[{\]}"]')
JSON_TEXTS = {b'"': re.compile(rb'\\.|"', re.DOTALL)}
OPENING = (b"<<", b"(", b"[", b"{")
LINES = ("nt", "nq")  # formats in which only the first of them opens anything


def check_nesting(path: Path, format: str, limits: ReadLimits) -> None:
    """An error where the file nests deeper than its parser bears. The format is named by its usual extension."""
    if format == "rdf":
        check_xml(path, limits)
    elif format == "jsonld":
        check_brackets(path, JSON, JSON_TEXTS, limits)
    elif has_many(path, OPENING[:1] if format in LINES else OPENING, limits):
        check_brackets(path, TURTLE, TURTLE_TEXTS, limits)


def has_many(path: Path, marks: Sequence[bytes], limits: ReadLimits) -> bool:
    """Whether there are brackets enough, wherever they stand; most large files have too few, which is soon seen."""
    count, end = 0, b""
    for block in byte_blocks(path, limits):
        count += sum((end + block).count(mark) for mark in marks)
        end = block[-1:]
    return count > DEEPEST


def check_brackets(
    path: Path, marks: re.Pattern[bytes], texts: Mapping[bytes, re.Pattern[bytes]], limits: ReadLimits
) -> None:
    """An error where too many brackets are open; those in quotes, comments and IRIs do not count."""
    depth = 0
    for mark, line in outside_texts(path, marks, texts, limits):
        depth = depth + 1 if mark in OPENING else max(depth - 1, 0)
        if depth > DEEPEST:
            raise FactFormatError(f"more than {DEEPEST} brackets are open here; that is too deep", path, line)


def outside_texts(
    path: Path, marks: re.Pattern[bytes], texts: Mapping[bytes, re.Pattern[bytes]], limits: ReadLimits
) -> Iterator[tuple[bytes, int]]:
    """Every bracket that stands in no text, with its line."""
    rest, inside, line = b"", None, 1
    for block in byte_blocks(path, limits):
        data, at, counted = rest + block, 0, 0
        last = len(data) - MARK if block else len(data)  # a mark that starts later may go on in the next block
        while (found := (texts[inside] if inside else marks).search(data, at)) and found.start() <= last:
            at, mark = found.end(), found[0]
            if inside:
                inside = inside if mark[:1] == b"\\" else None
            elif mark in texts:
                inside = mark
            elif mark[:1] != b"\\":
                line, counted = line + data.count(b"\n", counted, at), at
                yield mark, line
        cut = found.start() if found else max(at, last)
        line += data.count(b"\n", counted, cut)
        rest = data[cut:]


def check_xml(path: Path, limits: ReadLimits) -> None:
    """An error where elements nest too deep, or a name or an entity is too long; the whole file must be XML."""
    parser = expat.ParserCreate("utf-8")
    depth = text = 0

    def wrong(message: str) -> FactFormatError:
        return FactFormatError(message, path, parser.CurrentLineNumber)

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, text
        depth, text = depth + 1, 0
        if depth > DEEPEST:
            raise wrong(f"more than {DEEPEST} elements are open here; that is too deep")

    def end(name: str) -> None:
        nonlocal depth, text
        depth, text = depth - 1, 0

    def characters(data: str) -> None:
        nonlocal text
        text += len(data)
        if text > limits.name_length:
            raise wrong(f"a name of {limits.passed('name_length')}")

    def entity(name: str, is_parameter: bool, value: str | None, *rest: object) -> None:
        if value is None or "&" in value or len(value) > LONGEST_ENTITY:
            raise wrong(
                f"the entity {name} stands for another file, for other entities or for more than {LONGEST_ENTITY} "
                f"characters; write out what it stands for"
            )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = characters, entity
    size = 0
    try:
        for block in byte_blocks(path, limits):
            size += len(block)
            parser.Parse(block, not block)
            if block and size - parser.CurrentByteIndex > LONGEST_TAG:
                raise wrong(f"a tag of more than {LONGEST_TAG:,} bytes")
    except expat.ExpatError as mistake:
        reason = expat.ErrorString(mistake.code)
        raise FactFormatError(f"this is not XML: {reason}", path, mistake.lineno, mistake.offset + 1) from mistake
