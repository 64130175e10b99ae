"""A model's rules as other tools take them: with figures counted on the graph, as programs, as JSON without loss."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.counting import count_predictions
from rulewright.completion.model import CompletionModel
from rulewright.completion.placing import constant_rule, path_rule, path_table
from rulewright.completion.rules import ANSWER, QUERY, WeightedRule, rules_of
from rulewright.completion.saving import (
    CONSTANTS,
    TABLES,
    mixtures_from_arrays,
    mixtures_to_arrays,
    settings_from,
    within,
)
from rulewright.errors import RunFolderError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.splits import Dataset
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.node import Node
from rulewright.logic.program import LearnedRule, Program
from rulewright.logic.rated import RatedRule
from rulewright.logic.rule import Comparison, Literal
from rulewright.logic.terms import Atom
from rulewright.paths.graph import relation_name
from rulewright.rules.store import rule_to_json

FORMAT = 1
CRISP_KINDS = ("path", "direct", "constant")  # whose truth is 0 or 1 where walks do not count


def rated_rules(model: CompletionModel, relation: int, top: int | None = None) -> list[RatedRule]:
    """The rules of a directed relation with what they predict on the model's graph.

    Of a path that starts at many entities the predictions from an even sample of these are counted.
    """
    found = rules_of(model, relation, top)
    counts = [*counted_paths(model, found), *counted_constants(model, found)]
    figures = {id(rule): figure for rule, *figure in counts}
    rated = []
    for rule in found:
        predicted, correct = figures.get(id(rule), (None, rule.support))
        confidence = None if predicted is None or correct is None else correct / max(predicted, 1)
        rated.append(RatedRule(rule.rule, rule.weight, predicted, correct, confidence))
    return rated


def counted_paths(model: CompletionModel, rules: Iterable[WeightedRule]) -> list[tuple[WeightedRule, int, int]]:
    """The rules that are paths, with how many answers they predict and how many of these are facts."""
    placed: dict[tuple[int, tuple[int, ...]], list[WeightedRule]] = {}
    for rule in rules:
        if rule.kind == "path" or (rule.kind == "direct" and not is_negated(rule)):
            placed.setdefault(path_rule(rule.rule, model.relations), []).append(rule)
    found = []
    for relation in {relation for relation, _ in placed}:
        own = [path for other, path in placed if other == relation]
        paths = path_table(own, max(map(len, own)))
        for path, *figures in zip(paths.tolist(), *count_predictions(model.graph, relation, paths), strict=True):
            steps = tuple(step for step in path if step >= 0)
            found += [(rule, int(figures[0]), int(figures[1])) for rule in placed[relation, steps]]
    return found


def counted_constants(model: CompletionModel, rules: Iterable[WeightedRule]) -> list[tuple[WeightedRule, int, int]]:
    """The rules with constants, with how many answers they predict and how many of these are facts."""
    found = []
    graph = model.graph
    for rule in rules:
        if rule.kind == "constant":
            relation, fact, answer = constant_rule(rule.rule, model.entities, model.relations)
            side, entity = divmod(fact, graph.entities)
            subjects = graph.tails_of(entity, side ^ 1)
            correct = np.intersect1d(subjects, graph.tails_of(answer, relation ^ 1), assume_unique=True)
            found.append((rule, len(subjects), len(correct)))
    return found


def is_negated(rule: WeightedRule) -> bool:
    """Whether the body is a negated literal."""
    return any(isinstance(part, Literal) and part.negated for part in rule.rule.body)


def knowledge_base(model: CompletionModel) -> KnowledgeBase:
    """The facts that the rules read."""
    none = np.empty((0, 3), np.int64)
    return Dataset(
        model.name, model.entities, model.relations, model.triples, model.triples, none, none
    ).knowledge_base()


def weighted_rules(model: CompletionModel, relations: Iterable[int], top: int | None) -> dict[str, list[RatedRule]]:
    """The rules by the name of their directed relation, each saying that a walk does not come back to the query."""
    names = model.relations.names
    return {
        relation_name(relation, names): [
            RatedRule(without_return(rule), rule.weight, None, rule.support) for rule in rules_of(model, relation, top)
        ]
        for relation in relations
    }


def without_return(rule: WeightedRule) -> Any:
    """The rule of a path with the conditions that walking observes: no later entity is the query's."""
    if rule.kind != "path":
        return rule.rule
    others = [variable for variable in rule.rule.variables if variable != QUERY]
    return replace(rule.rule, body=(*rule.rule.body, *(Comparison(QUERY, "!=", other) for other in others)))


def is_crisp(model: CompletionModel, relations: Iterable[int]) -> bool:
    """Whether a sum of weights over the rules that hold is the model's score: no truth lies between 0 and 1."""
    settings = model.settings
    rules = [rule for relation in relations for rule in rules_of(model, relation)]
    return (
        settings.sharpness == 0
        and settings.most >= len(model.entities)
        and all(rule.kind in CRISP_KINDS and not is_negated(rule) for rule in rules)
    )


def programs(model: CompletionModel, relations: Iterable[int], top: int | None) -> tuple[list[Program], int]:
    """The rules of each relation as a program that derives every answer some rule speaks for.

    Rules with a negation are left out, since they speak for what nothing leads to; how many is told.
    """
    rules: dict[int, list[LearnedRule]] = {}
    left_out = 0
    for relation in relations:
        for rule in rules_of(model, relation, top):
            if is_negated(rule):
                left_out += 1
            else:
                learned = LearnedRule(without_return(rule), rule.weight, rule.support)
                rules.setdefault(relation >> 1, []).append(learned)
    names = model.relations.names
    return [
        Program(Atom(names[relation], (QUERY, ANSWER)), tuple(found), Node("pred", names[relation]))
        for relation, found in rules.items()
    ], left_out


def model_to_json(
    model: CompletionModel, relations: Iterable[int] | None = None, top: int | None = None, with_facts: bool = False
) -> Any:
    """The model as plain data. With all relations, all rules and the facts nothing is lost.

    `rules` are there to be read; `mixtures` hold the tables themselves, with ids into `entities` and `relations`.
    """
    wanted = list(model.mixtures if relations is None else relations)
    rules = [(relation, rated) for relation in wanted for rated in rated_rules(model, relation, top)]
    names = model.relations.names
    chosen = {relation: model.mixture(relation) for relation in wanted}
    return {
        "format": FORMAT,
        "kind": "completion",
        "name": model.name,
        "settings": asdict(model.settings),
        "relations": names,
        "entities": model.entities.names,
        "rules": [
            {
                "text": str(rated.rule),
                "of": relation_name(relation, names),
                "rule": rule_to_json(rated.rule),
                "weight": rated.weight,
                "predicted": rated.predicted,
                "correct": rated.correct,
                "confidence": rated.confidence,
            }
            for relation, rated in rules
        ],
        "mixtures": {name: array.tolist() for name, array in mixtures_to_arrays(chosen).items()} if top is None else {},
        "widths": {str(relation): mixture.paths.shape[1] for relation, mixture in chosen.items()},
        "loss": {str(relation): mixture.loss for relation, mixture in chosen.items()},
        "facts": model.triples.tolist() if with_facts else None,
    }


def model_from_json(data: Mapping[str, Any]) -> CompletionModel:
    """The model behind `model_to_json`; without facts in it, one that reads an empty graph."""
    try:
        if int(data["format"]) > FORMAT or data["kind"] != "completion":
            raise RunFolderError("this is no model of a knowledge graph that this version can read")
        entities, relations = Vocabulary(map(str, data["entities"])), Vocabulary(map(str, data["relations"]))
        triples = np.array(data["facts"] or [], np.int64).reshape(-1, 3)
        within(triples[:, ::2], len(entities), "facts")
        within(triples[:, 1], len(relations), "facts")
        arrays = {name: array_of(name, rows, data["widths"]) for name, rows in data["mixtures"].items()}
        mixtures = mixtures_from_arrays(arrays, data["loss"], len(entities), 2 * len(relations))
        settings = settings_from(data["settings"])
    except (LookupError, TypeError, AttributeError, OverflowError, ValueError) as cause:
        raise RunFolderError(f"this is not a model that Rulewright wrote: {cause}") from cause
    return CompletionModel(str(data["name"]), entities, relations, triples, mixtures, settings)


def array_of(name: str, rows: Any, widths: Mapping[str, int]) -> NDArray[Any]:
    """A table of a mixture with the type it has there."""
    relation, *parts = name.split(".")
    if parts == ["sampled"]:
        return np.array(rows, np.int64)
    kind = CONSTANTS[parts[1]][0] if parts[0] == "constants" else TABLES[parts[0]][0]
    table = np.array(rows, kind)
    return table.reshape(-1, int(widths[relation])) if parts == ["paths"] else table
