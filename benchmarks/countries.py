"""Countries, the paper's appendix on additional experiments: where a country lies, told from its neighbours.

    python benchmarks/run.py countries [--seeds 3]

Facts are locatedIn(country, region), locatedIn(country, subregion), locatedIn(subregion, region) and neighborOf. S1
hides the region of the countries asked for, S2 their subregion too, S3 also the region of their neighbours. In this
copy of the data the queries of S1 and S3 ask for one of five regions, and those of S2 for a subregion. Candidates are
accordingly the five regions in S1 and S3, as in the literature (NTP, MINERVA), and in S2 every subregion of the graph.
Scored are all pairs of a country of the split and a candidate; a pair that cannot arise scores 0.

The main figure is that of one rule from the paper's template, learned by the general pipeline. Variants, tuned on
validation if at all:

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
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.complete import complete
from rulewright.completion.learner import CompletionSettings
from rulewright.completion.model import CompletionModel
from rulewright.completion.precision_recall import precision_recall
from rulewright.completion.rules import rules_of
from rulewright.kb.datasets import load_dataset
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.kb.splits import Dataset, Triples
from rulewright.learning import Learned, learn
from rulewright.training.fit import FitOptions

PAPER = {"S1": 1.000, "S2": 0.923, "S3": 0.913}
REGIONS = ("africa", "americas", "asia", "europe", "oceania")
LOCATED, NEIGHBOUR = "locatedIn", "neighborOf"
ALPHA = 0.95
# The training queries are facts of the graph. X != Y keeps a query's own edge out of its proof: only with Y = X could
# the last step, locatedIn(Y, Z), be the query itself.
TWO = "P(X, Y), Q(Y, Z), X != Y"
THREE = "P(X, W), Q(W, Y), O(Y, Z), X != Y"
LONGER = "A(X, V), B(V, U), C(U, Z), X != U"
CHAINS = {"S1": TWO, "S2": TWO, "S3": THREE}
LENGTHS, STEPS = (2, 3, 4, 5), (1, 2, 3, 4)
SHARPNESS = (2.0, 10.0, 100.0)


class Task:
    """One of the three tasks: its facts, its candidates, and its queries as (country, region) pairs."""

    def __init__(self, name: str) -> None:
        self.name = name
        data = load_dataset(f"countries_{name}")
        self.relation = data.relations.names.index(LOCATED)
        located = data.graph[data.graph[:, 1] == self.relation]
        regions = np.array([data.entities.id(region) for region in REGIONS])
        self.subregions = np.setdiff1d(located[:, 2], regions)
        self.candidates = self.subregions if name == "S2" else regions
        # S1's training file is the whole graph; only where a country lies is a question.
        asked = (data.train[:, 1] == self.relation) & np.isin(data.train[:, 2], self.candidates)
        self.data: Dataset = replace(data, train=data.train[asked & ~np.isin(data.train[:, 0], self.subregions)])

    def pairs(self, queries: Triples) -> tuple[list[Fact], NDArray[np.bool_]]:
        """Every country asked for with every candidate, and which of the pairs are answers."""
        true = {(head, tail) for head, _, tail in queries.tolist()}
        ids = [(head, tail) for head in np.unique(queries[:, 0]).tolist() for tail in self.candidates.tolist()]
        names = self.data.entities.names
        return [(names[head], names[tail]) for head, tail in ids], np.array([pair in true for pair in ids])

    def labels(self) -> dict[Fact, float]:
        """The training queries, true, and their countries with the other candidates, false."""
        pairs, true = self.pairs(self.data.train)
        return dict(zip(pairs, true.astype(float).tolist(), strict=True))

    def graph_for(self, queries: Triples) -> Triples:
        """The graph without what the task would hide if these were test queries."""
        graph = self.data.graph
        hidden = (graph[:, 1] == self.relation) & np.isin(graph[:, 0], queries[:, 0])
        return graph[~(hidden & np.isin(graph[:, 2], self.candidates) if self.name == "S1" else hidden)]

    def knowledge_base(self, graph: Triples) -> KnowledgeBase:
        return replace(self.data, graph=graph).knowledge_base()


def measure(seeds: int = 3) -> dict[str, Any]:
    """All tasks."""
    return {"seeds": seeds, "tasks": {name: measure_task(Task(name), seeds) for name in PAPER}}


def measure_task(task: Task, seeds: int) -> dict[str, Any]:
    """The paper's template and the variants on one task."""
    ways = {"lengths": several_lengths, "walks": walks}
    if task.name == "S3":
        ways["without subregions"] = without_subregions
    main = over_seeds(partial(one_rule, task), seeds)
    variants = {name: over_seeds(partial(way, task), seeds) for name, way in ways.items()}
    print(task.name, main["average_precision"], {name: found["average_precision"] for name, found in variants.items()})
    return {
        "paper": PAPER[task.name],
        **main,
        "variants": variants,
        "candidates": len(task.candidates),
        "reachable": {split: reachable(task, getattr(task.data, split)) for split in ("valid", "test")},
    }


def over_seeds(way: Any, seeds: int) -> dict[str, Any]:
    """The mean over seeds, the first seed's rules, and every seed's own figures."""
    runs = [way(seed) for seed in range(seeds)]
    figures = ("average_precision", "trapezoid", "valid_average_precision")
    return {figure: statistics.fmean(run[figure] for run in runs) for figure in figures} | {
        "rule": runs[0]["rule"],
        "per_seed": runs,
    }


def one_rule(task: Task, seed: int) -> dict[str, Any]:
    """One chain, as in the paper."""
    return scored(task, learned(task, task.data.knowledge_base(), [CHAINS[task.name]], seed))


def several_lengths(task: Task, seed: int) -> dict[str, Any]:
    """Chains of two and of three steps, in disjunction."""
    graph, train = task.data.graph, task.data.train
    if task.name != "S1":
        asked = {tuple(row) for row in train.tolist()}
        other = (graph[:, 1] == task.relation) & np.isin(graph[:, 0], train[:, 0])
        graph = graph[~other | np.array([tuple(row) in asked for row in graph.tolist()])]
    return scored(task, learned(task, task.knowledge_base(graph), [TWO, LONGER], seed))


def without_subregions(task: Task, seed: int) -> dict[str, Any]:
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


def scored(task: Task, found: Learned) -> dict[str, Any]:
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
    return outcome(areas(task.data.valid), areas(task.data.test), text)


def walks(task: Task, seed: int) -> dict[str, Any]:
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


def outcome(valid: tuple[float, float], test: tuple[float, float], text: str) -> dict[str, Any]:
    """One seed's record."""
    return {"average_precision": test[0], "trapezoid": test[1], "valid_average_precision": valid[0], "rule": text}


def reachable(task: Task, queries: Triples) -> dict[str, dict[str, int]]:
    """For each chain of the template, and for neighbours further off, the true and false pairs that it proves."""
    kb = task.knowledge_base(task.graph_for(queries))
    steps: dict[str, dict[str, set[str]]] = {}
    for name in (LOCATED, NEIGHBOUR):
        steps[name] = {}
        for start, end in kb.facts_of(name):
            steps[name].setdefault(start, set()).add(end)
    arity = 3 if CHAINS[task.name] == THREE else 2
    chains = [*product(steps, repeat=arity), *((NEIGHBOUR,) * far + (LOCATED,) for far in STEPS)]
    pairs, true = task.pairs(queries)
    found = {}
    for chain in dict.fromkeys(chains):
        proved = np.array([region in ends(steps, country, chain) for country, region in pairs])
        if (proved & true).any():
            found[", ".join(chain)] = {"true": int((proved & true).sum()), "false": int((proved & ~true).sum())}
    return found | {"asked": {"true": int(true.sum()), "false": int((~true).sum())}}


def ends(steps: dict[str, dict[str, set[str]]], country: str, chain: tuple[str, ...]) -> set[str]:
    """Where a chain ends; as in the rules, its last step may not start from the country asked for."""
    places = {country}
    for step in chain[:-1]:
        places = {end for place in places for end in steps[step].get(place, ())}
    return {end for place in places - {country} for end in steps[chain[-1]].get(place, ())}
