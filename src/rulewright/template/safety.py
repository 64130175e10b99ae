"""Whether the values of every variable of a clause can be found from facts.

A body is evaluated from the inside out, each formula as a table with one column per variable:

    atom          its variables come from facts
    not F         its variables come from a universe of assignments, declared by `over` or inferred; always there
    F, G          the columns of both; comparisons then filter the rows, so an atom must have brought their variables
    F ; G         rows of either, so both must have the columns that anything outside looks at

Under `not` nothing is projected away (the universe has one column per variable of the negated formula), so there every
disjunct must have all the columns.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from rulewright.logic.terms import Variable
from rulewright.template.predicates import Report
from rulewright.template.syntax import And, Clause, Compare, Formula, Not, Or, Place, Use, variables_of

Variables = frozenset[Variable]

OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


SHARED = "every disjunct must, because the rest of the rule uses it"
UNDER_NOT = "under not every disjunct must have the same variables (and every _ is one)"


def check_safety(clause: Clause, report: Report) -> None:
    """Report every variable of a clause whose values nothing brings."""
    head = clause.head.variables
    parts = list(disjuncts(clause.body))
    for part in parts:
        where, place = (f"the disjunct {brief(part)}", place_of(part)) if len(parts) > 1 else ("the body", clause.place)
        for variable in missing(head, columns(part)):
            report(f"head variable {variable} of {clause.head} is bound by no atom of {where}", place)
        check_part(part, frozenset(head), SHARED, report)


def check_part(part: Formula, outside: Variables, why: str, report: Report) -> None:
    """Check a formula that has a truth value of its own.

    `outside` are its variables that something outside looks at, and `why` says what, for a message.
    """
    match part:
        case Compare():
            report(f"{part} only filters and has no truth value; join it by ',' to an atom", part.place)
        case Not(Compare() as comparison):
            opposite = Compare(comparison.left, OPPOSITES[comparison.operator], comparison.right)
            report(f"a comparison has no truth value to negate; write {opposite}", part.place)
        case Not(child):
            check_group(child, frozenset(variables_of(child)), UNDER_NOT, report)
        case And(children):
            check_conjunction(children, outside, why, report)
        case Or():
            check_group(part, outside, why, report)
        case Use():
            pass


def check_group(group: Formula, outside: Variables, why: str, report: Report) -> None:
    """Check a formula inside another; the disjuncts of a disjunction must agree on what they bring to the outside."""
    parts = list(disjuncts(group))
    shared = [variable for variable in variables_of(group) if variable in outside]
    for part in parts:
        for variable in missing(shared, columns(part)) if len(parts) > 1 else ():
            report(f"the disjunct {brief(part)} does not bind {variable}; {why}", place_of(part))
        check_part(part, outside, why, report)


def check_conjunction(children: tuple[Formula, ...], outside: Variables, why: str, report: Report) -> None:
    """Check what is joined by ','."""
    counts = Counter(variable for child in children for variable in variables_of(child))
    brought = frozenset(variable for child in children for variable in from_atoms(child))
    if all(isinstance(child, Compare) for child in children):
        shown = brief(And(children))
        report(f"{shown} only filters and has no truth value; join it by ',' to an atom", place_of(children[0]))
        return
    for child in children:
        own = variables_of(child)
        if isinstance(child, Compare):
            for variable in missing(own, brought):
                report(f"{variable} in {child} is bound by no atom that is joined to it by ','", child.place)
        else:
            beside = frozenset(variable for variable in own if counts[variable] > 1)
            check_part(child, outside | beside, why, report)


def columns(formula: Formula) -> Variables:
    """The variables for which a formula brings values, be it from facts or from a universe."""
    match formula:
        case Use() | Not():
            return frozenset(variables_of(formula))
        case Compare():
            return frozenset()
        case And(children) | Or(children):  # disjuncts that differ are check_group's business
            return frozenset().union(*map(columns, children))


def from_atoms(formula: Formula) -> Variables:
    """The variables for which atoms outside any negation bring values."""
    match formula:
        case Use():
            return frozenset(variables_of(formula))
        case Compare() | Not():
            return frozenset()
        case And(children) | Or(children):
            return frozenset().union(*map(from_atoms, children))


def disjuncts(formula: Formula) -> Iterator[Formula]:
    """The formulas under the outermost disjunctions."""
    if isinstance(formula, Or):
        for child in formula.children:
            yield from disjuncts(child)
    else:
        yield formula


def missing(wanted: Iterable[Variable], present: Variables) -> list[Variable]:
    """The wanted variables that are not present, in order."""
    return [variable for variable in wanted if variable not in present]


def place_of(formula: Formula) -> Place:
    """Where a formula begins."""
    while isinstance(formula, And | Or):
        formula = formula.children[0]
    return formula.place


def brief(formula: Formula) -> str:
    """A formula's text, shortened to fit into a message."""
    text = str(formula)
    return text if len(text) <= 60 else text[:57] + "..."
