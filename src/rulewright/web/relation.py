"""The rules of one directed relation: searched, sorted, page by page, and as points in a plot."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.rule_table import SOURCES, RuleTable
from rulewright.completion.rules import KINDS, rule_at
from rulewright.errors import InputError
from rulewright.paths.graph import relation_name
from rulewright.web.links import Parameters, ask_link, relation, relation_link, rule_link, template_link
from rulewright.web.plot import scatter
from rulewright.web.run import GraphRun
from rulewright.web.wording import Data, rule_data

PAGE = 25
PLOTTED = 150
KIND_WORDS = {
    "path": "a walk along facts",
    "direct": "another relation between the two, or that there is none",
    "answer": "what the answer takes part in, or does not",
    "constant": "one fact about one of the two",
    "frequency": "what has been an answer before",
}
SORTS: dict[str, Callable[[RuleTable], NDArray[Any]]] = {
    "use": lambda table: table.by_use(),
    "weight": lambda table: largest_first(np.abs(table.weight)),
    "support": lambda table: largest_first(table.support),
    "confidence": lambda table: largest_first(table.confidence),
}


@dataclass(frozen=True)
class View:
    """Which of the rules to show: those with all words in them, of one kind, in what order, which page."""

    words: str = ""
    kind: str = ""
    sort: str = "use"
    page: int = 1

    def __post_init__(self) -> None:
        if self.sort not in SORTS:
            raise InputError(f"rules cannot be sorted by {self.sort}: choose one of {', '.join(SORTS)}")
        if self.kind and self.kind not in KIND_WORDS:
            raise InputError(f"there is no kind of rule {self.kind}: choose one of {', '.join(KIND_WORDS)}")

    def parameters(self, **changes: str) -> Parameters:
        """The view as parameters of an address; what is as usual is left out."""
        given = {"q": self.words, "kind": self.kind, "sort": "" if self.sort == "use" else self.sort}
        return given | changes


def largest_first(values: NDArray[Any]) -> NDArray[np.int64]:
    """Places by value; unknown values come last."""
    known: NDArray[np.float64] = np.where(np.isnan(values), -np.inf, values)
    return np.argsort(-known, kind="stable")


def relation_page(run: GraphRun, directed: int, view: View) -> Data:
    """One page of rules."""
    model = run.model
    table = run.table(directed)
    order = SORTS[view.sort](table)
    order = order[matching(run, table, view)[order]]
    pages = max(1, -(-len(order) // PAGE))
    if not 1 <= view.page <= pages:
        raise InputError(f"there is no page {view.page}: the rules fill {pages}")
    shown = order[(view.page - 1) * PAGE : view.page * PAGE].tolist()
    name, other = (relation_name(way, model.relations.names) for way in (directed, directed ^ 1))

    def page_link(number: int) -> str:
        return relation_link(model, directed, view.parameters(page="" if number == 1 else str(number)))

    return {
        "page": "relation",
        "title": name,
        "relation": name,
        "parameters": relation(model, directed),
        "inverse": bool(directed & 1),
        "other": {"name": other, "href": relation_link(model, directed ^ 1)},
        "facts": len(model.graph.pairs(directed)),
        "sampled": model.mixture(directed).sampled,
        "words": view.words,
        "kind": view.kind,
        "kinds": [{"name": kind, "words": words} for kind, words in KIND_WORDS.items()],
        "sort": view.sort,
        "sorts": [{"name": sort, "href": relation_link(model, directed, view.parameters(sort=sort))} for sort in SORTS],
        "clear": relation_link(model, directed),
        "total": len(table),
        "matched": len(order),
        "number": view.page,
        "pages": pages,
        "previous": page_link(view.page - 1) if view.page > 1 else "",
        "next": page_link(view.page + 1) if view.page < pages else "",
        "rules": [rule_row(run, table, row) for row in shown],
        "plot": plotted(run, table, order),
        "ask": ask_link(model, None, directed),
        "tree": template_link(model, directed),
    }


def matching(run: GraphRun, table: RuleTable, view: View) -> NDArray[np.bool_]:
    """Which rules hold every word somewhere in a name, and are of the kind."""
    found = np.ones(len(table), bool)
    if view.kind:
        found &= np.array([kind == view.kind for kind in KINDS])[table.source]
    for word in view.words.split():
        relations = np.append(run.relations.holding(word), False)  # -1, no relation, reads the last
        entities = np.append(run.entities.holding(word), False)
        found &= relations[table.relations].any(axis=1) | entities[table.entities].any(axis=1)
    return found


def rule_row(run: GraphRun, table: RuleTable, row: int) -> Data:
    """A rule with its figures and a link."""
    model, rule = run.model, rule_at(run.model, table, row)
    return {
        "rule": rule_data(rule.rule, model),
        "key": rule_key(table, row),
        "weight": rule.weight,
        "kind": rule.kind,
        "support": rule.support,
        "coverage": rule.coverage,
        "confidence": rule.confidence,
        "href": rule_link(model, table.relation, rule_key(table, row)),
    }


def rule_key(table: RuleTable, row: int) -> str:
    """What names a rule within its relation: where it comes from, and its place there."""
    return f"{SOURCES[int(table.source[row])].replace(' ', '-')}.{int(table.place[row])}"


def row_of(table: RuleTable, key: str) -> int:
    """The row of a rule by its key."""
    source, _, place = key.partition(".")
    names = [name.replace(" ", "-") for name in SOURCES]
    if source in names and place.isascii() and place.isdigit() and len(place) < 12:
        found = np.flatnonzero((table.source == names.index(source)) & (table.place == int(place)))
        if len(found):
            return int(found[0])
    raise InputError(f"this relation has no rule {key}")


def plotted(run: GraphRun, table: RuleTable, order: NDArray[np.int64]) -> Data | None:
    """Weight against confidence of the rules found; the first of them where they are many."""
    known = order[~np.isnan(table.confidence[order])]
    shown = known[:PLOTTED]
    if not len(shown):
        return None
    points = []
    for row in shown.tolist():
        rule = rule_at(run.model, table, row)
        title = f"{rule.rule} weight {rule.weight:.3f}, confidence {rule.confidence or 0:.1%}"
        href = rule_link(run.model, table.relation, rule_key(table, row))
        points.append((rule.confidence or 0.0, rule.weight, href, title))
    return scatter(points) | {"shown": len(shown), "known": len(known)}
