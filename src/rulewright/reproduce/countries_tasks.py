"""The three Countries tasks: their facts, their candidates, and their queries as pairs.

Facts are locatedIn(country, region), locatedIn(country, subregion), locatedIn(subregion, region) and neighborOf. S1
hides the region of the countries asked for, S2 their subregion too, S3 also the region of their neighbours. In this
copy of the data the queries of S1 and S3 ask for one of five regions, and those of S2 for a subregion. Candidates are
accordingly the five regions in S1 and S3, as in the literature (NTP, MINERVA), and in S2 every subregion of the graph.
"""

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rulewright.kb.datasets import load_dataset
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.kb.splits import Dataset, Triples

REGIONS = ("africa", "americas", "asia", "europe", "oceania")
LOCATED, NEIGHBOUR = "locatedIn", "neighborOf"
# The training queries are facts of the graph. X != Y keeps a query's own edge out of its proof: only with Y = X could
# the last step, locatedIn(Y, Z), be the query itself.
TWO = "P(X, Y), Q(Y, Z), X != Y"
THREE = "P(X, W), Q(W, Y), O(Y, Z), X != Y"
CHAINS = {"S1": TWO, "S2": TWO, "S3": THREE}  # the paper's templates
STEPS = (1, 2, 3, 4)


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
        if self.name == "S1":
            hidden &= np.isin(graph[:, 2], self.candidates)
        kept: Triples = graph[~hidden]
        return kept

    def knowledge_base(self, graph: Triples) -> KnowledgeBase:
        return replace(self.data, graph=graph).knowledge_base()


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
