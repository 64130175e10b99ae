"""derive(program, kb): the head facts that a program's text accepts, read as ordinary Boolean logic.

This is the yardstick for the text: it runs the written rules, not the network, through the same grounding.
"""

import numpy as np
from numpy.typing import NDArray

from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.lineage import Grounding, Groups, Memberships, input_rows
from rulewright.grounding.plan import Complement, Disjoin, Join, Project, Union, inputs_of, plan
from rulewright.grounding.tables import Ids, Rows
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.program import Program
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom
from rulewright.template.binding import bind
from rulewright.template.syntax import And, Clause, Compare, Formula, Not, Template, Use

CRISP = np.float32(0.5)


def derive(program: Program, kb: KnowledgeBase, limits: GroundingLimits | None = None) -> Ids:
    """The accepted head facts as rows of constant ids; facts of the knowledge base count from truth 0.5 on."""
    if not program.rules:
        return np.empty((0, len(program.head.terms)), dtype=np.int64)
    # A rule may use known facts of the very relation it predicts, so what it derives gets a name of its own.
    head = f"{program.head.predicate} derived"
    clauses = [clause(learned.rule, head) for learned in program.rules]
    clauses += [clause(rule, rule.head.predicate) for rule in auxiliaries_of(program)]
    bound = bind(Template(tuple(clauses)), kb, root=head)
    grounding = ground(plan(bound), kb, limits, allow_empty=True)
    return grounding.roots[holds(grounding)]


def auxiliaries_of(program: Program) -> list[Rule]:
    """The auxiliaries that the rules use, be it through another one; those of other rules would be unreachable."""
    used: set[str] = set()
    waiting = [learned.rule for learned in program.rules]
    while waiting:
        names = {part.atom.predicate for part in waiting.pop().body if isinstance(part, Literal)} - used
        used |= names
        waiting += [rule for rule in program.auxiliaries if rule.head.predicate in names]
    return [rule for rule in program.auxiliaries if rule.head.predicate in used]


def clause(rule: Rule, head: str) -> Clause:
    """A rule as a template clause with a given head predicate."""
    parts = tuple(formula(part) for part in rule.body)
    return Clause(Atom(head, rule.head.terms), parts[0] if len(parts) == 1 else And(parts))


def formula(part: Literal | Comparison) -> Formula:
    """A body part as the template's syntax has it."""
    if isinstance(part, Comparison):
        return Compare(part.left, part.operator, part.right)
    return Not(Use(part.atom)) if part.negated else Use(part.atom)


def holds(grounding: Grounding) -> NDArray[np.bool_]:
    """Which head facts are true when every operator is its Boolean original."""
    return steps_hold(grounding)[-1]


def steps_hold(grounding: Grounding) -> list[NDArray[np.bool_]]:
    """The same for the facts of every step."""
    values: list[NDArray[np.bool_]] = []
    for step, lineage in zip(grounding.plan.steps, grounding.lineage, strict=True):
        # -1, an absent fact, reads the spare False at the end
        inputs = [
            np.append(values[v.step], False)[at] for v, at in zip(inputs_of(step), input_rows(lineage), strict=True)
        ]
        match step:
            case Union():
                assert isinstance(lineage, Memberships)
                values.append(any_in_runs(lineage.truth >= CRISP, lineage.offsets))
            case Project():
                assert isinstance(lineage, Groups)
                values.append(any_in_runs(inputs[0], lineage.offsets))
            case Disjoin():
                values.append(np.logical_or.reduce(inputs))
            case Complement():
                values.append(~inputs[0])
            case Join():
                count = len(step.positives)
                values.append(np.logical_and.reduce([*inputs[:count], *(~negated for negated in inputs[count:])]))
    return values


def any_in_runs(entries: NDArray[np.bool_], offsets: Rows) -> NDArray[np.bool_]:
    """For each run of entries whether one of them is true."""
    before = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(entries)])
    return np.asarray(before[offsets[1:]] > before[offsets[:-1]])
