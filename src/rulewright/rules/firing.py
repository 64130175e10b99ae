"""Which rules of a program fire for some head facts, and the facts with which they do.

A rule is run as the text says, through the same grounding as a template, restricted to the heads in question.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.leaves import Leaves
from rulewright.grounding.lineage import Grounding, Groups
from rulewright.grounding.plan import Project, Union, plan
from rulewright.grounding.tables import Ids
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Constant, Term
from rulewright.rules.changed_facts import looked_up
from rulewright.rules.derive import auxiliaries_of, clause, steps_hold
from rulewright.rules.explanation import Part, SourcedFact, Witness
from rulewright.template.binding import bind
from rulewright.template.syntax import Template

Assignment = dict[Term, Term]


def firing(
    program: Program, kb: KnowledgeBase, heads: Ids, witnesses: int, limits: GroundingLimits | None = None
) -> list[list[Part]]:
    """For each head fact the rules that fire for it, in the program's order."""
    leaves = Leaves()
    found: list[list[Part]] = [[] for _ in heads]
    for learned in program.rules:
        ways = RuleWays.of(program, learned, kb, heads, leaves, limits)
        for place in range(len(heads)):
            count, some = ways.of_head(heads[place : place + 1], witnesses)
            if count:
                shown = tuple(witness(learned.rule, assignment, kb) for assignment in some)
                found[place].append(Part(str(learned.rule), learned.truth, None, "rule", shown, count))
    return found


@dataclass(frozen=True, eq=False)
class RuleWays:
    """A rule grounded for some heads: the assignments under which its body holds."""

    kb: KnowledgeBase
    grounding: Grounding

    @staticmethod
    def of(
        program: Program,
        learned: LearnedRule,
        kb: KnowledgeBase,
        heads: Ids,
        leaves: Leaves,
        limits: GroundingLimits | None,
    ) -> "RuleWays":
        head = f"{program.head.predicate} derived"  # as in `derive`: a body may use facts of the relation it predicts
        auxiliaries = auxiliaries_of(replace(program, rules=(learned,)))
        clauses = [clause(learned.rule, head), *(clause(rule, rule.head.predicate) for rule in auxiliaries)]
        bound = bind(Template(tuple(clauses)), kb, root=head)
        return RuleWays(kb, ground(plan(bound), kb, limits, heads, allow_empty=True, leaves=leaves))

    def of_head(self, head: Ids, most: int) -> tuple[int, list[Assignment]]:
        """How many assignments there are for a head fact, and a few of them."""
        (row,) = self.grounding.rows_of(head).tolist()
        truth = steps_hold(self.grounding)
        if row < 0 or not truth[-1][row]:
            return 0, []
        root, lineage = self.grounding.plan.steps[-1], self.grounding.lineage[-1]
        if not isinstance(root, Project):
            assert not isinstance(root, Union)
            return 1, [self.assignment(root.variables, len(self.grounding.facts) - 1, row)]
        assert isinstance(lineage, Groups)
        rows = lineage.rows[lineage.offsets[row] : lineage.offsets[row + 1]]
        below = root.input.step
        rows = rows[truth[below][rows]]
        return len(rows), [self.assignment(root.input.terms, below, at) for at in rows[:most].tolist()]

    def assignment(self, terms: Sequence[Term], place: int, row: int) -> Assignment:
        """What the variables stand for in one fact of one step."""
        (names,) = self.kb.decode(self.grounding.facts[place][row : row + 1])
        return dict(zip(terms, map(Constant, names), strict=True))


def witness(rule: Rule, assignment: Assignment, kb: KnowledgeBase) -> Witness:
    """The facts that stand for the rule's literals; what an auxiliary rule defines is derived or absent."""
    facts = []
    for part in rule.body:
        if not isinstance(part, Literal):
            continue
        terms = tuple(assignment.get(term, term) for term in part.atom.terms)
        fact = looked_up(kb, part.atom.predicate, tuple(term.name for term in terms))
        if not part.negated and part.atom.predicate not in kb:
            fact = SourcedFact(fact.atom, "derived")
        facts.append(fact)
    return Witness(tuple(facts))
