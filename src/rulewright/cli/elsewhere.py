"""--facts OTHER: a run's rules over another graph."""

from pathlib import Path

from rulewright.cli.output import print_note
from rulewright.completion.model import CompletionModel
from rulewright.completion.saving import load_model
from rulewright.completion.transfer import applied_to, load_facts
from rulewright.kb.splits import Dataset


def load_over(run: Path, facts: str | None) -> CompletionModel:
    """A run's model, over other facts where some are named."""
    model = load_model(run)
    return model if facts is None else over(model, load_facts(facts))[0]


def over(model: CompletionModel, dataset: Dataset) -> tuple[CompletionModel, Dataset]:
    """A model over another data set, and that under the model's relations; what does not go along is told."""
    transfer = applied_to(model, dataset)
    print_note(f"{dataset}: {transfer}")
    return transfer.model, transfer.dataset
