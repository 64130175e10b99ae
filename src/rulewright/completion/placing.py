"""Rules from elsewhere as what a mixture is made of: paths, and rules with constants.

    r(X, Y) :- s(X, A), t(A, Y)     a path of r from X to Y, and turned round one of r^-1 from Y to X
    r(X, c) :- s(X, d)              a rule with constants of r; r(c, Y) :- s(d, Y) is one of r^-1

What fits neither is counted and told, with the reason.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.constants import ConstantSettings
from rulewright.completion.given import Facts, Given, Misfits
from rulewright.completion.settings import LONGEST, CompletionSettings
from rulewright.errors import nearest
from rulewright.kb.knowledge_base import INVERSE
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.rated import RatedRule
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Constant, Variable

SHOWN = 3  # rules told of each kind that does not fit


def given_rules(rules: Iterable[RatedRule], entities: Vocabulary, relations: Vocabulary) -> Given:
    """The rules as base predicates of the relations that they are about."""
    places = Places(entities, relations)
    for rated in rules:
        places.put(rated.rule)
    return places.given()


def settings_for(given: Given, settings: CompletionSettings) -> CompletionSettings:
    """The settings under which the given rules are all that is weighed."""
    constants = (settings.constants or ConstantSettings()) if given.constants else None
    return replace(settings, length=given.length, direct=False, answer=False, constants=constants)


class Places:
    """Collects rules; a rule that is there already counts once."""

    def __init__(self, entities: Vocabulary, relations: Vocabulary) -> None:
        self.entities, self.relations = entities, relations
        self.paths: dict[int, set[tuple[int, ...]]] = {}
        self.constants: dict[int, set[tuple[int, int]]] = {}
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = {}

    def put(self, rule: Rule) -> None:
        """Take a rule in, or note why it does not fit."""
        try:
            if any(isinstance(term, Constant) for term in rule.head.terms):
                relation, fact, answer = constant_rule(rule, self.entities, self.relations)
                self.constants.setdefault(relation, set()).add((fact, answer))
            else:
                relation, path = path_rule(rule, self.relations)
                self.paths.setdefault(relation, set()).add(path)
                self.paths.setdefault(relation ^ 1, set()).add(turned(path))
        except MisfitError as misfit:
            self.counts[misfit.reason] += 1
            told = self.examples.setdefault(misfit.reason, [])
            if len(told) < SHOWN:
                told.append(f"{rule}{misfit.hint()}")

    def given(self) -> Given:
        """Everything that was taken in."""
        length = max((len(path) for paths in self.paths.values() for path in paths), default=1)
        return Given(
            {relation: path_table(self.paths[relation], length) for relation in sorted(self.paths)},
            {relation: fact_table(self.constants[relation]) for relation in sorted(self.constants)},
            Misfits(self.counts, self.examples),
        )


class MisfitError(Exception):
    """Why a rule does not fit; `name` and `known` help to say what may have been meant."""

    def __init__(self, reason: str, name: str = "", known: Vocabulary | None = None) -> None:
        super().__init__(reason)
        self.reason, self.name, self.known = reason, name, known

    def hint(self) -> str:
        """' (did you mean ...?)', or nothing."""
        return nearest(self.name, self.known.names) if self.known is not None else ""


def path_table(paths: Iterable[tuple[int, ...]], length: int) -> NDArray[np.int32]:
    """Paths in lexicographic order, the shorter ones padded."""
    rows = sorted((*path, *[-1] * (length - len(path))) for path in paths)
    return np.array(rows, np.int32).reshape(len(rows), length)


def fact_table(pairs: Iterable[tuple[int, int]]) -> Facts:
    """Rules with constants by fact."""
    table = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    return np.ascontiguousarray(table[:, 0]), table[:, 1].astype(np.int32)


def turned(path: tuple[int, ...]) -> tuple[int, ...]:
    """The path walked from its end."""
    return tuple(step ^ 1 for step in reversed(path))


def path_rule(rule: Rule, relations: Vocabulary) -> tuple[int, tuple[int, ...]]:
    """The directed relation of a chain rule and the steps from its first variable to its second."""
    atoms = plain_atoms(rule)
    first, last = rule.head.terms
    meeting: dict[object, list[Atom]] = {}
    for atom in atoms:
        for term in atom.terms:
            meeting.setdefault(term, []).append(atom)
    here, steps, left = first, [], list(atoms)
    while left:
        onward = [atom for atom in meeting.get(here, []) if any(atom is other for other in left)]
        if len(onward) != 1 or onward[0].terms[0] == onward[0].terms[1]:
            raise MisfitError("the body is no chain from the head's first argument to its second")
        (atom,) = onward
        left = [other for other in left if other is not atom]
        straight = atom.terms[0] == here
        steps.append(directed(atom.predicate, relations) ^ (not straight))
        here = atom.terms[1] if straight else atom.terms[0]
        if here == first or (here == last and left):
            raise MisfitError("the body is no chain from the head's first argument to its second")
    if here != last or first == last:
        raise MisfitError("the body is no chain from the head's first argument to its second")
    if len(steps) > LONGEST:
        raise MisfitError(f"the body has more than {LONGEST} atoms")
    relation = directed(rule.head.predicate, relations)
    if steps == [relation]:
        raise MisfitError("the body is the head")
    return relation, tuple(steps)


def plain_atoms(rule: Rule) -> list[Atom]:
    """The atoms of a body that holds nothing but binary atoms over variables."""
    found = []
    for part in rule.body:
        if not isinstance(part, Literal) or part.negated:
            raise MisfitError("the body has a negation or a comparison")
        found.append(part.atom)
    if any(len(atom.terms) != 2 for atom in (rule.head, *found)):
        raise MisfitError("an atom has other than two arguments")
    if any(isinstance(term, Constant) for atom in found for term in atom.terms):
        raise MisfitError("constants stand elsewhere than in the head and in a body of one atom")
    return found


def constant_rule(rule: Rule, entities: Vocabulary, relations: Vocabulary) -> tuple[int, int, int]:
    """Of r(X, c) :- s(X, d): the directed relation r, the fact s(_, d) and the answer c."""
    if len(rule.body) != 1 or not isinstance(part := rule.body[0], Literal) or part.negated:
        raise MisfitError("constants stand elsewhere than in the head and in a body of one atom")
    if len(rule.head.terms) != 2 or len(part.atom.terms) != 2:
        raise MisfitError("an atom has other than two arguments")
    relation, subject, answer = one_sided(rule.head, entities, relations)
    side, other, constant = one_sided(part.atom, entities, relations)
    if subject != other:
        raise MisfitError("head and body share no variable")
    return relation, side * len(entities) + constant, answer


def one_sided(atom: Atom, entities: Vocabulary, relations: Vocabulary) -> tuple[int, Variable, int]:
    """An atom of a variable and a constant, read from the variable: directed relation, variable, entity."""
    first, second = atom.terms
    relation = directed(atom.predicate, relations)
    if isinstance(first, Variable) and isinstance(second, Constant):
        variable, constant = first, second
    elif isinstance(second, Variable) and isinstance(first, Constant):
        relation, variable, constant = relation ^ 1, second, first
    else:
        raise MisfitError("constants stand elsewhere than in the head and in a body of one atom")
    entity = known_id(constant.name, entities)
    if entity is None:
        raise MisfitError("an entity that the data does not have", constant.name, entities)
    return relation, variable, entity


def directed(name: str, relations: Vocabulary) -> int:
    """The directed relation of a name, perhaps with ^-1 behind it."""
    straight = known_id(name, relations)
    if straight is not None:
        return 2 * straight
    inverse = known_id(name.removesuffix(INVERSE), relations) if name.endswith(INVERSE) else None
    if inverse is None:
        raise MisfitError("a relation that the data does not have", name, relations)
    return 2 * inverse + 1


def known_id(name: str, known: Vocabulary) -> int | None:
    """The id of a name; some tools put <> around one."""
    found = known.id(name)
    if found is None and name.startswith("<") and name.endswith(">"):
        found = known.id(name[1:-1])
    return found
