"""The experiments of knowledge-base completion as reports: UMLS, Kinship, WN18RR, FB15K-237."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import rules_of
from rulewright.kb.datasets import load_dataset
from rulewright.kb.splits import Dataset
from rulewright.reproduce.bars import write_bars
from rulewright.reproduce.completion_runs import FIGURES, learn_and_rank, settings_for, summary
from rulewright.reproduce.experiment import (
    Drawing,
    Experiment,
    OnStep,
    Options,
    Outcome,
    Prepared,
    data_fingerprint,
)
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import COMPLETION, OURS, SIZES
from rulewright.reproduce.report import Headline, Table, shown, table_from_json, with_deviation
from rulewright.reproduce.table_rules import rules_in

RELATIONS, RULES = 6, 2  # of the sample of learned rules
PAPER_SECTION = "Section 'Knowledge Base Completion': tables 'Statistics of KBC datasets' and 'KBC Results'"
SEVEN = "FB15k-237"
PRESETS = {
    "best": "ours: settings that validation found best for data of this shape, with literals s(X, Y) and their "
    "negations, or rules with constants, beside the paths; a negation reasons from what the graph lacks, and "
    "benchmarks/RESULTS.md has the figures without them",
    "paper": "the paper's model: one mixture of mined paths, true or false, for each relation; Adagrad and the margin "
    "loss, step size and margin chosen on validation among the paper's (on FB15K-237 not searched)",
}


def experiment(name: str, data: str, title: str, slow: bool = False) -> Experiment:
    """The experiment on one data set."""
    section = f"{PAPER_SECTION}; table 'Learned rules from FB15K-237'" if data == SEVEN else PAPER_SECTION
    return Experiment(name, f"Knowledge-base completion: {title}", f"{section}.", partial(prepare, data), slow)


def prepare(data: str, options: Options) -> Prepared:
    """Read the data set."""
    dataset = load_dataset(data)
    presets = {preset: asdict(settings_for(dataset, preset, 0)) for preset in options.presets}
    for settings in presets.values():
        del settings["seed"]  # the seeds stand beside the settings
    settings = {"data": {dataset.name: data_fingerprint(dataset)}, "split": "test", "presets": presets}
    steps = steps_of_a_run(dataset) * len(options.seeds) * len(options.presets)
    return Prepared(settings, options.seeds, steps, partial(work, dataset, options))


def steps_of_a_run(dataset: Dataset) -> int:
    """How many relations one run reports: each when it is learned, and in both directions when it is ranked."""
    return len(set(dataset.train[:, 1].tolist())) + 2 * len(set(dataset.test[:, 1].tolist()))


def work(dataset: Dataset, options: Options, on_step: OnStep, journal: Journal) -> Outcome:
    """Learn and rank with every preset and seed."""
    done = 0

    def one_run(preset: str, seed: int) -> dict[str, Any]:
        nonlocal done
        name = f"preset {preset}, seed {seed}"

        def on_relation(_: str) -> None:
            nonlocal done
            done += 1
            on_step(done, name)

        found: dict[str, Any] | None = journal.recall(name)
        if found is not None:
            done += steps_of_a_run(dataset)
            on_step(done, name)
            return found
        settings = settings_for(dataset, preset, seed)
        model, found = learn_and_rank(dataset, settings, "test", options.threads, on_relation)
        if (preset, seed) == (options.presets[0], options.seeds[0]):
            found["tables"] = [asdict(table) for table in rule_tables(model, preset)]
        journal.keep(name, found)
        return found

    runs = {preset: [one_run(preset, seed) for seed in options.seeds] for preset in options.presets}
    rules = map(table_from_json, runs[options.presets[0]][0].pop("tables"))
    means = {preset: summary(found) for preset, found in runs.items()}
    paper = COMPLETION[dataset.name][OURS]
    return Outcome(
        next(iter(runs.values()))[0]["protocol"],
        tuple(Headline(f"MRR, preset {preset}", shown(paper.mrr), shown(row["mrr"])) for preset, row in means.items()),
        (results_table(dataset.name, means, len(options.seeds)), sizes_table(dataset), *rules),
        {"runs": runs, "means": means},
        (
            *(f"Preset {preset} is {PRESETS[preset]}." for preset in means),
            "Hits@1 is not in the paper. Seconds are those of the slowest seed, learning and ranking together; a first "
            "run on a machine also compiles the kernels.",
        ),
        (Drawing("mrr.svg", f"MRR on {dataset.name}", partial(draw_bars, dataset.name, means)),),
    )


def results_table(data: str, means: Mapping[str, Mapping[str, float]], seeds: int) -> Table:
    """The paper's systems, then ours."""
    rows: list[tuple[str, ...]] = [
        (system, shown(row.mrr), "", shown(row.hits_3), shown(row.hits_10), "", "")
        for system, row in COMPLETION[data].items()
    ]
    for preset, mean in means.items():
        mrr = with_deviation(mean["mrr"], mean["mrr_deviation"], seeds)
        hits = (shown(mean[figure]) for figure in FIGURES[1:])
        rows.append(
            (f"Rulewright, preset {preset}", mrr, *hits, f"{mean['seconds']:,.0f}", f"{mean['peak_rss_mb']:,.0f}")
        )
    columns = ("system", "MRR", "Hits@1", "Hits@3", "Hits@10", "seconds", "MB")
    note = "Mean over the seeds ± deviation. MB is the most memory this process had held by then."
    return Table(f"Results on {data}", columns, tuple(rows), note)


def sizes_table(dataset: Dataset) -> Table:
    """What the paper says about the data, and what is in these files."""
    paper = SIZES[dataset.name]
    here = (len(dataset.entities), len(dataset.relations), len(dataset.train), len(dataset.test))
    rows = (
        ("the paper", *(f"{count:,}" for count in (paper.vertices, paper.predicates, paper.facts, paper.queries))),
        ("these files", *(f"{count:,}" for count in here)),
    )
    note = "Facts are the training triples. The paper's figure for Kinship is the sum of its three parts."
    return Table("The data", ("", "vertices", "predicates", "facts", "queries"), rows, note)


def rule_tables(model: CompletionModel, preset: str) -> tuple[Table, ...]:
    """A sample of the learned rules; for FB15K-237 also the paper's seven."""
    sample = sample_table(model, preset)
    return (sample, seven_table(model)) if model.name == SEVEN else (sample,)


def sample_table(model: CompletionModel, preset: str) -> Table:
    """The strongest path rules, the paper's kind, of the relations with the most facts."""
    counts: dict[int, int] = {}
    for relation in model.triples[:, 1].tolist():
        counts[relation] = counts.get(relation, 0) + 1
    largest = sorted(counts, key=lambda relation: (-counts[relation], relation))[:RELATIONS]
    rows = [
        (shown(rule.weight), "" if rule.coverage is None else f"{rule.coverage:.0%}", str(rule.rule))
        for relation in largest
        for rule in [rule for rule in rules_of(model, 2 * relation) if rule.kind == "path"][:RULES]
    ]
    note = f"The {RULES} path rules of most use for each of the {len(largest)} relations with the most facts."
    return Table(f"Learned rules, preset {preset}", ("weight", "coverage", "rule"), tuple(rows), note, (2,))


def seven_table(model: CompletionModel) -> Table:
    """The seven rules the paper prints, looked up among ours."""
    rows = []
    for row in rules_in(model):
        head, *body = (name.split("/")[-1] for name in (row["head"], *row["body"]))
        learned = "yes" if row["weight"] else "mined, weight 0" if row["mined"] else "not mined"
        confidence = "" if row["confidence"] is None else f"{row['confidence']:.1%}"
        place = "" if row["place"] is None else f"{row['place']} of {row['of']}"
        rows.append(
            (str(row["number"]), f"{head} <- {', '.join(body)}", learned, shown(row["weight"]), confidence, place)
        )
    return Table(
        "The paper's seven rules",
        ("", "rule", "learned", "weight", "confidence", "place"),
        tuple(rows),
        "A rule's place is among the path rules of its relation, by weight times coverage.",
        (1,),
    )


def draw_bars(data: str, means: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """The MRR of the paper's systems and of ours."""
    own = {f"Rulewright, {preset}": row["mrr"] for preset, row in means.items()}
    theirs = {system: row.mrr for system, row in COMPLETION[data].items()}
    write_bars(theirs | own, frozenset(own), f"MRR on {data}", path)


EXPERIMENTS = (
    experiment("kinship", "kinship", "Kinship"),
    experiment("umls", "umls", "UMLS"),
    experiment("wn18rr", "WN18RR", "WN18RR", slow=True),
    experiment("fb15k-237", "FB15k-237", "FB15K-237", slow=True),
)
