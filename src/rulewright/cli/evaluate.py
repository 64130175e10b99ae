"""rulewright evaluate RUN: figures on a split, with their protocol."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.completing import among
from rulewright.cli.elsewhere import over
from rulewright.cli.figures_line import figures_line
from rulewright.cli.memory import memory_size
from rulewright.cli.output import print_json, print_text, progress
from rulewright.cli.terminal import Column, print_table, results
from rulewright.completion.evaluate import SPLITS, Evaluation, RelationFigures, evaluate
from rulewright.completion.memory import plan_ranking
from rulewright.completion.model import CompletionModel
from rulewright.completion.saving import load_model
from rulewright.errors import RunFolderError
from rulewright.kb.datasets import load_dataset
from rulewright.kb.splits import Dataset
from rulewright.paths.reach import reach_by_length
from rulewright.rules.folder import read_document

WIDEST_NAME = 60


def evaluate_command(
    run: Annotated[Path, typer.Argument(help="A run folder of a knowledge graph.")],
    split: Annotated[str, typer.Option(help="train, valid or test.", autocompletion=among(SPLITS))] = "test",
    data: Annotated[
        str | None, typer.Option(help="The data set, where it is not found as it was when learning.")
    ] = None,
    facts: Annotated[
        str | None, typer.Option(help="Another data set: its graph for the rules to read, its queries to answer.")
    ] = None,
    per_relation: Annotated[bool, typer.Option("--per-relation", help="Also the figures of every relation.")] = False,
    threads: Annotated[int | None, typer.Option(min=1, help="Default: all cores.")] = None,
    memory: Annotated[str | None, typer.Option(help="The most it may take, e.g. 4GB; fewer threads take less.")] = None,
    device: Annotated[str, typer.Option(help="Where answers are ranked: cpu, cuda or cuda:N.")] = "cpu",
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Rank the answers of a split's queries and print MRR and Hits@1, 3, 10."""
    model = load_model(run)
    if facts is not None:
        model, dataset = over(model, load_dataset(facts))
    else:
        dataset = own_data(run, model, data)
    threads = plan_ranking(dataset, model.settings.length, threads, memory_size(memory))
    with progress("ranking", 2 * len(dataset.relations)) as report:
        done = 0

        def on_relation(name: str) -> None:
            nonlocal done
            done += 1
            report(done, name)

        result = evaluate(model, dataset, split, threads, on_relation, device)
    reach = reach_by_length(dataset, split, model.settings.length)[-1]
    if as_json:
        print_json(result.as_dict() | {"reach": reach})
    else:
        print_evaluation(result, reach, model.settings.length, per_relation)


def own_data(run: Path, model: CompletionModel, data: str | None) -> Dataset:
    """The data that a run was learned from."""
    data = data or read_document(run, "run").get("data")
    if not isinstance(data, str):
        raise RunFolderError(f"{run} does not say what data it was learned from; say it with --data")
    dataset = load_dataset(data)
    if dataset.entities.names != model.entities.names or dataset.relations.names != model.relations.names:
        raise RunFolderError(
            f"{run} was learned from other data than {dataset.name}: their names differ; --facts applies it elsewhere"
        )
    return dataset


def print_evaluation(result: Evaluation, reach: float, length: int, per_relation: bool) -> None:
    """The figures for people."""
    kinds = {
        "all queries": result.figures,
        "tails": result.tails,
        "heads": result.heads,
        "ties for the answer": result.optimistic,
        "ties against it": result.pessimistic,
    }
    names = ("mrr", "hits@1", "hits@3", "hits@10")
    figures, protocol = figures_line(result.as_dict()).split("\n", 1)
    print_table(
        (Column(""), *(Column(name, "figure") for name in names)),
        [(kind, *(f"{found[name]:.4f}" for name in names)) for kind, found in kinds.items()],
        [figures],
    )
    print_text(protocol)
    if not results.is_terminal:
        best, worst = result.optimistic["mrr"], result.pessimistic["mrr"]
        print_text(f"ties for the answer: MRR {best:.4f}; against it: {worst:.4f}")
        print_text(f"tails: MRR {result.tails['mrr']:.4f}; heads: {result.heads['mrr']:.4f}")
    print_text(f"walks of at most {length} steps reach {reach:.1%} of the answers")
    if per_relation:
        print_relations(sorted(result.relations, key=lambda row: -row.queries))


def print_relations(rows: Sequence[RelationFigures]) -> None:
    """The figures of every relation."""
    names = ("mrr", "hits@1", "hits@10")
    plain = (
        f"{row.relation[:WIDEST_NAME]:{WIDEST_NAME}} {row.queries:7,} queries  "
        + "  ".join(f"{name} {row.figures[name]:.3f}" for name in names)
        for row in rows
    )
    print_table(
        (Column("relation"), Column("queries", "figure"), *(Column(name, "figure") for name in names)),
        [(row.relation, f"{row.queries:,}", *(f"{row.figures[name]:.3f}" for name in names)) for row in rows],
        plain,
    )
