"""Rules with constants, r(X, c) :- s(X, d): what a fact about X says of the answers c, each rule with a weight.

A fact of X is an edge X -s-> d, with the id s * entities + d (see completion.evidence). The rules of a relation form
a sparse non-negative table of facts by answers. It is fitted by itself, as a softmax over all answers whose starting
point is the logarithm of how often each answer occurs (the rule r(X, c) without a body); the mixture then weighs the
table as a whole against the paths.

The triple to be predicted is left out of its head's facts, and rules are counted without it.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from rulewright.completion.evidence import Evidence
from rulewright.completion.promising import count_facts, promising_rules
from rulewright.errors import OptionError
from rulewright.paths.graph import Graph

ANSWERS_PER_HEAD = 20  # taken from one head in one epoch, so that heads with thousands do not drown the others
FACTS_PER_HEAD = 4096
SMALLEST_WEIGHT = 1e-4
LARGEST = 1 << 30


@dataclass(frozen=True)
class ConstantSettings:
    """How rules with constants are counted and fitted.

    support    heads for which a rule must hold
    smoothing  pseudo-heads, added at the answer's own frequency, before a rule's confidence is believed
    per_answer rules kept for one answer, those first that hold often and say much
    epochs, rate, decay, initial   of the fit: passes, AdaGrad step, pull towards 0, first weight
    """

    support: int = 2
    smoothing: float = 3.0
    per_answer: int = 60
    epochs: int = 6
    rate: float = 0.03
    decay: float = 1e-3
    initial: float = 0.3

    def __post_init__(self) -> None:
        for name in ("support", "per_answer", "epochs"):
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= LARGEST:
                raise OptionError(f"constants.{name} must be a whole number from 1 to {LARGEST:,}, not {value!r}")
        for name in ("smoothing", "rate", "decay", "initial"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= LARGEST:
                raise OptionError(f"constants.{name} must be a number from 0 to {LARGEST:,}, not {value!r}")


@dataclass(frozen=True, eq=False)
class ConstantRules:
    """The rules of one relation by fact: r(X, answers[answer[i]]) :- fact for the i in the fact's run."""

    answers: NDArray[np.int32]  # (n_answers,) entities, in order
    prior: NDArray[np.float64]  # (n_answers,) log of how many heads each has
    facts: NDArray[np.int64]  # (n_facts,) ids, in order
    starts: NDArray[np.int64]  # (n_facts + 1,)
    answer: NDArray[np.int32]  # (n_rules,) place in `answers`
    weight: NDArray[np.float32]  # (n_rules,)

    def __len__(self) -> int:
        """The number of rules."""
        return len(self.weight)

    def by_answer(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        """The same rules by answer: where each answer's run starts, facts, weights."""
        order = np.argsort(self.answer, kind="stable")
        facts = np.repeat(self.facts, np.diff(self.starts))[order]
        starts = np.searchsorted(self.answer[order], np.arange(len(self.answers) + 1)).astype(np.int64)
        return starts, facts, self.weight[order]


def no_rules() -> ConstantRules:
    """The rules of a relation for which none are wanted."""
    ints, longs = np.zeros(0, np.int32), np.zeros(0, np.int64)
    return ConstantRules(ints, np.zeros(0), longs, np.zeros(1, np.int64), ints, np.zeros(0, np.float32))


class ConstantScratch:
    """One thread's memory for learning such rules: a few numbers for every fact that rules may have."""

    def __init__(self, entities: int, facts: int) -> None:
        self.counts = np.zeros(facts, np.int32)
        self.seen = np.zeros(facts, np.int32)
        self.rows = np.full(facts, -1, np.int32)
        self.place = np.full(entities, -1, np.int32)


def learn_constants(
    graph: Graph,
    evidence: Evidence,
    relation: int,
    settings: ConstantSettings,
    scratch: ConstantScratch,
    seed: int,
    chosen: tuple[NDArray[np.int64], NDArray[np.int32]] | None = None,
) -> ConstantRules:
    """The rules with constants of one directed relation; or of those `chosen` (facts, answers) the ones of use."""
    pairs = graph.pairs(relation)
    occurrences = np.bincount(pairs[:, 1], minlength=graph.entities)
    answers = np.flatnonzero(occurrences).astype(np.int32)
    if not len(answers):
        return no_rules()
    prior = np.log(occurrences[answers].astype(np.float64))
    heads = pairs[np.concatenate([[True], pairs[1:, 0] != pairs[:-1, 0]]), 0]
    if chosen is None:
        fact, answer = worth_fitting(graph, evidence, relation, settings, answers, heads, scratch)
    else:
        at = np.minimum(np.searchsorted(answers, chosen[1]), len(answers) - 1)
        occurs = answers[at] == chosen[1]
        fact, answer = chosen[0][occurs], at[occurs].astype(np.int32)
    found = by_fact(answers, prior, fact, answer, np.full(len(fact), settings.initial, np.float32))
    if not len(found):
        return found
    numbers = evidence.numbers(found.facts)
    told = numbers >= 0  # a chosen rule may be about a fact that nobody has
    scratch.rows[numbers[told]] = np.flatnonzero(told)
    scratch.place[answers] = np.arange(len(answers))
    fit_rules(
        graph.start,
        graph.tails,
        evidence.of_edge,
        graph.relations,
        relation,
        heads,
        scratch.place,
        prior,
        scratch.rows,
        found.starts,
        found.answer,
        found.weight,
        settings.epochs,
        settings.rate,
        settings.decay,
        seed,
    )
    scratch.rows[numbers[told]] = -1
    scratch.place[answers] = -1
    fact = np.repeat(found.facts, np.diff(found.starts))
    keep = found.weight > SMALLEST_WEIGHT
    return by_fact(answers, prior, fact[keep], found.answer[keep], found.weight[keep])


def worth_fitting(
    graph: Graph,
    evidence: Evidence,
    relation: int,
    settings: ConstantSettings,
    answers: NDArray[np.int32],
    heads: NDArray[np.int64],
    scratch: ConstantScratch,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """(fact, answer) of the promising rules; the scratch memory comes back empty."""
    count_facts(graph.start, evidence.of_edge, graph.relations, heads, scratch.counts)
    number, answer = promising_rules(
        graph.start,
        graph.tails,
        evidence.of_edge,
        graph.relations,
        relation,
        answers,
        evidence.numbers(np.int64(relation) * graph.entities + answers),
        len(heads),
        scratch.counts,
        scratch.seen,
        settings.support,
        settings.smoothing,
        settings.per_answer,
    )
    scratch.counts[:] = 0
    return evidence.facts[number], answer


def by_fact(
    answers: NDArray[np.int32],
    prior: NDArray[np.float64],
    fact: NDArray[np.int64],
    answer: NDArray[np.int32],
    weight: NDArray[np.float32],
) -> ConstantRules:
    """Rules sorted into runs of one fact each."""
    order = np.argsort(fact, kind="stable")
    fact = fact[order]
    first = np.flatnonzero(np.concatenate([[True], fact[1:] != fact[:-1]])) if len(fact) else np.zeros(0, np.int64)
    starts = np.append(first, len(fact)).astype(np.int64)
    return ConstantRules(answers, prior, fact[first], starts, answer[order], weight[order])


@njit(cache=True, nogil=True)
def fit_rules(  # type: ignore[no-untyped-def]
    start,
    tails,
    of_edge,
    relations,
    relation,
    heads,
    place,
    prior,
    fact_row,
    starts,
    answer,
    weight,
    epochs,
    rate,
    decay,
    seed,
):
    """Softmax cross-entropy over every answer of the relation, AdaGrad, weights kept at 0 or above.

    An answer that no rule speaks for keeps its prior, so most of the normaliser is one running sum. A head's other
    known answers do not compete.
    """
    np.random.seed(seed)
    n = prior.shape[0]
    base = np.exp(prior)
    whole = base.sum()
    squares = np.full(weight.shape[0], 1e-3, np.float32)
    logit = prior.copy()
    is_touched = np.zeros(n, np.bool_)
    known = np.zeros(n, np.bool_)
    touched = np.empty(n, np.int32)
    odds = np.zeros(n, np.float64)
    order = heads.copy()
    rows = np.empty(FACTS_PER_HEAD, np.int64)
    for _ in range(epochs):
        np.random.shuffle(order)
        for head in order:
            first, last = start[head * relations + relation], start[head * relations + relation + 1]
            for k in range(first, last):
                known[place[tails[k]]] = True
            offset = np.random.randint(last - first)
            for kk in range(min(last - first, ANSWERS_PER_HEAD)):
                asked = first + (offset + kk) % (last - first)
                target = place[tails[asked]]
                n_rows = 0
                for k in range(start[head * relations], start[(head + 1) * relations]):
                    if k == asked or of_edge[k] < 0:
                        continue  # the triple itself, or what no rule is about
                    row = fact_row[of_edge[k]]
                    if row >= 0 and n_rows < FACTS_PER_HEAD:
                        rows[n_rows] = row
                        n_rows += 1
                m = 0
                for i in range(n_rows):
                    for w in range(starts[rows[i]], starts[rows[i] + 1]):
                        c = answer[w]
                        if not is_touched[c]:
                            is_touched[c] = True
                            touched[m] = c
                            m += 1
                        logit[c] += weight[w]
                if is_touched[target]:
                    z = whole
                    for k in range(first, last):
                        c = place[tails[k]]
                        if c != target and not is_touched[c]:
                            z -= base[c]
                    for i in range(m):
                        c = touched[i]
                        z -= base[c]
                        odds[c] = 0.0 if known[c] and c != target else np.exp(min(logit[c], 60.0))
                        z += odds[c]
                    for i in range(n_rows):
                        for w in range(starts[rows[i]], starts[rows[i] + 1]):
                            slope = odds[answer[w]] / z + decay * weight[w] - (1.0 if answer[w] == target else 0.0)
                            squares[w] += slope * slope
                            weight[w] = max(0.0, weight[w] - rate * slope / np.sqrt(squares[w]))
                for i in range(m):
                    logit[touched[i]] = prior[touched[i]]
                    is_touched[touched[i]] = False
            for k in range(first, last):
                known[place[tails[k]]] = False
