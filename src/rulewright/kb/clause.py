r"""The grammar of Prolog-style facts, as one regular expression, and what to say where it does not match.

    fact   = [number "::"] name "(" term {"," term} ")" "."
    name   = atom | quoted
    term   = atom | quoted | number
    atom   = a-z, then letters, digits and _
    quoted = '...' or "...", with \\ \' \" \n \t \r and the doubled quote as escapes
    blank  = white space, % to the end of the line, /* to */; allowed between any two parts

The time is linear in the text, whatever it is: characters are repeated possessively, and a repeated group can match in
one way only, so that going back through it fails at once. (Groups themselves are not possessive because Python up to
3.11.4 matches those wrongly, gh-106052.)
"""

import re

from rulewright.errors import FactFormatError
from rulewright.kb.text_file import Block

COMMENT = r"%[^\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*/"
BLANK = rf"\s*+(?:(?=[%/])(?:{COMMENT}|\s++)*|)"  # a branch, since entering a repeated group costs more
NUMBER = r"-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?!\w)"
ATOM = r"[a-z]\w*+"
ESCAPE = r"\\[\\'\"ntr]"
SINGLE = rf"'(?:[^'\\\n]++|{ESCAPE}|'')*'(?!')"
DOUBLE = rf'"(?:[^"\\\n]++|{ESCAPE}|"")*"(?!")'
NAME = rf"(?:{ATOM}|{SINGLE}|{DOUBLE})"
TERM = rf"(?:{NAME}|{NUMBER})"
TERMS_WITH_COMMAS = rf"{TERM}(?:{BLANK},{BLANK}{TERM})*"
FACT = re.compile(
    rf"(?:(?=[-0-9])({NUMBER}){BLANK}::{BLANK}|)({NAME}){BLANK}\({BLANK}({TERMS_WITH_COMMAS}){BLANK}\){BLANK}\.{BLANK}"
    r"|((?s:.+))"  # what is no fact is taken whole, so that the matches cover the text
)
# The terms of a fact, one by one: the inside of single quotes, of double quotes, or a plain term.
TERMS = re.compile(rf"""(?:\s++|,|{COMMENT})*(?:'((?:[^'\\]++|\\.|'')*)'|"((?:[^"\\]++|\\.|"")*)"|([\w.+-]++))""")
PLAIN_ATOM = re.compile(rf"{ATOM}\Z")
PLAIN_TERM = re.compile(rf"(?:{ATOM}|{NUMBER})\Z")
ESCAPED = re.compile(r"\\(.)|''|\"\"")
MEANING = {"n": "\n", "t": "\t", "r": "\r"}

SKIP = re.compile(BLANK)
NUMBER_AT = re.compile(NUMBER)
NAME_AT = re.compile(NAME)
TERM_AT = re.compile(TERM)
WORD = re.compile(r"\w+")
ESCAPES = r"\\ \' \" \n \t \r"
RULE_MARKS = (":-", "<-", "?-")


def unquoted(text: str) -> str:
    """The name that a quoted text stands for; a plain one stands for itself."""
    if text[0] not in "'\"":
        return text
    inside, quote = text[1:-1], text[0]
    if "\\" not in inside and quote not in inside:
        return inside
    return unescaped(inside, quote)


def unescaped(inside: str, quote: str) -> str:
    """The inside of quotes with its escapes resolved; only the surrounding quote counts as one when doubled."""
    return ESCAPED.sub(lambda match: resolved(match, quote), inside)


def resolved(match: re.Match[str], quote: str) -> str:
    """What one escape stands for."""
    if match[1]:
        return MEANING.get(match[1], match[1])
    return quote if match[0] == quote * 2 else match[0]


def skipped(text: str, offset: int) -> int:
    """Where the blanks and comments at a place end."""
    found = SKIP.match(text, offset)
    assert found is not None  # it also matches nothing
    return found.end()


def mistake(block: Block, offset: int) -> FactFormatError | None:
    """What is wrong with the fact at a place; None when the text ends before anything is wrong."""
    text = block.text
    at = skipped(text, offset)
    truth = NUMBER_AT.match(text, at)
    if truth is not None:
        at = skipped(text, truth.end())
        if text[at : at + 2] != "::":
            return wrong(block, at, f":: after the truth {truth[0]}")
        at = skipped(text, at + 2)
    name = NAME_AT.match(text, at)
    if name is None:
        return wrong(block, at, "a predicate")
    at = skipped(text, name.end())
    if text[at : at + 1] != "(":
        if text[at : at + 1] == ".":
            return block.error(f"{name[0]} has no arguments; a fact has at least one", name.start())
        return wrong(block, at, f"( after {name[0]}")
    while text[at : at + 1] != ")":
        at = skipped(text, at + 1)
        term = TERM_AT.match(text, at)
        if term is None:
            return wrong(block, at, "a constant: a name, a number or a text in quotes")
        at = skipped(text, term.end())
        if text[at : at + 1] not in (",", ")"):
            return wrong(block, at, ", or )")
    at = skipped(text, at + 1)
    return wrong(block, at, "a full stop")


def wrong(block: Block, at: int, expected: str) -> FactFormatError | None:
    """The error for what stands at a place instead of what was expected; None at the end of the text."""
    text = block.text
    found = text[at : at + 2]
    if not found or found == "/*":
        return None
    word = WORD.match(text, at)
    if found in RULE_MARKS:
        return block.error("a file of facts holds facts only; rules are what a template describes, so remove this", at)
    if word and (word[0][0] == "_" or word[0][0].isupper()):
        hint = f"a file of facts holds facts only; for a name with a capital write '{word[0]}'"
        return block.error(f"{word[0]} is a variable, but {hint}", at)
    if found[0] in "'\"":
        return block.error(f"the quoted name is not closed on its line, or has an escape other than {ESCAPES}", at)
    if found[0] in "([":
        return block.error("a constant is a name or a number; write a compound term or a list as a quoted name", at)
    if word and not word[0][0].isascii():
        return block.error(f"expected {expected}; a name that does not start with a to z is quoted: '{word[0]}'", at)
    return block.error(f"expected {expected}", at)
