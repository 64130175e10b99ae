"""Which node uses which: cycles, the root, what it does not reach, and the order in which nodes can be built."""

from collections.abc import Iterator, Mapping

from rulewright.errors import nearest
from rulewright.logic.terms import predicate_text
from rulewright.template.predicates import Report
from rulewright.template.syntax import NOWHERE, Place

Edges = Mapping[str, Mapping[str, Place]]
"""For every clause head the names that its bodies use, and where each is used first."""


def check_cycles(edges: Edges, facts: Mapping[str, int], report: Report) -> None:
    """Report every cycle; `facts` are the knowledge base's predicates, whose names a head may have taken over."""
    for path in cycles(edges):
        shadowed = next((name for name in path if name in facts), None)
        hint = (
            f"; here {predicate_text(shadowed)} means the clause, not the facts: rename the head, or reach the facts "
            f"through a domain, e.g. P in {{{predicate_text(shadowed)}}}."
            if shadowed is not None
            else "; rules cannot be recursive"
        )
        shown = " -> ".join(map(predicate_text, [*path, path[0]]))
        report(f"{predicate_text(path[0])} depends on itself: {shown}{hint}", edges[path[-1]][path[0]])


def root_of(edges: Edges, places: Mapping[str, Place], wanted: str | None, report: Report) -> str | None:
    """The head whose facts are labelled: the one asked for, or the only one that no other clause uses."""
    if wanted is not None:
        if wanted not in edges:
            report(f"the root {predicate_text(wanted)} is no clause head{nearest(wanted, list(edges))}", NOWHERE)
            return None
        return wanted
    used = {child for head, children in edges.items() for child in children if child != head}
    candidates = [head for head in edges if head not in used]
    if len(candidates) > 1:
        listed = " and ".join(map(predicate_text, candidates))
        why = f"{listed} are heads that no clause uses, so each could be the root"
        report(f"{why}; name one (root={candidates[0]!r}) or leave the others out", places[candidates[1]])
    return candidates[0] if len(candidates) == 1 else None


def check_reached(edges: Edges, places: Mapping[str, Place], root: str, report: Report) -> None:
    """Report every clause that plays no part in the root."""
    reached = set(children_first(edges, root))
    for head in edges:
        if head not in reached:
            why = "directly or through other clauses; link it or leave it out"
            report(f"{predicate_text(head)} is not used by the root {predicate_text(root)}, {why}", places[head])


def cycles(edges: Edges) -> Iterator[list[str]]:
    """The cycles that a depth-first walk closes, each as the names along it.

    The walk keeps its own stack, here and below, because a template may chain more clauses than Python can recurse.
    """
    done: set[str] = set()
    for start in edges:
        path = {start: iter(edges[start])} if start not in done else {}
        while path:
            name, children = next(reversed(path.items()))
            child = next(children, None)
            if child is None:
                done.add(name)
                del path[name]
            elif child in path:
                names = list(path)
                yield names[names.index(child) :]
            elif child in edges and child not in done:
                path[child] = iter(edges[child])


def children_first(edges: Edges, root: str) -> list[str]:
    """Everything that the root uses, each after what it uses itself; the root comes last."""
    order: dict[str, None] = {}
    path = {root: iter(edges[root])}
    while path:
        name, children = next(reversed(path.items()))
        child = next(children, None)
        if child is None:
            order[name] = None
            del path[name]
        elif child not in order and child not in path:
            path[child] = iter(edges.get(child, ()))
    return list(order)
