"""One rule: what it says, its figures, and the facts of the run for which it holds."""

from rulewright.completion.groundings import Holding, Place, groundings
from rulewright.errors import InputError
from rulewright.paths.graph import relation_name
from rulewright.web.links import explanation_link, relation_link, rule_link
from rulewright.web.relation import KIND_WORDS, row_of, rule_row
from rulewright.web.run import GraphRun
from rulewright.web.wording import Data, atom_data, entity_data

FILTERS = {"": None, "known": True, "new": False}


def rule_page(run: GraphRun, directed: int, key: str, only: str = "", head: int = 0, answer: int = 0) -> Data:
    """A rule, and a page of pairs for which its body holds."""
    if only not in FILTERS:
        raise InputError("only=known keeps pairs that are facts already, only=new those that are not")
    if head < 0 or answer < 0:
        raise InputError("a page of groundings begins at 0 or later")
    model, table = run.model, run.table(directed)
    row = row_of(table, key)
    found = groundings(model, table, row, Place(head, answer), known=FILTERS[only])
    shown = rule_row(run, table, row)
    following = found.following
    name = relation_name(directed, model.relations.names)
    return {
        "page": "rule",
        "title": shown["rule"]["text"],
        "relation": {"name": name, "href": relation_link(model, directed)},
        **shown,
        "words": KIND_WORDS[shown["kind"]],
        "negated": found.negated,
        "only": only,
        "filters": [
            {"name": name, "href": rule_link(model, directed, key, {"only": choice})}
            for choice, name in (("", "all"), ("known", "facts already"), ("new", "not among the facts"))
        ],
        "first": head == 0 and answer == 0,
        "start": rule_link(model, directed, key, {"only": only}),
        "next": ""
        if following is None
        else rule_link(
            model, directed, key, {"only": only, "head": str(following.head), "answer": str(following.answer)}
        ),
        "groundings": [holding_data(run, directed, holding) for holding in found.holdings],
    }


def holding_data(run: GraphRun, directed: int, holding: Holding) -> Data:
    """A pair with its facts, and the way to its explanation."""
    model = run.model
    head = holding.head
    return {
        "head": None if head is None else entity_data(model, head),
        "answer": entity_data(model, holding.answer),
        "known": holding.known,
        "facts": [atom_data(fact, model) for fact in holding.facts],
        "href": "" if head is None else explanation_link(model, head, directed, holding.answer),
    }
