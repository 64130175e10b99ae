"""Why an answer scores as it does: the arithmetic, the facts behind it, its rivals, and what would bring it down."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from rulewright.completion.counterfactual import counterfactual
from rulewright.completion.explain import WITNESSES, explain
from rulewright.completion.question import Question
from rulewright.completion.rules import path_rule
from rulewright.paths.graph import relation_name
from rulewright.rules.explanation import Explanation, Part, Rival
from rulewright.web.fact_graph import fact_graph
from rulewright.web.links import ask_link, explanation_link, rule_link
from rulewright.web.run import GraphRun
from rulewright.web.wording import Data, atom_data, entity_data

SHOWN_PARTS = 20
DETAILED = 5  # parts shown with several of the ways in which they hold; the others with one


def explanation_page(run: GraphRun, head: int, directed: int, tail: int) -> Data:
    """A score taken apart."""
    model = run.model
    found = explained(run, head, directed, tail)
    keys = path_keys(run, directed)
    shown, rest = largest(found.parts, SHOWN_PARTS)
    return {
        "page": "explanation",
        "title": str(found.fact),
        "fact": atom_data(found.fact, model),
        "head": entity_data(model, head),
        "tail": entity_data(model, tail),
        "relation": relation_name(directed, model.relations.names),
        "score": found.score,
        "higher": found.higher,
        "equal": found.equal,
        "known": found.known,
        "terms": [
            part_data(run, directed, part, keys, WITNESSES if place < DETAILED else 1)
            for place, part in enumerate(shown)
        ],
        "rest": {"count": len(rest), "share": sum(part.share for part in rest)},
        "sum": sum(part.share for part in found.parts),
        "rivals": [rival_data(run, head, directed, rival) for rival in found.rivals],
        "graph": fact_graph(model.entities.names[head], model.entities.names[tail], found.fact, found.parts),
        "ask": ask_link(model, head, directed),
        "counterfactual": explanation_link(model, head, directed, tail, "counterfactual"),
    }


def explained(run: GraphRun, head: int, directed: int, tail: int) -> Explanation:
    """The explanation, with the library's usual numbers of ways and rivals; only rules that are shown have ways."""
    model = run.model
    names = model.entities.names
    relation = relation_name(directed, model.relations.names)
    return explain(model, names[head], relation, names[tail], detailed=SHOWN_PARTS)


def largest(parts: Sequence[Part], count: int) -> tuple[list[Part], list[Part]]:
    """The parts that add or take away most, and the others; both in the order given."""
    by_size = sorted(range(len(parts)), key=lambda at: -abs(parts[at].share))
    return [parts[at] for at in sorted(by_size[:count])], [parts[at] for at in sorted(by_size[count:])]


@lru_cache(32)
def path_keys(run: GraphRun, directed: int) -> dict[str, str]:
    """The path rules of a relation by their text."""
    mixture = run.model.mixture(directed)
    used = np.flatnonzero(mixture.weights > 0).tolist()
    return {str(path_rule(run.model, directed, mixture.paths[place])): f"path.{place}" for place in used}


def part_data(run: GraphRun, directed: int, part: Part, keys: dict[str, str], ways: int) -> Data:
    """One term of the sum, with ways in which it holds."""
    key = keys.get(part.rule)
    return {
        "rule": part.rule,
        "href": "" if key is None else rule_link(run.model, directed, key),
        "kind": part.kind,
        "weight": part.weight,
        "truth": part.truth,
        "share": part.share,
        "count": part.count,
        "witnesses": [[atom_data(fact.atom, run.model) for fact in witness.facts] for witness in part.witnesses[:ways]],
    }


def rival_data(run: GraphRun, head: int, directed: int, rival: Rival) -> Data:
    """A candidate next in rank, and what sets it apart."""
    place = 0 if directed & 1 else 1
    entity = run.model.entities.id(rival.fact.terms[place].name)
    assert entity is not None
    return {
        "entity": entity_data(run.model, entity),
        "score": rival.score,
        "difference": rival.difference,
        "higher": rival.higher,
        "differences": [{"rule": entry.rule, "here": entry.here, "there": entry.there} for entry in rival.differences],
        "rest": rival.rest,
        "href": explanation_link(run.model, head, directed, entity),
    }


def counterfactual_page(run: GraphRun, head: int, directed: int, tail: int) -> Data:
    """Facts without which the answer would fall; slow, since every trial scores anew over another graph."""
    question = Question.of(run.model, directed, head, tail)
    if tail in run.model.graph.tails_of(head, directed):
        question = question.without([question.triple])
    found = counterfactual(question)
    return {
        "page": "counterfactual",
        "title": str(question.fact(tail)),
        "fact": atom_data(question.fact(tail), run.model),
        "back": explanation_link(run.model, head, directed, tail),
        "before": {"score": question.score, "higher": question.higher},
        "found": None
        if found is None
        else {
            "goal": found.goal,
            "reached": found.reached,
            "removed": [atom_data(fact, run.model) for fact in found.removed],
            "score": found.score,
            "higher": found.higher,
            "needed": found.needed,
        },
    }
