"""Template text to syntax tree.

The grammar is in grammar.lark; here are the two things it leaves open: what a word means by its first letter, and that
every lone underscore is a variable of its own.
"""

import re
from functools import cache
from itertools import count

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rulewright.errors import TemplateSyntaxError
from rulewright.logic.terms import KEYWORDS, Atom, Constant, Term, Variable
from rulewright.template.syntax import (
    And,
    Clause,
    Compare,
    Domain,
    Formula,
    Not,
    Option,
    Or,
    Pattern,
    Place,
    Template,
    Use,
    is_variable,
)
from rulewright.template.syntax_errors import explained, misplaced

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 100  # of negations and parenthesised groups inside each other; everything later may then recurse safely

Node = Tree[Token]

ESCAPES = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "t": "\t", "r": "\r"}
COMPARISONS = {"==": "=", "<>": "!="}


def parse_template(text: str) -> Template:
    """The syntax tree of a template text.

    >>> print(parse_template("S(X, Z) <- P(X, Y) & Q(Y, Z).  P in {A, B*}.  Q in *."))
    S(X, Z) :- P(X, Y), Q(Y, Z).
    P in {A, B*}.
    Q in {*}.
    """
    if len(text) > MAX_CHARACTERS:
        raise TemplateSyntaxError(
            f"the template has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}. List many predicates by a "
            f"glob such as has_*, or by *.",
            text,
            line=1,
            column=1,
        )
    try:
        tree = grammar().parse(text)
    except UnexpectedInput as error:
        raise explained(error, text) from error
    if not tree.children:
        raise TemplateSyntaxError(
            "the template is empty; write at least one clause, e.g. S(X, Z) :- P(X, Y), Q(Y, Z).", text, 1, 1
        )
    return Reader(text).template(tree)


@cache
def grammar() -> Lark:
    """The parser for the grammar; built on first use, which takes some hundredths of a second."""
    return Lark.open_from_package(
        "rulewright.template", "grammar.lark", parser="lalr", propagate_positions=True, maybe_placeholders=False
    )


class Reader:
    """Turns the grammar's tree into ours; one method per kind of node."""

    def __init__(self, text: str) -> None:
        self.text = text
        taken = set(re.findall(r"_\d+", text))
        self.anonymous = (Variable(f"_{n}") for n in count(1) if f"_{n}" not in taken)

    def template(self, tree: Node) -> Template:
        """The whole text."""
        statements = subtrees(tree)
        return Template(
            tuple(self.clause(node) for node in statements if node.data == "clause"),
            tuple(self.domain(node) for node in statements if node.data == "domain"),
            self.text,
        )

    def clause(self, tree: Node) -> Clause:
        """head @options :- body."""
        head, *options, body = subtrees(tree)
        terms = subtrees(head)[1:]
        for term in terms:
            if tokens(term)[0] == "_":
                raise self.error("a lone _ has no name by which the body could bind it; name this variable", term)
        return Clause(self.atom(head), self.formula(body, 0), self.options(options), place(head))

    def domain(self, tree: Node) -> Domain:
        """name in {patterns} except {patterns} over {patterns} @options."""
        name, *parts = subtrees(tree)
        sets = {part.data: self.patterns(part) for part in parts if part.data in ("members", "exceptions", "universe")}
        members = sets.get("members") or tuple(self.pattern(part) for part in parts if part.data == "bare_member")
        options = [part for part in parts if part.data == "option"]
        return Domain(
            self.predicate(name),
            members,
            sets.get("exceptions", ()),
            sets.get("universe", ()),
            self.options(options),
            place(name),
        )

    def options(self, trees: list[Node]) -> tuple[Option, ...]:
        """The @options of a clause or a domain."""
        found = []
        for tree in trees:
            name, *value = tokens(tree)
            found.append(Option(name[1:], float(value[0]) if value else None, place(tree)))
        return tuple(found)

    def formula(self, tree: Node, depth: int) -> Formula:
        """A body or a part of one, which lies inside `depth` others."""
        if depth > MAX_DEPTH:
            why = "give a part of it a clause of its own"
            raise self.error(f"more than {MAX_DEPTH} groups and negations inside each other; {why}", tree)
        match tree.data:
            case "disjunction":
                return Or(tuple(self.formula(part, depth + 1) for part in subtrees(tree)))
            case "conjunction":
                return And(tuple(self.formula(part, depth + 1) for part in subtrees(tree)))
            case "negation":
                child, *universes = subtrees(tree)
                universe = self.patterns(universes[0]) if universes else ()
                return Not(self.formula(child, depth + 1), universe, place(tree))
            case "comparison":
                return self.comparison(tree)
            case _:
                return Use(self.atom(tree), place(tree))

    def comparison(self, tree: Node) -> Compare:
        """left operator right."""
        left, right = subtrees(tree)
        for side in (left, right):
            if tokens(side)[0] == "_":
                raise self.error("a lone _ is bound by nothing, so it cannot be compared; name this variable", side)
        (operator,) = tokens(tree)
        return Compare(self.term(left), COMPARISONS.get(operator, str(operator)), self.term(right), place(tree))

    def atom(self, tree: Node) -> Atom:
        """predicate(terms)."""
        predicate, *terms = subtrees(tree)
        return Atom(self.predicate(predicate), tuple(map(self.term, terms)))

    def predicate(self, tree: Node) -> str:
        """A name, with its inverse mark."""
        name, *inverse = tokens(tree)
        return "".join([self.name(name), *inverse])

    def term(self, tree: Node) -> Term:
        """A variable or a constant."""
        (token,) = tokens(tree)
        if token == "_":
            return next(self.anonymous)
        if is_variable(token):
            return Variable(str(token))
        return Constant(self.name(token))

    def patterns(self, tree: Node) -> tuple[Pattern, ...]:
        """The patterns between two braces."""
        return tuple(map(self.pattern, subtrees(tree)))

    def pattern(self, tree: Node) -> Pattern:
        """A name or a glob, perhaps negated, perhaps inverted."""
        parts = tokens(tree)
        negated = parts[0].type in ("NOT", "TILDE")
        name, *inverse = parts[1:] if negated else parts
        return Pattern("".join([self.name(name), *inverse]), negated, name.type == "QUOTED", place(tree))

    def name(self, token: Token) -> str:
        """What a word or a quoted text stands for."""
        if token.type == "QUOTED":
            return re.sub(r"\\(.)", lambda escape: self.unescaped(escape, token), token[1:-1])
        if token in KEYWORDS:
            raise self.error(misplaced(token), token)
        return str(token)

    def unescaped(self, escape: re.Match[str], token: Token) -> str:
        """The character behind an escape in a quoted text."""
        if escape[1] not in ESCAPES:
            at, known = place(token), " ".join(f"\\{letter}" for letter in ESCAPES)
            message = f"{escape[0]} is no escape; those are {known}"
            raise TemplateSyntaxError(message, self.text, at.line, at.column + 1 + escape.start())
        return ESCAPES[escape[1]]

    def error(self, message: str, where: Node | Token) -> TemplateSyntaxError:
        """A mistake at a node of the tree."""
        at = place(where)
        return TemplateSyntaxError(message, self.text, at.line, at.column)


def place(node: Node | Token) -> Place:
    """Where a node begins."""
    where = node if isinstance(node, Token) else node.meta
    return Place(where.line or 0, where.column or 0)


def subtrees(tree: Node) -> list[Node]:
    """The children that are nodes."""
    return [child for child in tree.children if isinstance(child, Tree)]


def tokens(tree: Node) -> list[Token]:
    """The children that are tokens."""
    return [child for child in tree.children if isinstance(child, Token)]
