"""What a template means, by trying every assignment of constants to variables; slow, and nothing to be clever about.

Of the package only the bound template is read. A formula has a value at an assignment of all its variables, or none
when it cannot arise there:

    atom        the truth of that fact of its node, none where the node has no such fact
    F, G        the conjunction of both, none where one has none or a comparison fails
    F ; G       the disjunction, where one without a value counts 0; none where no one has a value
    not F       1 - F, where F without a value counts 0. In a conjunction whose other parts bind all its variables that
                is all there is to it; anywhere else, or where `over` stands, it has no value outside its universe

A head fact has the best value over all assignments that agree with it (the paper's maxout).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from rulewright.logic.terms import Variable
from rulewright.template.bound import BoundLeaf, BoundRule, BoundTemplate
from rulewright.template.syntax import And, Compare, Formula, Not, Or, Use

Fact = tuple[str, ...]
Table = Mapping[Fact, float]
Assignment = dict[Variable, str]
Function = Callable[[Sequence[float]], float]
Site = tuple[str, tuple[int, ...]]  # the node, and the way from its body down to a connective


def sites(template: BoundTemplate) -> list[Site]:
    """Where the operators are: one at each leaf, disjunction, and conjunction of two or more things that have truth."""
    found: list[Site] = []

    def visit(formula: Formula, node: str, path: tuple[int, ...]) -> None:
        for number, child in enumerate(parts(formula)):
            visit(child, node, (*path, number))
        alone = isinstance(formula, And) and len([c for c in formula.children if not isinstance(c, Compare)]) < 2
        if isinstance(formula, And | Or) and not alone:
            found.append((node, path))

    for node in template.nodes:
        if isinstance(node, BoundLeaf):
            found.append((node.name, ()))
        else:
            visit(node.body, node.name, ())
    return found


class Oracle:
    """The facts and truths of every node of a template over `facts` (predicate -> fact -> truth).

    `functions` are the operators at the template's `sites`; without them, only which facts there are has a meaning.
    """

    def __init__(
        self, template: BoundTemplate, facts: Mapping[str, Table], functions: Sequence[Function] | None = None
    ) -> None:
        self.nodes = {node.name: node for node in template.nodes}
        self.root = template.root.name
        self.given = facts
        places = sites(template)
        self.functions = dict(zip(places, functions or [max] * len(places), strict=True))
        self.known: dict[str, Table] = {}
        self.columns_of: dict[Site, dict[Variable, set[str]]] = {}

    @cached_property
    def constants(self) -> list[str]:
        return sorted({constant for table in self.given.values() for fact in table for constant in fact})

    def heads(self) -> Table:
        """The head facts that can arise, with their truths."""
        return self.table(self.root)

    def table(self, name: str) -> Table:
        if name not in self.known:
            node = self.nodes[name]
            self.known[name] = self.leaf(node) if isinstance(node, BoundLeaf) else self.rule(node)
        return self.known[name]

    def predicate(self, name: str) -> Table:
        if name in self.given or not name.endswith("^-1"):
            return self.given[name]
        return {fact[::-1]: truth for fact, truth in self.given[name.removesuffix("^-1")].items()}

    def leaf(self, leaf: BoundLeaf) -> Table:
        tables = [self.predicate(member.predicate) for member in leaf.members]
        if leaf.universe:
            universe = {fact for name in leaf.universe for fact in self.predicate(name)}
        else:
            universe = set(product(*({fact[at] for table in tables for fact in table} for at in range(leaf.arity))))
        members = [
            {fact: 1 - table.get(fact, 0) for fact in universe} if member.negated else table
            for member, table in zip(leaf.members, tables, strict=True)
        ]
        function = self.functions[leaf.name, ()]
        return {fact: function([m.get(fact, 0) for m in members]) for fact in set().union(*members)}

    def rule(self, rule: BoundRule) -> Table:
        best: dict[Fact, float] = {}
        for assignment in self.assignments(variables(rule.body)):
            value = self.value(rule.body, assignment, (rule.name, ()))
            if value is not None:
                head = tuple(assignment[variable] for variable in rule.head)
                best[head] = max(value, best.get(head, value))
        return best

    def assignments(self, names: Sequence[Variable]) -> Iterator[Assignment]:
        for values in product(self.constants, repeat=len(names)):
            yield dict(zip(names, values, strict=True))

    def value(self, formula: Formula, assignment: Assignment, site: Site) -> float | None:
        match formula:
            case Use(atom):
                return self.table(atom.predicate).get(tuple(assignment.get(t, t) for t in map(plain, atom.terms)))
            case Not(child):
                if not self.in_universe(formula, assignment, site):
                    return None
                return 1 - (self.value(child, assignment, below(site, 0)) or 0)
            case Or(children):
                values = [self.value(child, assignment, below(site, at)) for at, child in enumerate(children)]
                return None if values == [None] * len(values) else self.functions[site]([v or 0 for v in values])
            case And(children):
                return self.conjunction(children, assignment, site)
        raise AssertionError(f"{formula} has no value of its own")

    def conjunction(self, children: Sequence[Formula], assignment: Assignment, site: Site) -> float | None:
        bound = {v for child in children if not isinstance(child, Not | Compare) for v in variables(child)}
        positives: list[float | None] = []
        negatives: list[float | None] = []
        for at, child in enumerate(children):
            if isinstance(child, Compare):
                if not satisfied(child, assignment):
                    return None
            elif isinstance(child, Not) and not child.universe and bound.issuperset(variables(child)):
                negatives.append(1 - (self.value(child.child, assignment, below(below(site, at), 0)) or 0))
            else:
                positives.append(self.value(child, assignment, below(site, at)))
        inputs = [value for value in positives + negatives if value is not None]
        if len(inputs) < len(positives) + len(negatives):
            return None
        return self.functions[site](inputs) if len(inputs) > 1 else inputs[0]

    def in_universe(self, negation: Not, assignment: Assignment, site: Site) -> bool:
        names = variables(negation.child)
        if negation.universe:
            fact = tuple(assignment[variable] for variable in names)
            return any(fact in self.predicate(pattern.name) for pattern in negation.universe)
        if site not in self.columns_of:
            self.columns_of[site] = self.columns(negation.child, below(site, 0))
        return all(assignment[variable] in self.columns_of[site][variable] for variable in names)

    def columns(self, formula: Formula, site: Site) -> dict[Variable, set[str]]:
        """The inferred universe: for each variable what stands at its positions, whatever stands at the others.

        At a leaf that counts in the facts of the predicates themselves, elsewhere in the facts that can arise.
        """
        found: dict[Variable, set[str]] = {variable: set() for variable in variables(formula)}
        if isinstance(formula, Use):
            node = self.nodes[formula.atom.predicate]
            names = [m.predicate for m in node.members] if isinstance(node, BoundLeaf) else []
            tables = [self.predicate(name) for name in names] or [self.table(node.name)]
            for at, term in enumerate(formula.atom.terms):
                if isinstance(term, Variable):
                    found[term] |= {fact[at] for table in tables for fact in table}
        else:
            for assignment in self.assignments(list(found)):
                if self.value(formula, assignment, site) is not None:
                    for variable in found:
                        found[variable].add(assignment[variable])
        return found


def parts(formula: Formula) -> tuple[Formula, ...]:
    match formula:
        case Not(child):
            return (child,)
        case And(children) | Or(children):
            return children
    return ()


def uses(formula: Formula) -> set[str]:
    """The names in the formula's atoms."""
    if isinstance(formula, Use):
        return {formula.atom.predicate}
    return {name for part in parts(formula) for name in uses(part)}


def below(site: Site, number: int) -> Site:
    return site[0], (*site[1], number)


def plain(term: object) -> object:
    """A variable as it is, a constant as its name."""
    return term if isinstance(term, Variable) else term.name


def variables(formula: Formula) -> list[Variable]:
    """In order of first use."""
    match formula:
        case Use(atom):
            terms = atom.terms
        case Compare(left, _, right):
            terms = (left, right)
        case _:
            terms = tuple(variable for part in parts(formula) for variable in variables(part))
    return list(dict.fromkeys(term for term in terms if isinstance(term, Variable)))


def satisfied(compare: Compare, assignment: Assignment) -> bool:
    left, right = (assignment.get(term, term) for term in map(plain, (compare.left, compare.right)))
    if compare.operator in ("=", "!="):
        return (left == right) == (compare.operator == "=")
    low, high = rank(left), rank(right)
    return {"<": low < high, "<=": low <= high, ">": low > high, ">=": low >= high}[compare.operator]


def rank(name: str) -> tuple[int, float, str]:
    """Numbers by value, then words by spelling."""
    return (0, float(name), "") if re.fullmatch(r"-?\d+(\.\d+)?", name) else (1, 0.0, name)


def clipped(value: float) -> float:
    return max(0.0, min(1.0, value))


def lnn_and(bias: float, weights: Sequence[float]) -> Function:
    return lambda truths: clipped(bias - sum(w * (1 - t) for w, t in zip(weights, truths, strict=True)))


def lnn_or(bias: float, weights: Sequence[float]) -> Function:
    """Also LNN-pred, which has the same formula and other constraints."""
    return lambda truths: 1 - clipped(bias - sum(w * t for w, t in zip(weights, truths, strict=True)))


def attention(weights: Sequence[float]) -> Function:
    return lambda truths: sum(w * t for w, t in zip(weights, truths, strict=True))


def product_and(truths: Sequence[float]) -> float:
    return prod(truths)


def product_or(truths: Sequence[float]) -> float:
    return 1 - prod(1 - truth for truth in truths)


def lukasiewicz_and(truths: Sequence[float]) -> float:
    return max(0.0, sum(truths) - (len(truths) - 1))


def lukasiewicz_or(truths: Sequence[float]) -> float:
    return min(1.0, sum(truths))
