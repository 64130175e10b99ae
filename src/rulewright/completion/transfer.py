"""applied_to(model, dataset): a model's rules over another graph, whose entities it has never seen.

Rules hold no parameter of any entity but their constants. Relations are matched by name; one that the other graph lacks
has no facts there, and one that the model does not know is left aside. A rule with a constant goes along where the
other graph has an entity of that name.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.constants import ConstantRules, by_fact
from rulewright.completion.model import CompletionModel
from rulewright.errors import DatasetError
from rulewright.kb.datasets import load_dataset
from rulewright.kb.reading import read_facts
from rulewright.kb.splits import Dataset, coded
from rulewright.kb.text_file import readable
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.markup import Shown


@dataclass(frozen=True, eq=False)
class Transfer(Shown):
    """The rules over another graph, that graph under the model's relations, and what did not go along.

    missing  relations of the model that the graph lacks
    unknown  relations of the graph that the model lacks
    dropped  rules with constants whose constants the graph lacks
    """

    model: CompletionModel
    dataset: Dataset
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    dropped: int

    def __str__(self) -> str:
        notes = []
        if self.missing:
            notes.append(f"{len(self.missing):,} relations of the rules have no facts here")
        if self.unknown:
            notes.append(f"{len(self.unknown):,} relations are left aside, since no rule knows them")
        if self.dropped:
            notes.append(f"{self.dropped:,} rules with constants are dropped, since these do not occur here")
        return "; ".join(notes) or "all relations and all rules go along"


def applied_to(model: CompletionModel, dataset: Dataset) -> Transfer:
    """The model's rules over a data set's graph."""
    ids = [model.relations.id(name) for name in dataset.relations.names]
    places = np.array([-1 if found is None else found for found in ids], np.int64)
    if not (places >= 0).any():
        raise DatasetError(f"{dataset.name} shares no relation with {model.name}, so no rule says anything about it")
    there = recoded(dataset, model.relations, places)
    entity = np.array([-1 if (found := dataset.entities.id(name)) is None else found for name in model.entities.names])
    moved = {
        relation: replace(mixture, constants=moved_constants(mixture.constants, entity, len(dataset.entities)))
        for relation, mixture in model.mixtures.items()
    }
    dropped = sum(
        len(mixture.constants) - len(moved[relation].constants) for relation, mixture in model.mixtures.items()
    )
    elsewhere = CompletionModel(dataset.name, dataset.entities, model.relations, there.graph, moved, model.settings)
    missing = tuple(name for name in model.relations.names if name not in dataset.relations)
    unknown = tuple(name for name in dataset.relations.names if name not in model.relations)
    return Transfer(elsewhere, there, missing, unknown, dropped)


def recoded(dataset: Dataset, relations: Vocabulary, places: NDArray[np.int64]) -> Dataset:
    """The data set with the model's relation ids, without the triples of other relations."""

    def part(triples: NDArray[np.int64]) -> NDArray[np.int64]:
        found = triples.copy()
        found[:, 1] = places[triples[:, 1]]
        return found[found[:, 1] >= 0]

    train = part(dataset.train)
    graph = train if dataset.graph is dataset.train else part(dataset.graph)
    return replace(
        dataset, relations=relations, graph=graph, train=train, valid=part(dataset.valid), test=part(dataset.test)
    )


def moved_constants(rules: ConstantRules, entity: NDArray[np.int64], entities: int) -> ConstantRules:
    """Rules with constants under the ids of other entities; `entity` is -1 for one that is not there."""
    answers = entity[rules.answers]
    kept = np.flatnonzero(answers >= 0)
    order = kept[np.argsort(answers[kept])]
    place = np.full(len(answers), -1, np.int32)
    place[order] = np.arange(len(order))
    fact = np.repeat(rules.facts, np.diff(rules.starts))
    side, constant = np.divmod(fact, max(len(entity), 1))
    constant = entity[constant] if len(entity) else constant
    answer = place[rules.answer]
    stays = (constant >= 0) & (answer >= 0)
    new = (side * entities + constant)[stays]
    return by_fact(answers[order].astype(np.int32), rules.prior[order], new, answer[stays], rules.weight[stays])


def load_facts(name_or_path: str) -> Dataset:
    """A graph to read: a data set by name or folder, or one file of facts, all of which are then its graph."""
    path = Path(name_or_path).expanduser()
    with readable(path):
        single = path.is_file()
    if not single:
        return load_dataset(name_or_path)
    entities, relations = Vocabulary(), Vocabulary()
    triples = coded(read_facts(path), entities, relations, path)
    none = np.empty((0, 3), np.int64)
    return Dataset(path.stem, entities, relations, triples, triples, none, none)
