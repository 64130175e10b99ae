"""A program's Boolean reading, made ready for other engines: what Prolog and Datalog would leave open is written out.

inverses    p^-1(X, Y) becomes p(Y, X)
the head    gets a name of its own where facts have its name already, since a rule may use the very relation that it
            predicts, and to use what it derives would be another program
negation    a negated atom whose variables nothing binds is asked over a universe, as grounding does it: predicates
            that list the constants at each of its places are added
reach       auxiliaries that no rule uses are left out
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count

from rulewright.kb.knowledge_base import INVERSE, KnowledgeBase
from rulewright.logic.program import Program
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Variable
from rulewright.rules.derive import auxiliaries_of


@dataclass(frozen=True)
class BooleanProgram:
    """Rules in which every variable of a negation or a comparison stands in a positive atom before it.

    head    what is derived
    rules   those of the head first, then those of the predicates that they use
    inputs  the predicates of facts that the rules read, with their arities
    """

    head: Atom
    rules: tuple[Rule, ...]
    inputs: dict[str, int]


def boolean_program(program: Program, kb: KnowledgeBase | None = None) -> BooleanProgram:
    """The Boolean reading; a knowledge base tells which names are taken by facts."""
    own = [learned.rule for learned in program.rules]
    helpers = auxiliaries_of(program)
    writer = Writer([*own, *helpers], helpers, kb)
    head = Atom(writer.fresh(program.head.predicate, " derived"), program.head.terms)
    rules = [Rule(Atom(head.predicate, rule.head.terms), writer.body(rule)) for rule in own]
    rules += [Rule(rule.head, writer.body(rule)) for rule in helpers]
    rules += writer.added
    defined = {rule.head.predicate for rule in rules}
    atoms = [part.atom for rule in rules for part in rule.body if isinstance(part, Literal)]
    return BooleanProgram(
        head, tuple(rules), {atom.predicate: len(atom.terms) for atom in atoms if atom.predicate not in defined}
    )


class Writer:
    """Writes bodies out, and collects the predicates that this takes."""

    def __init__(self, rules: Iterable[Rule], helpers: Iterable[Rule], kb: KnowledgeBase | None) -> None:
        self.relations = set() if kb is None else set(kb.relations)
        self.helpers: dict[str, list[Rule]] = {}
        for rule in helpers:
            self.helpers.setdefault(rule.head.predicate, []).append(rule)
        used = {part.atom.predicate for rule in rules for part in rule.body if isinstance(part, Literal)}
        self.taken = {*self.relations, *self.helpers, *used, *(name.removesuffix(INVERSE) for name in used)}
        self.added: list[Rule] = []
        self.known: dict[tuple[str, ...], str] = {}

    def fresh(self, name: str, suffix: str = "") -> str:
        """The name, or one like it that nothing else has; from now on it is taken."""
        wider = (f"{name}{suffix} {number}" for number in count(2))
        found = next(one for one in chain([name, f"{name}{suffix}"], wider) if one not in self.taken)
        self.taken.add(found)
        return found

    def body(self, rule: Rule, possible: bool = False) -> tuple[Literal | Comparison, ...]:
        """A body in an order in which it can be run; if `possible`, what could arise if every negation held."""
        literals = [part for part in rule.body if isinstance(part, Literal)]
        positive = [self.arising(part) if possible else part for part in literals if not part.negated]
        bound = {variable for part in positive for variable in part.variables}
        negative = [part for part in literals if part.negated]
        universe = [
            literal for part in negative if not bound.issuperset(part.variables) for literal in self.universe(part.atom)
        ]
        comparisons = [part for part in rule.body if isinstance(part, Comparison)]
        kept = [] if possible else negative
        before, after = (
            [Literal(self.straight(part.atom), part.negated) for part in parts]
            for parts in ([*positive, *universe], kept)
        )
        return (*before, *comparisons, *after)

    def straight(self, atom: Atom) -> Atom:
        """The atom without an inverse mark, unless that is part of a relation's own name."""
        name = atom.predicate
        if not name.endswith(INVERSE) or len(atom.terms) != 2 or name in self.relations or name in self.helpers:
            return atom
        return Atom(name.removesuffix(INVERSE), atom.terms[::-1])

    def universe(self, atom: Atom) -> Iterator[Literal]:
        """What binds the variables of a negated atom: each to what stands at its places in the predicate's facts."""
        for variable in atom.variables:
            places = tuple(place for place, term in enumerate(atom.terms) if term == variable)
            yield Literal(Atom(self.column(atom.predicate, len(atom.terms), places), (variable,)))

    def column(self, predicate: str, arity: int, places: tuple[int, ...]) -> str:
        """The predicate that lists the constants at some places of another."""
        key = (predicate, *map(str, places))
        if key not in self.known:
            shown = " or ".join(str(place + 1) for place in places)
            self.known[key] = self.fresh(f"{predicate} considers as argument {shown}")
            terms = tuple(Variable(f"X{number}") for number in range(1, arity + 1))
            source = self.arising(Literal(Atom(predicate, terms))).atom
            for place in places:
                self.added.append(Rule(Atom(self.known[key], (terms[place],)), (Literal(self.straight(source)),)))
        return self.known[key]

    def arising(self, literal: Literal) -> Literal:
        """The literal itself where facts decide it; of an auxiliary, the literal that says it could arise."""
        name, terms = literal.atom.predicate, literal.atom.terms
        if name not in self.helpers:
            return literal
        key = (name,)
        if key not in self.known:
            self.known[key] = self.fresh(f"{name} if not denied")
            for rule in self.helpers[name]:
                self.added.append(Rule(Atom(self.known[key], rule.head.terms), self.body(rule, possible=True)))
        return Literal(Atom(self.known[key], terms))
