"""--facts OTHER: a run's rules over another graph."""

from pathlib import Path

import rulewright as rw
from rulewright.cli.output import print_note
from rulewright.completion.model import CompletionModel
from rulewright.completion.saving import load_model
from rulewright.completion.transfer import applied_to, load_facts
from rulewright.errors import InputError
from rulewright.kb.alike import under_predicates_of
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.reading import read_facts
from rulewright.kb.splits import Dataset


def load_over(run: Path, facts: str | None) -> CompletionModel:
    """A run's model, over other facts where some are named."""
    model = load_model(run)
    return model if facts is None else over(model, load_facts(facts))[0]


def facts_for(learned: "rw.Learned", path: str) -> KnowledgeBase:
    """The facts of a file under the predicates of a template's run; those that have no facts there are told."""
    kb, missing = under_predicates_of(learned.kb, read_facts(path))
    head = learned.program.head.predicate
    lacking = [name for name in missing if name != head]
    if len(lacking) == sum(name != head for name in learned.kb.relations):
        raise InputError(f"{path} shares no predicate with the facts of the run, which are {', '.join(lacking)}")
    if lacking:
        print_note(f"{path} has no facts of {', '.join(lacking)}")
    return kb


def over(model: CompletionModel, dataset: Dataset) -> tuple[CompletionModel, Dataset]:
    """A model over another data set, and that under the model's relations; what does not go along is told."""
    transfer = applied_to(model, dataset)
    print_note(f"{dataset}: {transfer}")
    return transfer.model, transfer.dataset
