"""Change a model by hand: drop a rule, add one, pin one's weight; fit the others again around what is pinned.

Every function gives a new model and leaves the old one as it was. A rule is written as `rulewright rules` prints it.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rulewright.completion.constants import by_fact
from rulewright.completion.counting import count_predictions
from rulewright.completion.folds import Graphs, TrainingFacts
from rulewright.completion.given import Given
from rulewright.completion.learner import RelationLearner
from rulewright.completion.mixture import COLUMNS, Mixture
from rulewright.completion.model import CompletionModel, Pin
from rulewright.completion.placing import MisfitError, constant_rule, directed, path_rule, path_table, turned
from rulewright.errors import InputError, OptionError
from rulewright.kb.splits import Dataset
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Constant
from rulewright.paths.graph import relation_name


def drop(model: CompletionModel, relation: int, rule: Rule) -> CompletionModel:
    """The model without a rule of a directed relation."""
    mixture = model.mixture(relation)
    keys = [key for key in keys_of(model, relation, rule) if weight_of(mixture, key, model) != 0]
    if not keys:
        name = relation_name(relation, model.relations.names)
        raise InputError(f"{name} has no rule {rule}; `rulewright rules RUN --relation {name}` lists those it has")
    for key in keys:
        mixture = without(mixture, key, model)
    return changed(model, mixture, model.pinned.get(relation, frozenset()).difference(keys))


def add(model: CompletionModel, relation: int, rule: Rule, weight: float) -> CompletionModel:
    """The model with a rule of a directed relation; one that is there already takes the weight."""
    if not 0 < weight < np.inf:
        raise OptionError(f"a rule's weight must be a number greater than 0, not {weight:g}; drop what is not wanted")
    mixture = with_weight(model, model.mixture(relation), keys_of(model, relation, rule)[0], weight)
    return changed(model, mixture, model.pinned.get(relation, frozenset()))


def pin(model: CompletionModel, relation: int, rule: Rule, weight: float | None = None) -> CompletionModel:
    """The model with a rule whose weight `refit` leaves alone: the one given, or the one it has."""
    keys = keys_of(model, relation, rule)
    if keys[0][0] == "constant":
        raise OptionError(f"{rule} cannot be pinned: rules with constants are weighed as one table; drop or add it")
    if weight is not None:
        model = add(model, relation, rule, weight)
    held = [key for key in keys if weight_of(model.mixture(relation), key, model) != 0]
    if not held:
        raise InputError(f"{rule} is not there to be pinned: say its weight as well, and it is added")
    return changed(model, model.mixture(relation), model.pinned.get(relation, frozenset()).union(held))


def refit(model: CompletionModel, dataset: Dataset, relations: set[int]) -> CompletionModel:
    """The weights of some directed relations fitted again; what is pinned stays, and what was dropped stays away."""
    both = {relation ^ turn for relation in relations for turn in (0, 1)}
    mixtures = {relation: model.mixture(relation) for relation in both}
    length = max(mixture.paths.shape[1] for mixture in mixtures.values())
    given = Given(
        {relation: widened(mixture.paths, length) for relation, mixture in mixtures.items()},
        {relation: entries(mixture) for relation, mixture in mixtures.items() if len(mixture.constants)},
        holds={relation: holds(model, mixture) for relation, mixture in mixtures.items()},
    )
    settings = replace(
        model.settings,
        length=length,
        direct=any(mixture.direct.size for mixture in mixtures.values()),
        answer=any(mixture.answer.size for mixture in mixtures.values()),
    )
    learner = RelationLearner(Graphs.of(TrainingFacts.of(dataset), settings, given), settings, given)
    fitted = {mixture.relation: mixture for base in {r >> 1 for r in relations} for mixture in learner.learn(base)}
    return replace(model, mixtures={**model.mixtures, **{relation: fitted[relation] for relation in relations}})


def keys_of(model: CompletionModel, relation: int, rule: Rule) -> list[Pin]:
    """Where a mixture may hold a rule: a path, an entry of a table, or the weight of a literal."""
    try:
        if any(isinstance(term, Constant) for term in rule.head.terms):
            found, fact, answer = constant_rule(rule, model.entities, model.relations)
            if found != relation:
                name = relation_name(found, model.relations.names)
                raise InputError(f"{rule} is a rule of {name}: name that relation to change it")
            return [("constant", fact, answer)]
        if directed(rule.head.predicate, model.relations) != relation & ~1:
            raise InputError(f"{rule} is no rule of {relation_name(relation, model.relations.names)}")
        literal = literal_key(model, relation, rule)
        if literal is not None and literal[0] == "answer":
            return [literal]
        if literal is not None and any(isinstance(part, Literal) and part.negated for part in rule.body):
            return [literal]
        _, path = path_rule(rule, model.relations)
    except MisfitError as misfit:
        named = f", {misfit.name}" if misfit.name else ""
        raise InputError(f"{rule} cannot stand in a mixture: {misfit.reason}{named}{misfit.hint()}") from misfit
    steps: Pin = ("path", *(turned(path) if relation & 1 else path))
    return [steps, literal] if literal is not None else [steps]


def literal_key(model: CompletionModel, relation: int, rule: Rule) -> Pin | None:
    """The key of r(X, Y) :- s(X, Y) and r(X, Y) :- s(Y, A); None where the body is something else."""
    if len(rule.body) != 1 or not isinstance(part := rule.body[0], Literal) or len(part.atom.terms) != 2:
        return None
    query, answer = rule.head.terms[::-1] if relation & 1 else rule.head.terms
    step = directed(part.atom.predicate, model.relations)
    first, second = part.atom.terms
    if {first, second} == {query, answer}:
        return ("direct", step if first == query else step ^ 1)
    if answer in (first, second) and query not in (first, second):
        return ("answer", step if first == answer else step ^ 1)
    return None


def row_of(mixture: Mixture, steps: tuple[int, ...]) -> int:
    """The row of a path, -1 where there is none."""
    width = mixture.paths.shape[1]
    if len(steps) > width:
        return -1
    rows = np.flatnonzero((mixture.paths == (*steps, *[-1] * (width - len(steps)))).all(axis=1))
    return int(rows[0]) if len(rows) else -1


def weight_of(mixture: Mixture, key: Pin, model: CompletionModel) -> float:
    """The weight that a mixture gives to what is behind a key."""
    kind, *ids = key
    if kind == "path":
        row = row_of(mixture, tuple(map(int, ids)))
        return 0.0 if row < 0 else float(mixture.weights[row])
    if kind == "constant":
        fact, answer = entries(mixture)
        hit = (fact == ids[0]) & (answer == ids[1])
        return float(mixture.constants.weight[hit].sum())
    table = mixture.direct if kind == "direct" else mixture.answer
    return float(table[int(ids[0])]) if table.size else 0.0


def without(mixture: Mixture, key: Pin, model: CompletionModel) -> Mixture:
    """The mixture without what is behind a key."""
    kind, *ids = key
    if kind == "path":
        keep = np.arange(len(mixture.paths)) != row_of(mixture, tuple(map(int, ids)))
        return replace(
            mixture,
            paths=mixture.paths[keep],
            weights=mixture.weights[keep],
            support=mixture.support[keep],
            confidence=mixture.confidence[keep],
        )
    if kind == "constant":
        fact, answer = entries(mixture)
        rules = mixture.constants
        keep = (fact != ids[0]) | (answer != ids[1])
        left = by_fact(rules.answers, rules.prior, fact[keep], rules.answer[keep], rules.weight[keep])
        return replace(mixture, constants=left)
    return literal_set(mixture, str(kind), int(ids[0]), 0.0, 2 * len(model.relations))


def with_weight(model: CompletionModel, mixture: Mixture, key: Pin, weight: float) -> Mixture:
    """The mixture in which what is behind a key has a weight."""
    kind, *ids = key
    if kind == "constant":
        raise OptionError("rules with constants are weighed as one table: one can be dropped, but not added by itself")
    if kind != "path":
        told = -weight if kind == "direct" else weight
        return literal_set(mixture, str(kind), int(ids[0]), told, 2 * len(model.relations))
    steps = tuple(map(int, ids))
    row = row_of(mixture, steps)
    if row >= 0:
        weights = mixture.weights.copy()
        weights[row] = weight
        return replace(mixture, weights=weights)
    new = path_table([steps], max(len(steps), mixture.paths.shape[1]))
    predicted, correct = count_predictions(model.graph, mixture.relation, new)
    paths = np.concatenate([widened(mixture.paths, new.shape[1]), new])
    order = np.lexsort(paths.T[::-1])
    share = correct / np.maximum(predicted, 1)
    return replace(
        mixture,
        paths=np.ascontiguousarray(paths[order]),
        weights=np.append(mixture.weights, np.float32(weight))[order],
        support=np.append(mixture.support, np.minimum(correct, mixture.sampled))[order],
        confidence=np.append(mixture.confidence, share.astype(np.float32))[order],
    )


def literal_set(mixture: Mixture, kind: str, relation: int, weight: float, relations: int) -> Mixture:
    """The mixture with the weight of one literal; a negated direct literal has a weight below 0."""
    if kind == "direct":
        direct = mixture.direct.copy() if mixture.direct.size else np.zeros(relations, np.float32)
        direct[relation] = weight
        return replace(mixture, direct=direct)
    answer = mixture.answer.copy() if mixture.answer.size else np.zeros(relations + 1, np.float32)
    answer[relation] = weight
    return replace(mixture, answer=answer)


def widened(paths: NDArray[np.int32], length: int) -> NDArray[np.int32]:
    """Paths in a table for longer ones."""
    return np.pad(paths, ((0, 0), (0, length - paths.shape[1])), constant_values=-1)


def entries(mixture: Mixture) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """A mixture's rules with constants: fact and answering entity of each."""
    rules = mixture.constants
    return np.repeat(rules.facts, np.diff(rules.starts)), rules.answers[rules.answer]


def holds(model: CompletionModel, mixture: Mixture) -> NDArray[np.float64]:
    """What a fit must leave: pinned weights, and tables and literals that are not in use."""
    dense, relations = len(mixture.weights) + len(COLUMNS), 2 * len(model.relations)
    found = np.full(dense + 2 * relations + 1, np.nan)
    tables = (mixture.columns, mixture.direct, mixture.answer)
    for start, table in zip((len(mixture.weights), dense, dense + relations), tables, strict=True):
        found[start : start + len(table)][table == 0] = 0.0
    for key in model.pinned.get(mixture.relation, frozenset()):
        kind, *ids = key
        row = row_of(mixture, tuple(map(int, ids))) if kind == "path" else -1
        place = row if kind == "path" else (dense if kind == "direct" else dense + relations) + int(ids[0])
        if place >= 0:
            found[place] = weight_of(mixture, key, model)
    return found


def changed(model: CompletionModel, mixture: Mixture, pinned: frozenset[Pin]) -> CompletionModel:
    """The model with another mixture for one directed relation."""
    relation = mixture.relation
    return replace(model, mixtures={**model.mixtures, relation: mixture}, pinned={**model.pinned, relation: pinned})
