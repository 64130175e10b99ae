"""In plain words, why a template text does not parse: what stands there, what was expected, what to write."""

from dataclasses import dataclass

from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from rulewright.errors import TemplateSyntaxError
from rulewright.logic.terms import KEYWORDS

BRACKETS = {"(": ")", "{": "}"}

# What each token of the grammar is called in a message, in the order in which a message lists them.
WORDS = {
    "_DOT": "'.'",
    "_RPAR": "')'",
    "_RBRACE": "'}'",
    "_COMMA": "','",
    "_OR": "';'",
    "_LPAR": "'('",
    "_LBRACE": "'{'",
    "_IF": "':-'",
    "_IN": "'in'",
    "COMPARISON": "a comparison such as '<'",
    "_EXCEPT": "'except'",
    "_OVER": "'over'",
    "WORD": "a name",
    "GLOB": "a name or a glob",
    "BARE_GLOB": "a name or a glob",
    "NUMBER": "a number",
    "NOT": "'not'",
    "OPTION": "an option such as @alpha(0.9)",
}


def explained(error: UnexpectedInput, text: str) -> TemplateSyntaxError:
    """The parser's complaint as an error that a person can act on."""
    if isinstance(error, UnexpectedCharacters):
        return TemplateSyntaxError(strange_character(error.char), text, error.line, error.column)
    assert isinstance(error, UnexpectedToken)
    parser: InteractiveParser = error.interactive_parser
    return Complaint(text, error.token, parser.parser_state.value_stack, error.accepts).error()


def strange_character(character: str) -> str:
    """What to say about a character with which nothing can begin."""
    if character in "'\"":
        return f"this {character} opens a quoted text that is not closed on its line"
    if character == "@":
        return "after @ comes the name of an option, e.g. @alpha(0.9), @attention or @product"
    if character == "^":
        return "after ^ comes -1: r^-1 is the inverse of r"
    return f"the character {character!r} has no meaning here; a name with such characters needs quotes"


def misplaced(keyword: str) -> str:
    """What to say about a word of the language that stands where a name should."""
    if keyword == "not":
        return "not stands before an atom or a parenthesised formula of a body; as a name it needs quotes: 'not'"
    return f"{keyword} is a word of the language and cannot stand here; as a name it needs quotes: '{keyword}'"


@dataclass(frozen=True)
class Complaint:
    """One token that cannot stand where it stands."""

    text: str
    token: Token  # empty at the end of the text
    stack: list[Token | Tree[Token]]  # what the parser has read and not yet put together
    expected: set[str]

    def error(self) -> TemplateSyntaxError:
        """The most telling of the possible complaints."""
        before = self.stack[-1] if self.stack else None
        opener = self.opener()
        if isinstance(before, Token) and before in KEYWORDS and before.type in ("WORD", "GLOB", "BARE_GLOB"):
            return self.at(before, misplaced(before))
        if opener is None and self.token in BRACKETS.values():
            return self.at(self.token, f"this {self.token} closes nothing")
        if opener is not None and self.token in ("", ".", ":-", "<-"):
            return self.at(opener, f"this {opener} is not closed")
        if "_DOT" in self.expected and self.starts_statement() and before is not None:
            line, column = ending(before)
            instead = ", or ',' or ';' continue it" if "_OR" in self.expected and self.token else ""
            return TemplateSyntaxError(f"a '.' must end the statement here{instead}", self.text, line, column)
        if not self.token:
            line, column = self.token.end_line or 1, self.token.end_column or 1
            return TemplateSyntaxError(f"the text ends where {self.wanted()} should come", self.text, line, column)
        return self.at(self.token, f"{str(self.token)!r} cannot stand here; expected {self.wanted()}")

    def opener(self) -> Token | None:
        """The innermost parenthesis or brace that is still open."""
        closed = 0
        for part in reversed(self.stack):
            if isinstance(part, Token) and part in BRACKETS.values():
                closed += 1
            elif isinstance(part, Token) and part in BRACKETS:
                if not closed:
                    return part
                closed -= 1
        return None

    def starts_statement(self) -> bool:
        """Whether the text ends here, or a name stands here as if a new statement began."""
        return not self.token or self.token[0] in "_'\"" or (self.token[0].isalpha() and self.token not in KEYWORDS)

    def wanted(self) -> str:
        """The tokens that could stand here."""
        words = list(dict.fromkeys(word for token, word in WORDS.items() if token in self.expected))
        if {"WORD", "_LPAR"} <= self.expected:
            words = ["an atom such as p(X, Y)", "a comparison", *(word for word in words if word in ("'not'", "'('"))]
        elif {"WORD", "NUMBER"} <= self.expected:
            words = ["a variable", "a constant"]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"

    def at(self, token: Token, message: str) -> TemplateSyntaxError:
        """The message, pointing at a token."""
        return TemplateSyntaxError(message, self.text, token.line or 1, token.column or 1)


def ending(part: Token | Tree[Token]) -> tuple[int, int]:
    """Line and column just after a part of the text."""
    where = part if isinstance(part, Token) else part.meta
    return where.end_line or 1, where.end_column or 1
