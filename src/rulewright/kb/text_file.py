"""Text from a file in blocks of whole lines, within limits, and text to a file in one step.

Every reader of facts takes its text from here, so that a file is never in memory as a whole and every mistake has a
line and a column.
"""

import codecs
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path

from rulewright.errors import FactFormatError, KnowledgeBaseError, OptionError, nearest

BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class ReadLimits:
    """How large a file of facts, and what stands in it, may be.

    file_bytes    a larger file is refused
    line_length   characters in a line; in a Prolog file also in a fact or comment that spans lines
    name_length   characters in the name of a constant or a predicate
    block_bytes   how much is read at a time; it bounds the text in memory and changes no result
    """

    file_bytes: int = 4 << 30
    line_length: int = 1_000_000
    name_length: int = 10_000
    block_bytes: int = 1 << 19

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise OptionError(f"ReadLimits: {field.name} must be at least 1, not {getattr(self, field.name)}")

    def passed(self, limit: str) -> str:
        """What to say when a limit is passed."""
        unit = "bytes" if limit == "file_bytes" else "characters"
        return f"more than {getattr(self, limit):,} {unit} (ReadLimits.{limit})"


DEFAULT_LIMITS = ReadLimits()


@dataclass(frozen=True)
class Block:
    r"""Whole lines of a file, each ended by \n, and the number of the first."""

    text: str
    line: int
    source: Path

    def error(self, message: str, offset: int = 0) -> FactFormatError:
        """An error at a place in the text."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        text = self.text[start : end if end >= 0 else len(self.text)]
        return FactFormatError(message, self.source, self.line_at(offset), offset - start + 1, text)

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines that hold more than blanks, without their ends, each with its offset in the text."""
        offset = 0
        for line in self.text.removesuffix("\n").split("\n"):
            if line.strip(" "):
                yield offset, line
            offset += len(line) + 1

    def line_at(self, offset: int) -> int:
        """The number of the line that a place in the text is on."""
        return self.line + self.text.count("\n", 0, offset)

    def rest(self, offset: int) -> "Block":
        """The block from a place on; what stood before it on its line becomes blanks, so that columns stay right."""
        before = offset - self.text.rfind("\n", 0, offset) - 1
        return Block(" " * before + self.text[offset:], self.line_at(offset), self.source)


def text_blocks(path: str | Path, encoding: str = "utf-8", limits: ReadLimits = DEFAULT_LIMITS) -> Iterator[Block]:
    r"""The text of a file, cut between lines. \r\n counts as \n; the last line gets a \n when it has none."""
    path, carry, line = Path(path), "", 1
    for text in decoded(path, encoding, limits):
        carry += text
        cut = carry.rfind("\n") + 1
        block = Block(carry[:cut].replace("\r\n", "\n"), line, path)
        carry = carry[cut:]
        check_lines(block, limits)
        check_lines(Block(carry, block.line_at(cut), path), limits)
        if cut:
            yield block
            line = block.line_at(cut)
    if carry:
        yield Block(carry + "\n", line, path)


def check_lines(block: Block, limits: ReadLimits) -> None:
    """An error when a line of the block is too long."""
    if len(block.text) <= limits.line_length:
        return
    for offset, line in block.lines():
        if len(line) > limits.line_length:
            raise block.error(f"a line of {limits.passed('line_length')}", offset)


def decoded(path: Path, encoding: str, limits: ReadLimits) -> Iterator[str]:
    """The text of a file in pieces cut anywhere, without a byte order mark."""
    try:
        "".encode(encoding)
        decoder = codecs.getincrementaldecoder(encoding)()
    except (LookupError, ValueError):
        raise OptionError(f"unknown encoding {encoding!r}: write utf-8, latin-1, cp1252, utf-16, ...") from None
    size, lines, start = 0, 1, True
    for data in byte_blocks(path, limits):
        size += len(data)
        try:
            text = decoder.decode(data, final=not data)
        except UnicodeError as mistake:
            raise encoding_error(path, encoding, mistake, size, lines) from None
        lines += text.count("\n")
        if start and text:
            text, start = text.removeprefix(BYTE_ORDER_MARK), False
        yield text


def byte_blocks(path: Path, limits: ReadLimits) -> Iterator[bytes]:
    """The bytes of a file, and an empty block for its end."""
    size = 0
    try:
        with path.open("rb") as file:
            promised = os.fstat(file.fileno()).st_size  # 0 for a pipe
            while data := file.read(limits.block_bytes):
                size += len(data)
                if max(size, promised) > limits.file_bytes:
                    raise KnowledgeBaseError(f"{path} has {limits.passed('file_bytes')}")
                yield data
    except OSError as failure:
        raise unreadable(path, failure) from failure
    yield b""


def encoding_error(path: Path, encoding: str, mistake: UnicodeError, size: int, lines: int) -> FactFormatError:
    """The error for bytes that are no text, with their place in the file."""
    advice = "pass encoding=..., or convert the file to UTF-8"
    if not isinstance(mistake, UnicodeDecodeError):
        return FactFormatError(f"this is not {encoding} text: {mistake}; {advice}", path, lines)
    # The decoder saw what was left of earlier blocks before this one; its end is the end of what has been read.
    position = size - len(mistake.object) + mistake.start
    line = lines + mistake.object[: mistake.start].count(b"\n")
    wrong = mistake.object[mistake.start]
    if position == 0 and mistake.object[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        advice = "it starts like UTF-16: pass encoding='utf-16'"
    message = f"this is not {encoding} text: byte 0x{wrong:02x} at byte position {position:,}; {advice}"
    return FactFormatError(message, path, line)


@contextmanager
def readable(path: str | Path) -> Iterator[None]:
    """Tell in our words where the system does not let us look at a file or a folder."""
    try:
        yield
    except OSError as failure:
        raise unreadable(Path(path), failure) from failure


def unreadable(path: Path, failure: OSError) -> KnowledgeBaseError:
    """The error for a file that cannot be opened, with the names of files it may stand for."""
    if isinstance(failure, FileNotFoundError):
        try:
            neighbours = sorted(os.listdir(path.parent))
        except OSError:
            neighbours = []
        return KnowledgeBaseError(f"there is no file or folder {path}{nearest(path.name, neighbours)}")
    return KnowledgeBaseError(f"cannot read {path}: {failure.strerror or failure}")


def write_text(path: str | Path, pieces: Iterable[str]) -> None:
    """Write a UTF-8 file so that a reader sees the old file or the whole new one, never a part."""
    path = Path(path)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        os.replace(unfinished, path)
    except UnicodeEncodeError as mistake:
        raise KnowledgeBaseError(f"cannot write {path}: {mistake.object[mistake.start]!a} is not text") from mistake
    except OSError as failure:
        raise KnowledgeBaseError(f"cannot write {path}: {failure.strerror or failure}") from failure
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
