"""The paper's first way to complete a knowledge base: a chain template, with a mixture over relations at each hop.

    r(X, Z) :- P11(X, Z) ; P21(X, A), P22(A, Z) ; ...        every P chooses among all relations and their inverses

The template is the general one, learned by the general network; what is special is only how it is fed. Nothing is
grounded as a whole: each batch of queries is grounded by itself, over leaves that are made and indexed once. As in the
second way (learner.py), the facts asked for are hidden from the graph in both directions while they are asked for.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from rulewright.completion.ranking import Ranks, rank_answers
from rulewright.errors import DatasetError
from rulewright.grounding.ground import ground
from rulewright.grounding.leaves import Leaves
from rulewright.grounding.plan import Plan, plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.splits import Dataset
from rulewright.lnn.device import Device, device_of
from rulewright.lnn.network import DEFAULT_ALPHA, RuleNetwork
from rulewright.logic.program import Program
from rulewright.paths.graph import Graph
from rulewright.rules.extract import extract
from rulewright.template.binding import bind
from rulewright.template.shapes import chain_up_to
from rulewright.training.descent import Adagrad, Descent
from rulewright.training.objectives import MarginRanking

HEAD = "answer"  # the template's root; a name of its own, since bodies may use the relation's known facts


@dataclass(frozen=True)
class ChainSettings:
    """How the chain template of one relation is trained; the paper's values where it states them.

    length, alpha     of the template and its operators
    folds             parts of the training facts, hidden one after the other while they are queries
    epochs            passes over the queries
    queries           in one pass, at most
    batch             queries of one step, each with one false answer beside the true one
    step, margin      Adagrad's step size, and the loss's margin
    sparsity          weight of the sum of all leaf weights in the loss: what does not help goes to 0
    seed              of everything random
    """

    length: int = 2
    alpha: float = DEFAULT_ALPHA
    folds: int = 5
    epochs: int = 10
    queries: int = 400
    batch: int = 64
    step: float = 0.1
    margin: float = 0.5
    sparsity: float = 0.002
    seed: int = 0


@dataclass(frozen=True, eq=False)
class ChainRules:
    """The chain rules of one relation, and the graph they read."""

    program: Program
    network: RuleNetwork
    steps: Plan
    kb: KnowledgeBase
    leaves: Leaves

    @torch.no_grad()
    def scores(self, heads: NDArray[np.int64]) -> NDArray[np.float32]:
        """The score of every entity as the answer for each head, (n_heads, n_entities); 0 where no chain leads."""
        self.network.eval()
        distinct, places = np.unique(heads, return_inverse=True)
        grounding = ground(self.steps, self.kb, heads=distinct[:, None], leaves=self.leaves)
        table = np.zeros((len(distinct), len(self.kb.constants)), np.float32)
        found = grounding.roots
        table[np.searchsorted(distinct, found[:, 0]), found[:, 1]] = self.network.score(grounding).cpu().numpy()
        return table[places]

    def rank(self, queries: NDArray[np.int64], known: Graph, relation: int, chunk: int = 64) -> Ranks:
        """The ranks of (head, answer) rows of a directed relation, other known answers left out."""
        parts = []
        for start in range(0, len(queries), chunk):
            some = queries[start : start + chunk]
            others = {
                place: known.tails_of(int(head), relation).astype(np.int64) for place, (head, _) in enumerate(some)
            }
            parts.append(rank_answers(self.scores(some[:, 0]), some[:, 1], others))
        return Ranks.joined(parts)


def learn_chains(
    dataset: Dataset, relation: str, settings: ChainSettings | None = None, device: Device = "cpu"
) -> ChainRules:
    """The chain rules that predict the tails of a relation of the data; their network stays on the device."""
    settings, place = settings or ChainSettings(), device_of(device)
    wanted = dataset.relations.id(relation)
    facts = dataset.train[dataset.train[:, 1] == wanted]
    if wanted is None or not len(facts):
        raise DatasetError(f"{dataset.name} has no training facts of {relation}")
    template = chain_up_to(settings.length, head=HEAD)
    whole = dataset.knowledge_base().with_inverses()
    steps = plan(bind(template, whole))
    network = RuleNetwork(steps, settings.alpha, seed=settings.seed).to(place)
    rng = np.random.default_rng(settings.seed)
    dealt = rng.permutation(np.arange(len(facts)) % settings.folds)
    folds = [ChainFold(dataset, facts[dealt == part], steps, whole.relations) for part in range(settings.folds)]
    descent = Adagrad(list(network.parameters()), settings.step)
    tails = np.unique(facts[:, 2])
    for _ in range(settings.epochs):
        for fold in folds:
            share = rng.permutation(fold.hidden)[: -(-settings.queries // len(folds))]
            for start in range(0, len(share), settings.batch):
                queries = share[start : start + settings.batch]
                false = np.stack([queries[:, 0], rng.choice(tails, len(queries))], axis=1)
                train_step(network, descent, fold, queries[:, [0, 2]], false, settings)
    program = extract(network.cpu())
    return ChainRules(program, network.to(place), steps, whole, Leaves())


class ChainFold:
    """A knowledge base without some facts of a relation, and these facts as queries."""

    def __init__(self, dataset: Dataset, hidden: NDArray[np.int64], steps: Plan, names: Iterable[str]) -> None:
        self.hidden, self.steps, self.leaves = hidden, steps, Leaves()
        asked = {tuple(row) for row in hidden.tolist()}
        keep = np.array([tuple(row) not in asked for row in dataset.graph.tolist()], dtype=bool)
        self.kb = replace(dataset, graph=dataset.graph[keep]).knowledge_base().with_inverses()
        nothing = Relation(np.empty((0, 2), dtype=np.int64))
        for name in (name for name in names if name not in self.kb.relations):
            self.kb = self.kb.with_relation(name, nothing)  # all its facts are hidden; the template still names it


def train_step(
    network: RuleNetwork,
    descent: Descent,
    fold: ChainFold,
    true: NDArray[np.int64],
    false: NDArray[np.int64],
    settings: ChainSettings,
) -> None:
    """One step of the margin ranking loss on a batch; what cannot arise scores 0, and 0 teaches nothing."""
    network.train()
    pairs = np.concatenate([true, false])
    grounding = ground(fold.steps, fold.kb, heads=pairs, leaves=fold.leaves)
    rows = grounding.rows_of(pairs)
    if not (rows >= 0).any():
        return
    scores = network.score(grounding)
    scores = torch.cat([scores, scores.new_zeros(1)])[torch.from_numpy(rows).to(scores.device)]  # row -1 reads the 0
    loss = MarginRanking(settings.margin)(scores[: len(true)], scores[len(true) :])
    loss = loss + settings.sparsity * sum(mixture.weights.sum() for mixture in network.mixtures().values())
    descent.descend(loss)
