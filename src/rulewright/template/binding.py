"""A template checked against a knowledge base: every name resolved, every mistake found, all of them reported together.

A name in a body is a clause head, else a domain, else a predicate of the knowledge base: what the template defines
comes first. Each check is a file of its own; this one says in which order they run and puts the nodes together.
"""

import re
from collections.abc import Iterator

from rulewright.errors import Problem, TemplateBindingError, nearest
from rulewright.kb.knowledge_base import INVERSE, KnowledgeBase
from rulewright.logic.terms import Atom, Constant, predicate_text
from rulewright.template.bound import BoundLeaf, BoundRule, BoundTemplate, Member, OperatorChoice
from rulewright.template.dependencies import check_cycles, check_reached, children_first, root_of
from rulewright.template.domains import bound_leaf, with_universes
from rulewright.template.operator_options import RULE_NORMS, operator_of
from rulewright.template.predicates import Predicates, counted
from rulewright.template.safety import check_safety
from rulewright.template.scopes import merged
from rulewright.template.syntax import (
    NOWHERE,
    And,
    Clause,
    Compare,
    Domain,
    Formula,
    Not,
    Or,
    Place,
    Template,
    Use,
)

PLACEHOLDER = re.compile(r"[A-Z][A-Z]?\d*")  # P, Q2, AB: a name one gives to a choice, not to a predicate


def bind(template: Template, kb: KnowledgeBase, root: str | None = None) -> BoundTemplate:
    """The template with every name resolved against the knowledge base.

    `root` names the clause head whose facts are labelled; it may be left out when one head only is used by no clause.
    Raises TemplateBindingError, which holds every mistake that was found.
    """
    return Binder(template, kb).bound(root)


class Binder:
    """The state of one binding: what the template defines, and the problems found so far."""

    def __init__(self, template: Template, kb: KnowledgeBase) -> None:
        self.template, self.constants = template, kb.constants
        self.predicates = Predicates(kb.arities)
        self.problems: list[Problem] = []
        self.heads: dict[str, list[Clause]] = {}
        for clause in template.clauses:
            self.heads.setdefault(clause.head.predicate, []).append(clause)
        self.domains: dict[str, Domain] = {}
        for domain in template.domains:
            self.domains.setdefault(domain.name, domain)
        self.domain_arities: dict[str, int] = {}  # filled by the first use of each

    def report(self, message: str, place: Place) -> None:
        """Take down a mistake."""
        self.problems.append(Problem(message, place.line, place.column))

    def bound(self, root: str | None) -> BoundTemplate:
        """Run every check, raise what they found, and put the nodes together."""
        self.check_names()
        for clause in self.template.clauses:
            self.check_head(clause)
            for use in uses_in(clause.body):
                self.check_use(use)
            check_safety(clause, self.report)
        operators = {name: self.operator(clauses) for name, clauses in self.heads.items()}
        bodies = {name: self.bodies(clauses) for name, clauses in self.heads.items()}
        leaves = {name: self.leaf(domain) for name, domain in self.domains.items()}
        order = self.order(root)
        if self.problems:
            problems = sorted(dict.fromkeys(self.problems), key=lambda problem: (problem.line, problem.column))
            raise TemplateBindingError(problems, self.template.text)
        nodes: list[BoundLeaf | BoundRule] = []
        for name in order:
            if name in self.heads:
                head, body = merged([clause.head for clause in self.heads[name]], bodies[name])
                nodes.append(BoundRule(name, head, body, operators[name]))
            else:
                nodes.append(leaves[name] if name in leaves else self.predicate_leaf(name))
        return BoundTemplate(tuple(nodes), self.template)

    def check_names(self) -> None:
        """Report names that are defined twice or cannot be defined."""
        if not self.heads:
            self.report("the template has no clause; write one, e.g. S(X, Z) :- P(X, Y), Q(Y, Z).", Place(1, 1))
        defined = [(clauses[0].head.predicate, clauses[0].place) for clauses in self.heads.values()]
        defined += [(domain.name, domain.place) for domain in self.domains.values()]
        for name, place in defined:
            if name.endswith(INVERSE):
                self.report(f"{predicate_text(name)} cannot be defined: {INVERSE} is for predicates of facts", place)
        declared: set[str] = set()
        for domain in self.template.domains:
            if domain.name in self.heads:
                self.report(f"{predicate_text(domain.name)} is both a clause head and a domain", domain.place)
            elif domain.name in declared:
                self.report(f"{predicate_text(domain.name)} is declared twice; list all in one domain", domain.place)
            declared.add(domain.name)

    def check_head(self, clause: Clause) -> None:
        """Report what a head cannot have."""
        head, first = clause.head, self.heads[clause.head.predicate][0].head
        if len(head.terms) != len(first.terms):
            name, here = predicate_text(head.predicate), counted(len(head.terms), "argument")
            self.report(f"{name} has {here} here and {len(first.terms)} in its first clause", clause.place)
        for number, term in enumerate(head.terms):
            if isinstance(term, Constant):
                instead = "write a variable there, and compare it in the body"
                self.report(f"{term} in {head} is a constant; {instead}", clause.place)
            elif term in head.terms[:number]:
                instead = f"write another variable there, and an = between it and {term} in the body"
                self.report(f"{term} stands twice in {head}; {instead}", clause.place)

    def check_use(self, use: Use) -> None:
        """Report an atom whose name is unknown, whose number of arguments is wrong, or that has an unknown constant."""
        name, number = use.atom.predicate, len(use.atom.terms)
        arity = self.arity(name, number)
        if arity is None:
            self.report(self.unknown(use.atom), use.place)
        elif arity != number:
            self.report(f"{use} has {counted(number, 'argument')}, but {self.arity_reason(name, arity)}", use.place)
        if use.place == NOWHERE:  # not from a text: rules learned elsewhere may name what these facts do not have
            return
        for term in use.atom.terms:
            if isinstance(term, Constant) and term.name not in self.constants:
                known = nearest(term.name, self.constants.names)
                self.report(f"the knowledge base has no constant {term}{known}; {use} can never hold", use.place)

    def arity(self, name: str, used: int) -> int | None:
        """The arity of a name; a domain's is that of its first use. None when the name means nothing."""
        if name in self.heads:
            return len(self.heads[name][0].head.terms)
        if name in self.domains:
            return self.domain_arities.setdefault(name, used)
        if name.removesuffix(INVERSE) in self.heads or name.removesuffix(INVERSE) in self.domains:
            return None
        return self.predicates.arity(name)

    def arity_reason(self, name: str, arity: int) -> str:
        """Where the arity of a name comes from."""
        if name in self.heads:
            return f"its clause has {arity}"
        if name in self.domains:
            return f"its first use has {arity}"
        return f"{predicate_text(name)} has {arity} in the knowledge base"

    def unknown(self, atom: Atom) -> str:
        """What to say about a name that means nothing."""
        name, straight = atom.predicate, atom.predicate.removesuffix(INVERSE)
        if straight in self.heads or straight in self.domains:
            swapped = Atom(straight, tuple(reversed(atom.terms)))
            return f"{predicate_text(straight)} is defined here and has no inverse; write {swapped} instead"
        if straight in self.predicates.arities:
            return f"unknown predicate {predicate_text(name)}{self.predicates.hint(name)}"
        known = nearest(name, list(dict.fromkeys([*self.heads, *self.domains, *self.predicates.arities])))
        declare = f"; to let it stand for a choice, declare {name} in {{...}}." if PLACEHOLDER.fullmatch(name) else ""
        return f"{predicate_text(name)} is no clause, no domain and no predicate of the knowledge base{known}{declare}"

    def operator(self, clauses: list[Clause]) -> OperatorChoice:
        """The operator that the options of all clauses of a head choose."""
        options = [option for clause in clauses for option in clause.options]
        return operator_of(options, RULE_NORMS, "a clause", self.report)

    def bodies(self, clauses: list[Clause]) -> list[Formula]:
        """The bodies of all clauses of a head, their universes resolved."""
        return [with_universes(clause.body, self.predicates, self.report) for clause in clauses]

    def leaf(self, domain: Domain) -> BoundLeaf:
        """The leaf that a domain makes."""
        if domain.name not in self.domain_arities and domain.name not in self.heads:
            self.report(f"{predicate_text(domain.name)} is declared but no clause uses it", domain.place)
        return bound_leaf(domain, self.domain_arities.get(domain.name), self.predicates, self.heads, self.report)

    def predicate_leaf(self, name: str) -> BoundLeaf:
        """The leaf that a predicate of the knowledge base makes when a body uses it by name."""
        return BoundLeaf(name, self.predicates.arity(name) or 0, (Member(name),))

    def order(self, root: str | None) -> list[str]:
        """The names of all nodes, children first; empty when there is no root."""
        edges: dict[str, dict[str, Place]] = {name: {} for name in self.heads}
        for clause in self.template.clauses:
            for use in uses_in(clause.body):
                edges[clause.head.predicate].setdefault(use.atom.predicate, use.place)
        places = {name: clauses[0].place for name, clauses in self.heads.items()}
        check_cycles(edges, self.predicates.arities, self.report)
        chosen = root_of(edges, places, root, self.report)
        if chosen is None:
            return []
        check_reached(edges, places, chosen, self.report)
        return children_first(edges, chosen)


def uses_in(formula: Formula) -> Iterator[Use]:
    """The atoms of a formula, in the order of the text."""
    match formula:
        case Use():
            yield formula
        case Compare():
            pass
        case Not(child):
            yield from uses_in(child)
        case And(children) | Or(children):
            for child in children:
                yield from uses_in(child)
