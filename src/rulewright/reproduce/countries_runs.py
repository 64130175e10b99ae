"""Countries, the paper's appendix on additional experiments: where a country lies, told from its neighbours.

Scored are all pairs of a country of the split and a candidate; a pair that cannot arise scores 0. The main figure is
that of one rule from the paper's template, learned by the general pipeline. Variants, tuned on validation if at all:

lengths             a disjunction of chains of two and three steps
walks               the completion learner: weights of many chains, each as true as a walk along it is likely; a pair's
                    score is its share among the country's candidates
without subregions  S3 only: the facts about subregions are taken away; what is left to explain a query is the
                    appendix's rule

Validation countries are partly answered by the graph. Before they are scored, what the task hides of a test country is
hidden of them: the answer in S1, every locatedIn fact in S2 and S3. Training countries have a subregion in S3 and a
region in S2, which test countries lack. One chain of the paper's template cannot lean on that; in `lengths` a shorter
one could, so there these facts are hidden, too.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from rulewright.completion.complete import complete
from rulewright.completion.model import CompletionModel
from rulewright.completion.precision_recall import precision_recall
from rulewright.completion.rules import rules_of
from rulewright.completion.settings import CompletionSettings
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.splits import Triples
from rulewright.learning import Learned, learn
from rulewright.reproduce.countries_tasks import CHAINS, LOCATED, NEIGHBOUR, TWO, Task, reachable
from rulewright.reproduce.experiment import OnStep
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import COUNTRIES, OURS
from rulewright.rules.store import program_to_json
from rulewright.training.fit import FitOptions

ALPHA = 0.95
LONGER = "A(X, V), B(V, U), C(U, Z), X != U"
LENGTHS, SHARPNESS = (2, 3, 4, 5), (2.0, 10.0, 100.0)  # of the walks, for validation to choose from
FIGURES = ("average_precision", "trapezoid", "valid_average_precision")

Run = dict[str, Any]
Way = Callable[[Task, int], Run]


def ways_of(task: str) -> dict[str, Way]:
    """How a task is solved, by name; the main figure's way first."""
    ways: dict[str, Way] = {"one rule": one_rule, "lengths": several_lengths, "walks": walks}
    return ways | {"without subregions": without_subregions} if task == "S3" else ways


def steps(seeds: Sequence[int]) -> int:
    """How many runs `measure` does."""
    return len(seeds) * sum(len(ways_of(name)) for name in CHAINS)


def measure(seeds: Sequence[int], on_step: OnStep, journal: Journal | None = None) -> dict[str, Any]:
    """Every way on every task, by the tasks' names; runs that are in the journal are not done again."""
    done = 0

    def over_seeds(task: Task, name: str, way: Way) -> Run:
        nonlocal done
        runs = []
        for seed in seeds:
            run = f"{task.name}, {name}, seed {seed}"
            on_step(done, run)
            found = journal.recall(run) if journal else None
            if found is None:
                found = way(task, seed)
                if journal:
                    journal.keep(run, found)
            runs.append(found)
            done += 1
        return averaged(runs)

    tasks = {}
    for task in map(Task, CHAINS):
        found = {name: over_seeds(task, name, way) for name, way in ways_of(task.name).items()}
        tasks[task.name] = {
            "paper": COUNTRIES[task.name][OURS],
            **found.pop("one rule"),
            "variants": found,
            "candidates": len(task.candidates),
            "reachable": {split: reachable(task, getattr(task.data, split)) for split in ("valid", "test")},
        }
    return tasks


def averaged(runs: Sequence[Run]) -> Run:
    """The mean over seeds, the first seed's rules, and every seed's own figures."""
    first = runs[0]
    return {figure: statistics.fmean(run[figure] for run in runs) for figure in FIGURES} | {
        "rule": first["rule"],
        "program": first.get("program"),
        "per_seed": [{name: value for name, value in run.items() if name != "program"} for run in runs],
    }


def one_rule(task: Task, seed: int) -> Run:
    """One chain, as in the paper."""
    return scored(task, learned(task, task.data.knowledge_base(), [CHAINS[task.name]], seed))


def several_lengths(task: Task, seed: int) -> Run:
    """Chains of two and of three steps, in disjunction."""
    graph, train = task.data.graph, task.data.train
    if task.name != "S1":
        asked = {tuple(row) for row in train.tolist()}
        other = (graph[:, 1] == task.relation) & np.isin(graph[:, 0], train[:, 0])
        graph = graph[~other | np.array([tuple(row) in asked for row in graph.tolist()])]
    return scored(task, learned(task, task.knowledge_base(graph), [TWO, LONGER], seed))


def without_subregions(task: Task, seed: int) -> Run:
    """One chain where no fact speaks of subregions."""
    graph = task.data.graph
    kept = ~np.isin(graph[:, 0], task.subregions) & ~np.isin(graph[:, 2], task.subregions)
    return scored(task, learned(task, task.knowledge_base(graph[kept]), [CHAINS[task.name]], seed))


def learned(task: Task, kb: KnowledgeBase, chains: list[str], seed: int) -> Learned:
    """Rules of the form locatedIn(X, Z) :- chain ; chain ... for the task's training queries."""
    leaves = [letter for chain in chains for letter in "PQOABC" if f"{letter}(" in chain]
    domains = " ".join(f"{leaf} in {{{NEIGHBOUR}, {LOCATED}}}." for leaf in leaves)
    template = f"{LOCATED}(X, Z) :- {' ; '.join(chains)}. {domains}"
    options = FitOptions(seed=seed)
    return learn(kb, template, task.labels(), options, alpha=ALPHA, impossible="ignore")


def scored(task: Task, found: Learned) -> Run:
    """The areas of a trained network on both splits, and its text."""

    def areas(queries: Triples) -> tuple[float, float]:
        kb = task.knowledge_base(task.graph_for(queries))
        grounding = found.ground(kb)
        values = found.network.score(grounding).detach().tolist()
        scores = dict(zip(kb.decode(grounding.roots), values, strict=True))
        pairs, true = task.pairs(queries)
        curve = precision_recall(np.array([scores.get(pair, 0.0) for pair in pairs]), true)
        return curve.average_precision, curve.trapezoid

    text = " | ".join(str(rule.rule) for rule in found.program.rules)
    program = {"program": program_to_json(found.program)}
    return outcome(areas(task.data.valid), areas(task.data.test), text) | program


def walks(task: Task, seed: int) -> Run:
    """The completion learner, its longest chain and its sharpness chosen on validation."""
    models = [walk_model(task, length, sharpness, seed) for length, sharpness in product(LENGTHS, SHARPNESS)]
    best = max(models, key=lambda model: share_areas(task, model, task.data.valid)[0])
    chosen = {"length": best.settings.length, "sharpness": best.settings.sharpness}
    text = " | ".join(str(rule.rule) for rule in rules_of(best, 2 * task.relation, 3))
    valid, test = share_areas(task, best, task.data.valid), share_areas(task, best, task.data.test)
    return outcome(valid, test, text) | {"chosen": chosen, "rules": len(rules_of(best, 2 * task.relation))}


def walk_model(task: Task, length: int, sharpness: float, seed: int) -> CompletionModel:
    """A mixture of chains; every training query is asked with its own fact hidden, and few others."""
    folds = min(len(task.data.train), 40)
    settings = CompletionSettings(
        length=length,
        sharpness=sharpness,
        folds=folds,
        used_folds=folds,
        answer=True,
        negation=False,
        epochs=50,
        seed=seed,
    )
    return complete(task.data, settings, threads=1)


def share_areas(task: Task, model: CompletionModel, queries: Triples) -> tuple[float, float]:
    """The areas when a pair's score is its share among its country's candidates, as the softmax objective has it."""
    scorer = replace(model, triples=task.graph_for(queries)).scorer(2 * task.relation)
    rows = [scorer.scores(head)[task.candidates].astype(float) for head in np.unique(queries[:, 0]).tolist()]
    odds = [np.exp(row - row.max()) for row in rows]
    curve = precision_recall(np.concatenate([row / row.sum() for row in odds]), task.pairs(queries)[1])
    return curve.average_precision, curve.trapezoid


def outcome(valid: tuple[float, float], test: tuple[float, float], text: str) -> Run:
    """One seed's record."""
    return {"average_precision": test[0], "trapezoid": test[1], "valid_average_precision": valid[0], "rule": text}
