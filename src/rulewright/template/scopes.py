"""One name, one variable: the clauses of a head merged into one body in which no two scopes share a variable name.

A head variable lives in the whole rule. Any other variable is local to its clause; and when it stands only within one
disjunction, it is local to each disjunct, since "some Y makes this or that true" says no more than "some Y makes this
true, or some Y makes that true":

    S(X) :- P(X, Y) ; Q(X, Y).                  two Y; becomes P(X, Y) ; Q(X, Y_2)
    S(X) :- R(X, Y), (P(X, Y) ; Q(X, Y)).       one Y
    S(X) :- not (P(X, Y) ; Q(X, Y)).            one Y: under `not` all variables range over one universe
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from rulewright.logic.terms import Atom, Term, Variable
from rulewright.template.syntax import And, Compare, Formula, Not, Or, Use, variables_of

Renaming = Mapping[Variable, Variable]

MARK = "@"  # cannot stand in a variable's name, so marked names are new; `named` takes the marks off again


def merged(heads: Sequence[Atom], bodies: Sequence[Formula]) -> tuple[tuple[Variable, ...], Formula]:
    """The head variables (those of the first clause) and the one body that stands for all clauses of a head."""
    head = heads[0].variables
    fresh = (f"{MARK}{number}" for number in count())
    ours = []
    for own_head, body in zip(heads, bodies, strict=True):
        local = marked(variables_of(body), fresh)
        ours.append(substituted(body, {**local, **dict(zip(own_head.variables, head, strict=True))}))
    whole = ours[0] if len(ours) == 1 else Or(tuple(ours))
    return head, named(apart(whole, frozenset(head), fresh), head)


def apart(formula: Formula, outside: frozenset[Variable], fresh: Iterator[str]) -> Formula:
    """The formula with the variables that are local to a disjunct under names of their own."""
    match formula:
        case Use() | Compare() | Not():
            return formula
        case And(children):
            counts = Counter(variable for child in children for variable in variables_of(child))
            shared = outside.union(variable for variable, number in counts.items() if number > 1)
            return And(tuple(apart(child, shared, fresh) for child in children))
        case Or(children):
            local = [[v for v in variables_of(child) if v not in outside] for child in children]
            parts = [substituted(child, marked(own, fresh)) for child, own in zip(children, local, strict=True)]
            return Or(tuple(apart(part, outside, fresh) for part in parts))


def marked(variables: Sequence[Variable], fresh: Iterator[str]) -> dict[Variable, Variable]:
    """A new name for each variable, from which its first one can still be read."""
    return {variable: Variable(first_name(variable) + next(fresh)) for variable in variables}


def named(formula: Formula, head: Sequence[Variable]) -> Formula:
    """The formula with marked variables under readable names: the first one, or that with a number when it is taken."""
    local = [variable for variable in variables_of(formula) if variable not in head]
    written = {first_name(variable) for variable in local}
    taken = {variable.name for variable in head}
    numbers: dict[str, Iterator[int]] = defaultdict(lambda: count(2))
    names = {}
    for variable in local:
        chosen = name = first_name(variable)
        while chosen in taken or (chosen in written and chosen != name):
            chosen = f"{name}_{next(numbers[name])}"
        taken.add(chosen)
        names[variable] = Variable(chosen)
    return substituted(formula, names)


def first_name(variable: Variable) -> str:
    """The name as the template writes it."""
    return variable.name.partition(MARK)[0]


def substituted(formula: Formula, renaming: Renaming) -> Formula:
    """The formula under other variable names, all replaced at once."""

    def of(term: Term) -> Term:
        return renaming.get(term, term) if isinstance(term, Variable) else term

    match formula:
        case Use(atom, place):
            return Use(Atom(atom.predicate, tuple(map(of, atom.terms))), place)
        case Compare(left, operator, right, place):
            return Compare(of(left), operator, of(right), place)
        case Not(child, universe, place):
            return Not(substituted(child, renaming), universe, place)
        case And(children):
            return And(tuple(substituted(child, renaming) for child in children))
        case Or(children):
            return Or(tuple(substituted(child, renaming) for child in children))
