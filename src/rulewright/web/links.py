"""Every address of the explorer is written here, so that a link can be shared and no name is quoted in two ways.

Names from data travel as query parameters. A name too long for an address, or one that two relations could be meant by,
travels as its number in the run.
"""

from functools import lru_cache
from urllib.parse import quote

from rulewright.completion.model import CompletionModel
from rulewright.paths.graph import relation_name

LONGEST_NAME = 500  # characters that are written out in an address
NUMBER = "_id"  # behind a parameter that holds a number in place of a name

Parameters = dict[str, str]


def link(page: str, parameters: Parameters | None = None) -> str:
    """The address of a page; parameters without a value are left out."""
    given = {name: value for name, value in (parameters or {}).items() if value}
    written = "&".join(f"{name}={quoted(value)}" for name, value in given.items())
    return f"/{page}?{written}" if written else f"/{page}"


@lru_cache(4096)  # a page links to one relation a hundred times
def quoted(value: str) -> str:
    """A value in which nothing means anything to an address."""
    return quote(value, safe="")


def twin(address: str) -> str:
    """The address of the same page as JSON."""
    page, mark, parameters = address.partition("?")
    return f"{'/overview' if page == '/' else page}.json{mark}{parameters}"


def entity(model: CompletionModel, role: str, number: int) -> Parameters:
    """A parameter that names an entity."""
    name = model.entities.names[number]
    return {role: name} if 0 < len(name) <= LONGEST_NAME else {role + NUMBER: str(number)}


def relation(model: CompletionModel, directed: int) -> Parameters:
    """A parameter that names a directed relation."""
    name = relation_name(directed, model.relations.names)
    plain = 0 < len(name) <= LONGEST_NAME and model.relation_id(name) == directed
    return {"relation": name} if plain else {"relation" + NUMBER: str(directed)}


def relation_link(model: CompletionModel, directed: int, view: Parameters | None = None) -> str:
    """The rules of a directed relation."""
    return link("relation", relation(model, directed) | (view or {}))


def rule_link(model: CompletionModel, directed: int, rule: str, view: Parameters | None = None) -> str:
    """One rule of a directed relation, with its groundings."""
    return link("rule", relation(model, directed) | {"rule": rule} | (view or {}))


def template_link(model: CompletionModel, directed: int) -> str:
    """The mixture of a directed relation as a tree."""
    return link("template", relation(model, directed))


def ask_link(model: CompletionModel, head: int | None = None, directed: int | None = None, **view: str) -> str:
    """A query, or as much of it as is known."""
    parameters = {} if head is None else entity(model, "head", head)
    parameters |= {} if directed is None else relation(model, directed)
    return link("ask", parameters | view)


def explanation_link(model: CompletionModel, head: int, directed: int, tail: int, page: str = "explanation") -> str:
    """Why a tail is an answer."""
    return link(page, entity(model, "head", head) | relation(model, directed) | entity(model, "tail", tail))
