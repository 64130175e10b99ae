"""Explanations as JSON and back, without loss."""

from collections.abc import Mapping
from typing import Any

from rulewright.logic.terms import Atom, Constant
from rulewright.rules.explanation import (
    Counterfactual,
    Difference,
    Explanation,
    Input,
    Part,
    Rival,
    SourcedFact,
    Step,
    Witness,
)
from rulewright.rules.shown_explanation import ShownExplanation

Json = dict[str, Any]


def explanation_to_json(explanation: Explanation) -> Json:
    """An explanation as plain dictionaries and lists, ready for `json.dumps`."""
    found = explanation.counterfactual
    return {
        "fact": atom_to_json(explanation.fact),
        "text": str(explanation.fact),
        "score": explanation.score,
        "higher": explanation.higher,
        "equal": explanation.equal,
        "known": explanation.known,
        "threshold": explanation.threshold,
        "parts": [part_to_json(part) for part in explanation.parts],
        "rivals": [rival_to_json(rival) for rival in explanation.rivals],
        "counterfactual": None if found is None else counterfactual_to_json(found),
        "arithmetic": None if explanation.arithmetic is None else step_to_json(explanation.arithmetic),
    }


def explanation_from_json(document: Mapping[str, Any]) -> Explanation:
    """The explanation that `explanation_to_json` was given."""
    counterfactual, arithmetic = document["counterfactual"], document["arithmetic"]
    return ShownExplanation(
        atom_from_json(document["fact"]),
        document["score"],
        document["higher"],
        document["equal"],
        document["known"],
        tuple(part_from_json(part) for part in document["parts"]),
        tuple(rival_from_json(rival) for rival in document["rivals"]),
        None if counterfactual is None else counterfactual_from_json(counterfactual),
        None if arithmetic is None else step_from_json(arithmetic),
        document["threshold"],
    )


def atom_to_json(atom: Atom) -> Json:
    """A ground atom."""
    return {"predicate": atom.predicate, "arguments": [term.name for term in atom.terms]}


def atom_from_json(document: Mapping[str, Any]) -> Atom:
    """The ground atom again."""
    return Atom(document["predicate"], tuple(Constant(name) for name in document["arguments"]))


def fact_to_json(fact: SourcedFact) -> Json:
    """A ground atom with where it comes from."""
    return {**atom_to_json(fact.atom), "source": fact.source, "truth": fact.truth}


def fact_from_json(document: Mapping[str, Any]) -> SourcedFact:
    """The fact again."""
    return SourcedFact(atom_from_json(document), document["source"], document["truth"])


def part_to_json(part: Part) -> Json:
    """A part; its share is written too, for readers."""
    witnesses = [[fact_to_json(fact) for fact in witness.facts] for witness in part.witnesses]
    figures = {"weight": part.weight, "truth": part.truth, "share": part.share}
    return {"rule": part.rule, "kind": part.kind, **figures, "count": part.count, "witnesses": witnesses}


def part_from_json(document: Mapping[str, Any]) -> Part:
    """The part again."""
    witnesses = tuple(Witness(tuple(map(fact_from_json, facts))) for facts in document["witnesses"])
    rule, truth, weight = document["rule"], document["truth"], document["weight"]
    return Part(rule, truth, weight, document["kind"], witnesses, document["count"])


def rival_to_json(rival: Rival) -> Json:
    """A candidate beside the fact."""
    return {
        "fact": atom_to_json(rival.fact),
        "text": str(rival.fact),
        "score": rival.score,
        "difference": rival.difference,
        "differences": [{"rule": d.rule, "here": d.here, "there": d.there} for d in rival.differences],
        "rest": rival.rest,
    }


def rival_from_json(document: Mapping[str, Any]) -> Rival:
    """The candidate again."""
    differences = tuple(Difference(d["rule"], d["here"], d["there"]) for d in document["differences"])
    fact, score, difference = atom_from_json(document["fact"]), document["score"], document["difference"]
    return Rival(fact, score, difference, differences, document["rest"])


def counterfactual_to_json(counterfactual: Counterfactual) -> Json:
    """What removing facts would do."""
    return {
        "goal": counterfactual.goal,
        "reached": counterfactual.reached,
        "removed": [atom_to_json(atom) for atom in counterfactual.removed],
        "added": [atom_to_json(atom) for atom in counterfactual.added],
        "score": counterfactual.score,
        "higher": counterfactual.higher,
        "equal": counterfactual.equal,
        "needed": counterfactual.needed,
    }


def counterfactual_from_json(document: Mapping[str, Any]) -> Counterfactual:
    """The counterfactual again."""
    removed, added = (tuple(map(atom_from_json, document[name])) for name in ("removed", "added"))
    place = document["score"], document["higher"], document["equal"]
    return Counterfactual(document["goal"], document["reached"], removed, added, *place, document["needed"])


def step_to_json(step: Step) -> Json:
    """A step of the arithmetic and everything below it."""
    return {
        "kind": step.kind,
        "label": step.label,
        "value": step.value,
        "raw": step.raw,
        "bias": step.bias,
        "norm": step.norm,
        "ways": step.ways,
        "tied": step.tied,
        "fact": None if step.fact is None else fact_to_json(step.fact),
        "negated": step.negated,
        "inputs": [{"weight": entry.weight, **step_to_json(entry.step)} for entry in step.inputs],
    }


def step_from_json(document: Mapping[str, Any]) -> Step:
    """The step again."""
    inputs = tuple(Input(entry["weight"], step_from_json(entry)) for entry in document["inputs"])
    fact = None if document["fact"] is None else fact_from_json(document["fact"])
    kind, label, value, raw = (document[name] for name in ("kind", "label", "value", "raw"))
    counts = document["ways"], document["tied"]
    return Step(kind, label, value, raw, document["bias"], inputs, document["norm"], *counts, fact, document["negated"])
