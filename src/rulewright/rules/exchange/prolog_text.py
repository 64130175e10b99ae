"""How Prolog spells names, numbers, variables, rules and the order of constants."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Term, Variable

CRISP = 0.5  # from which truth on a fact is a fact
PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
WORDY = re.compile(r"[^\W_]")
WHOLE, FRACTION = re.compile(r"-?\d{1,4000}\Z", re.ASCII), re.compile(r"-?\d+\.\d+\Z", re.ASCII)
VARIABLE = re.compile(r"[A-Z][A-Za-z0-9_]*\Z")
ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
GOALS = {
    "=": "{} == {}",
    "!=": "{} \\== {}",
    "<": "rulewright:less({}, {})",
    ">": "rulewright:less({1}, {0})",
    "<=": "\\+ rulewright:less({1}, {0})",
    ">=": "\\+ rulewright:less({}, {})",
}
# Predicates of the ISO standard, which SWI-Prolog lets nobody define anew, and others that it compiles by itself.
FIXED = frozenset(
    """
    abolish acyclic_term apply arg assert asserta assertz at_end_of_stream atom atom_chars atom_codes
    atom_concat atom_length atomic attvar bagof blob call callable catch char_code char_conversion clause close
    compare compound consult copy_term current_char_conversion current_input current_op current_output
    current_predicate current_prolog_flag discontiguous dynamic fail false findall float flush_output forall
    functor get_byte get_char get_code ground halt initialization integer is is_assoc is_dict is_list is_stream
    keysort length message_queue_create message_queue_destroy message_queue_property module multifile
    mutex_create mutex_destroy mutex_lock mutex_property mutex_trylock mutex_unlock nl nonground nonvar not
    number number_chars number_codes numbervars once op open peek_byte peek_char peek_code phrase
    predicate_property public put_byte put_char put_code rational read read_term retract retractall set_input
    set_output set_prolog_flag set_stream_position setof sort stream_property string sub_atom subsumes_term
    table term_variables thread_create thread_detach thread_get_message thread_local thread_peek_message
    thread_property thread_self thread_send_message thread_signal throw true unify_with_occurs_check use_module
    var volatile with_mutex write write_canonical write_term writeq
    """.split()  # noqa: SIM905 - a table of words
)

ORDER = r"""
% The order of constants: numbers by value, then words by spelling.
:- use_module(library(lists), []).
rulewright:less(A, B) :- rulewright:key(A, X), rulewright:key(B, Y), rulewright:below(X, Y).
rulewright:below(number(X), number(Y)) :- X < Y.
rulewright:below(number(_), word(_)).
rulewright:below(word(X), word(Y)) :- X @< Y.
rulewright:key(A, number(A)) :- number(A), !.
rulewright:key(A, number(N)) :-
    atom_codes(A, Text), system:phrase(rulewright:spelt(Parts), Text), rulewright:written(Parts, Codes),
    catch(number_codes(N, Codes), _, fail), !.
rulewright:key(A, word(A)).
rulewright:spelt(parts(Sign, Whole, Fraction, Exponent)) -->
    rulewright:sign(Sign), rulewright:digits(Whole), rulewright:fraction(Fraction), rulewright:exponent(Exponent).
rulewright:sign([0'-]) --> "-", !.
rulewright:sign([]) --> "+", !.
rulewright:sign([]) --> [].
rulewright:digits([D|Rest]) --> [D], { 0'0 =< D, D =< 0'9 }, !, rulewright:digits(Rest).
rulewright:digits([]) --> [].
rulewright:fraction(digits(F)) --> ".", !, rulewright:digits(F).
rulewright:fraction(none) --> [].
rulewright:exponent(E) --> ( "e" ; "E" ), !, rulewright:sign(Sign), rulewright:digits([D|Rest]),
    { lists:append([0'e|Sign], [D|Rest], E) }.
rulewright:exponent([]) --> [].
rulewright:written(parts(Sign, [D|Rest], none, []), Codes) :- !, lists:append(Sign, [D|Rest], Codes).
rulewright:written(parts(Sign, Whole, Fraction, Exponent), Codes) :-
    \+ ( Whole == [], ( Fraction == none ; Fraction == digits([]) ) ),
    ( Whole == [] -> W = [0'0] ; W = Whole ),
    ( Fraction = digits([F|Fs]) -> true ; F = 0'0, Fs = [] ),
    lists:append([Sign, W, [0'., F|Fs], Exponent], Codes).
"""


class PrologNames:
    """The names of one file's predicates; one that Prolog keeps for itself, or that is all signs, gets another."""

    def __init__(self, predicates: Iterable[str], reserved: Iterable[str] = ()) -> None:
        wanted, kept = set(predicates), FIXED.union(reserved)
        taken, self.known = set(wanted), dict[str, str]()
        for name in sorted(wanted):
            found = name
            while found in kept or not WORDY.search(found) or (found != name and found in taken):
                found += " fact" if WORDY.search(found) else " relation"
            taken.add(found)
            self.known[name] = found

    @property
    def renamed(self) -> dict[str, str]:
        """The predicates that go by another name, and those."""
        return {name: found for name, found in self.known.items() if name != found}

    def atom(self, atom: Atom, variables: dict[str, str]) -> str:
        """predicate(terms)."""
        return f"{prolog_atom(self.known[atom.predicate])}({', '.join(term(t, variables) for t in atom.terms)})"

    def rule(self, rule: Rule) -> str:
        """A rule in one line."""
        variables = variable_names(rule)
        goals = [self.goal(part, variables) for part in rule.body]
        return f"{self.atom(rule.head, variables)} :- {', '.join(goals) or 'true'}."

    def goal(self, part: Literal | Comparison, variables: dict[str, str]) -> str:
        """One part of a body."""
        if isinstance(part, Comparison):
            return GOALS[part.operator].format(term(part.left, variables), term(part.right, variables))
        return f"\\+ {self.atom(part.atom, variables)}" if part.negated else self.atom(part.atom, variables)

    def own(self, arities: Iterable[tuple[str, int]]) -> str:
        """The directive that claims predicates, even where Prolog has one of that name, and lets them have no facts."""
        listed = ", ".join(f"{prolog_atom(self.known[name])}/{arity}" for name, arity in arities)
        return (
            f":- forall(member(Name/Arity, [{listed}]),\n"
            "          ( functor(Head, Name, Arity), redefine_system_predicate(Head), dynamic(Name/Arity) )).\n"
        )

    def facts(self, kb: KnowledgeBase) -> Iterator[str]:
        """The facts of a knowledge base; one that is less than half true is none, but stands there as a comment."""
        spelt = [prolog_constant(name) for name in kb.constants.names]
        for name, relation in kb.relations.items():
            predicate = prolog_atom(self.known[name])
            for row, truth in zip(relation.facts.tolist(), relation.truths.tolist(), strict=True):
                told = "" if truth == 1 else f" % truth {truth:.6g}"
                mark = "" if truth >= CRISP else "% "
                yield f"{mark}{predicate}({', '.join(spelt[constant] for constant in row)}).{told}\n"


def prolog_atom(name: str) -> str:
    """A name as an atom, quoted where it has to be."""
    if PLAIN.match(name):
        return name
    return "'" + "".join(ESCAPES.get(c) or (c if c.isprintable() else f"\\x{ord(c):x}\\") for c in name) + "'"


def prolog_constant(name: str) -> str:
    """A constant: a number where its spelling is the one that Prolog would print, else an atom."""
    if WHOLE.match(name) and name == str(int(name)):
        return name
    if FRACTION.match(name) and name == repr(float(name)) and float(name) != 0:
        return name
    return prolog_atom(name)


def term(found: Term, variables: dict[str, str]) -> str:
    """A variable or a constant."""
    return variables[found.name] if isinstance(found, Variable) else prolog_constant(found.name)


def variable_names(rule: Rule) -> dict[str, str]:
    """For each variable how Prolog writes it: one that occurs once starts with _, which says that this is meant."""
    terms = [*rule.head.terms]
    for part in rule.body:
        terms += (part.left, part.right) if isinstance(part, Comparison) else part.atom.terms
    counts = Counter(found.name for found in terms if isinstance(found, Variable))
    taken = {name for name in counts if VARIABLE.match(name)}
    names: dict[str, str] = {}
    for name, uses in counts.items():
        plain = name if VARIABLE.match(name) else next(v for n in range(len(taken) + 1) if (v := f"V{n}") not in taken)
        taken.add(plain)
        names[name] = plain if uses > 1 else f"_{plain}"
    return names


def comment(text: str) -> str:
    """A line of comment; what could end it is written as an escape."""
    return "% " + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text) + "\n"
