"""A program as Datalog for clingo, by itself or with the facts it reads.

Constants become numbers, plain words or strings, predicates plain words. What clingo would order otherwise than
Rulewright (numbers by value, then words by spelling) goes by a table of ranks, which is written along where a rule
compares; it ranks the constants of the knowledge base, so such a program needs one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.errors import InputError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.program import Program
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Constant, Term, Variable
from rulewright.rules.exchange.boolean import boolean_program
from rulewright.rules.exchange.prolog_text import CRISP, comment

WORD = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
VARIABLE = re.compile(r"[A-Z][A-Za-z0-9_]*\Z")
LARGEST = 2**31 - 1
RANK = "rank"


def to_datalog(
    programs: Program | Sequence[Program], kb: KnowledgeBase | None = None, with_facts: bool = False
) -> Iterator[str]:
    """The pieces of a Datalog file. `kb` tells which names facts have; `with_facts` writes them along.

    Several programs share one file; they need the knowledge base, to tell what is a fact of a name and what is derived.
    """
    programs = [programs] if isinstance(programs, Program) else programs
    ready = [boolean_program(program, kb) for program in programs]
    rules = [rule for one in ready for rule in one.rules]
    facts = kb if with_facts else None
    ranks = ranked(rules, kb)
    arities = {name: arity for one in ready for name, arity in one.inputs.items()}
    arities |= {} if facts is None else facts.arities
    defined = {rule.head.predicate for rule in rules} | {one.head.predicate for one in ready}
    names = DatalogNames([*arities, *sorted(defined)])
    for program in programs:
        more = "" if program.complete else "; weaker rules were left out"
        yield comment(f"{program.head}: {len(program.rules)} rules{more}")
    for name, found in names.known.items():
        if name != found:
            yield comment(f"{found} stands for {name!r}")
    for name, arity in arities.items():
        if name not in defined:
            yield f"#defined {names.known[name]}/{arity}.\n"
    for one in ready:
        yield f"#show {names.known[one.head.predicate]}/{len(one.head.terms)}.\n"
    for name, rank in ranks.items():
        yield f"{names.rank}({datalog_constant(name)}, {rank}).\n"
    if facts is not None:
        yield from names.facts(facts)
    weights = [learned.truth for program in programs for learned in program.rules]
    own = [rule for program, one in zip(programs, ready, strict=True) for rule in one.rules[: len(program.rules)]]
    for weight, rule in zip(weights, own, strict=True):
        yield f"{names.rule(rule)} % {weight:.3f}\n"
    for program, one in zip(programs, ready, strict=True):
        for rule in one.rules[len(program.rules) :]:
            yield names.rule(rule) + "\n"


def ranked(rules: Iterable[Rule], kb: KnowledgeBase | None) -> dict[str, int]:
    """The rank of every constant where a rule asks for it."""
    ordered = [part for rule in rules for part in rule.body if isinstance(part, Comparison) and is_ordered(part)]
    if not ordered:
        return {}
    if kb is None:
        raise InputError(
            f"{ordered[0]} compares constants, for which Datalog needs a table of their ranks: give the knowledge base "
            f"as well"
        )
    mentioned = [t.name for part in ordered for t in (part.left, part.right) if isinstance(t, Constant)]
    constants = Vocabulary([*kb.constants, *mentioned])
    return dict(zip(constants.names, constants.order().tolist(), strict=True))


def is_ordered(comparison: Comparison) -> bool:
    """Whether a comparison asks for the order of constants."""
    return comparison.operator not in ("=", "!=")


class DatalogNames:
    """Predicates as plain words: a name that is none keeps its letters, and gets a number where two become one."""

    def __init__(self, predicates: Iterable[str]) -> None:
        wanted = dict.fromkeys(predicates)
        plain = {name for name in wanted if WORD.match(name) and name != "not"}
        self.known = {name: name for name in plain}
        taken = set(plain)
        for name in wanted:
            if name not in plain:
                self.known[name] = free(name, taken)
        self.rank = free(RANK, taken)

    def atom(self, atom: Atom, variables: dict[str, str]) -> str:
        """predicate(terms)."""
        return f"{self.known[atom.predicate]}({', '.join(term(t, variables) for t in atom.terms)})"

    def rule(self, rule: Rule) -> str:
        """A rule in one line."""
        variables = {variable.name: f"V{n}" for n, variable in enumerate(rule.variables)}
        own = {name: name for name in variables if VARIABLE.match(name)}
        if len(own) == len(variables):
            variables = own
        goals: list[str] = []
        for part in rule.body:
            goals += self.goals(part, variables, len(goals))
        return f"{self.atom(rule.head, variables)} :- {', '.join(goals)}."

    def goals(self, part: Literal | Comparison, variables: dict[str, str], place: int) -> list[str]:
        """One part of a body; a comparison by order looks both ranks up."""
        if isinstance(part, Literal):
            return ["not " * part.negated + self.atom(part.atom, variables)]
        left, right = term(part.left, variables), term(part.right, variables)
        if not is_ordered(part):
            return [f"{left} {part.operator} {right}"]
        ranks = f"Rank_{place}_1", f"Rank_{place}_2"
        looked_up = [f"{self.rank}({side}, {rank})" for side, rank in zip((left, right), ranks, strict=True)]
        return [*looked_up, f"{ranks[0]} {part.operator} {ranks[1]}"]

    def facts(self, kb: KnowledgeBase) -> Iterator[str]:
        """The facts that are at least half true."""
        spelt = [datalog_constant(name) for name in kb.constants.names]
        for name, relation in kb.relations.items():
            for row in relation.facts[relation.truths >= CRISP].tolist():
                yield f"{self.known[name]}({', '.join(spelt[constant] for constant in row)}).\n"


def free(name: str, taken: set[str]) -> str:
    """A plain word like the name that is not taken; from now on it is."""
    word = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9_]", "_", name)).strip("_")
    word = word[:1].lower() + word[1:] if WORD.match(word[:1].lower() + word[1:]) else f"p_{word}".rstrip("_")
    found, number = word, 2
    while found in taken or found == "not":
        found, number = f"{word}_{number}", number + 1
    taken.add(found)
    return found


def datalog_constant(name: str) -> str:
    """A constant as clingo writes it."""
    if re.fullmatch(r"-?[0-9]{1,10}", name) and name == str(int(name)) and abs(int(name)) <= LARGEST:
        return name
    if WORD.match(name) and name != "not":
        return name
    if "\0" in name:
        raise InputError(f"{name!r} holds a zero byte, which Datalog has no way to write")
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def term(found: Term, variables: dict[str, str]) -> str:
    """A variable or a constant."""
    return variables[found.name] if isinstance(found, Variable) else datalog_constant(found.name)
