"""Rules and atoms as plain data: what is written, and where each name leads."""

from typing import Any

from rulewright.completion.model import CompletionModel
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Constant, Term
from rulewright.web.links import ask_link, relation_link

Data = dict[str, Any]


def rule_data(rule: Rule, model: CompletionModel | None = None) -> Data:
    """A rule; with a model its names lead to their pages."""
    body = [part_data(part, model) for part in rule.body]
    return {"text": str(rule), "head": atom_data(rule.head, model), "body": body}


def part_data(part: Literal | Comparison, model: CompletionModel | None) -> Data:
    """One part of a body."""
    if isinstance(part, Comparison):
        return {"comparison": str(part), "negated": False}
    return atom_data(part.atom, model) | {"negated": part.negated}


def atom_data(atom: Atom, model: CompletionModel | None = None) -> Data:
    """An atom."""
    number = None if model is None else model.relations.id(atom.predicate)
    href = "" if model is None or number is None else relation_link(model, 2 * number)
    terms = [term_data(term, model) for term in atom.terms]
    return {"predicate": atom.predicate, "href": href, "terms": terms, "text": str(atom)}


def term_data(term: Term, model: CompletionModel | None = None) -> Data:
    """A variable, or a constant with a link to what can be asked of it."""
    if not isinstance(term, Constant):
        return {"name": term.name, "variable": True, "href": ""}
    return {"name": term.name, "variable": False, "href": constant_href(term.name, model)}


def constant_href(name: str, model: CompletionModel | None) -> str:
    """Where an entity's name leads: to a question about it."""
    number = None if model is None else model.entities.id(name)
    return "" if model is None or number is None else ask_link(model, number)


def entity_data(model: CompletionModel, number: int) -> Data:
    """An entity of the graph."""
    name = model.entities.names[number]
    return {"name": name, "number": number, "href": ask_link(model, number)}
