"""What a request names: entities and relations of the run, by name or by number."""

from rulewright.completion.model import CompletionModel
from rulewright.errors import InputError


def entity_asked(model: CompletionModel, role: str, name: str, number: int | None) -> int:
    """The entity that a parameter and its numbered form name."""
    if number is not None:
        return within(number, len(model.entities), "entity")
    if not name:
        raise InputError(f"say which {role} is meant")
    return model.entity_id(name)


def relation_asked(model: CompletionModel, name: str, number: int | None) -> int:
    """The directed relation that a parameter and its numbered form name."""
    if number is not None:
        return within(number, 2 * len(model.relations), "relation")
    if not name:
        raise InputError("say which relation is meant")
    return model.relation_id(name)


def within(number: int, size: int, what: str) -> int:
    """A number that the run has."""
    if not 0 <= number < size:
        raise InputError(f"there is no {what} number {number}; this run counts from 0 to {size - 1}")
    return number
