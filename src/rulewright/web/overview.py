"""The first page: what the run is, how good it is, and what it has rules about."""

from functools import lru_cache
from typing import Any

import numpy as np

from rulewright.completion.model import CompletionModel
from rulewright.errors import InputError
from rulewright.logic.program import Program
from rulewright.paths.graph import relation_name
from rulewright.web.links import ask_link, link, relation_link, template_link
from rulewright.web.run import GraphRun, TemplateRun
from rulewright.web.wording import Data, rule_data

SHOWN_FIGURES = (("mrr", "MRR"), ("hits@1", "Hits@1"), ("hits@3", "Hits@3"), ("hits@10", "Hits@10"))
SORTS = {"name": "name", "facts": "facts", "rules": "rules", "mrr": "MRR"}


def graph_overview(run: GraphRun, words: str = "", sort: str = "facts") -> Data:
    """A knowledge graph: figures, reach, and its relations."""
    if sort not in SORTS:
        raise InputError(f"relations cannot be sorted by {sort}: choose one of {', '.join(SORTS)}")
    model = run.model
    chosen = run.relations.holding(words)[::2] if words else np.ones(len(model.relations), bool)
    rows = [row for row in relation_rows(run) if chosen[row["number"]]]
    key = (lambda row: row["name"]) if sort == "name" else (lambda row: -(row[sort] or 0))
    rows.sort(key=key)
    valid = run.figures.get("valid") or {}
    return {
        "page": "overview",
        "kind": "graph",
        "title": run.title,
        "counts": counts(model),
        "figures": [{"name": shown, "value": valid[name]} for name, shown in SHOWN_FIGURES if name in valid],
        "protocol": valid.get("protocol", ""),
        "seconds": run.document.get("seconds"),
        "reach": {"steps": run.reach.steps, "share": run.reach.share, "facts": run.reach.facts},
        "words": words,
        "sort": sort,
        "sorts": [
            {"key": key, "name": name, "href": link("", {"q": words, "sort": key})} for key, name in SORTS.items()
        ],
        "relations": rows,
        "total": len(model.relations),
        "ask": ask_link(model),
    }


def counts(model: CompletionModel) -> list[Data]:
    """What the run holds, in numbers."""
    numbers = [model.rule_count(relation) for relation in range(2 * len(model.relations))]
    return [
        {"name": "entities", "value": len(model.entities)},
        {"name": "relations", "value": len(model.relations)},
        {"name": "facts", "value": len(model.triples)},
        {"name": "path rules", "value": sum(int((mixture.weights > 0).sum()) for mixture in model.mixtures.values())},
        {"name": "rules in all", "value": sum(numbers)},
    ]


@lru_cache(4)
def relation_rows(run: GraphRun) -> tuple[Data, ...]:
    """Every relation with its facts, its rules in both directions, and its share of the figures."""
    model = run.model
    facts = np.bincount(model.triples[:, 1], minlength=len(model.relations)).tolist()
    measured: dict[str, Any] = {row["relation"]: row for row in (run.figures.get("valid") or {}).get("relations", [])}
    rows = []
    for number, name in enumerate(model.relations.names):
        tails, heads = model.rule_count(2 * number), model.rule_count(2 * number + 1)
        rows.append(
            {
                "number": number,
                "name": name,
                "inverse": relation_name(2 * number + 1, model.relations.names),
                "facts": facts[number],
                "rules": tails + heads,
                "tails": {"rules": tails, "href": relation_link(model, 2 * number)},
                "heads": {"rules": heads, "href": relation_link(model, 2 * number + 1)},
                "mrr": measured.get(name, {}).get("mrr"),
                "tree": template_link(model, 2 * number),
            }
        )
    return tuple(rows)


def template_overview(run: TemplateRun) -> Data:
    """A template: its text, its rules, and how far they can be trusted."""
    program = run.program
    return {
        "page": "overview",
        "kind": "template",
        "title": run.title,
        "counts": [
            {"name": "facts", "value": len(run.kb)},
            {"name": "predicates", "value": len(run.kb.relations)},
            {"name": "constants", "value": len(run.kb.constants)},
            {"name": "rules", "value": len(program.rules)},
        ],
        "figures": [
            {"name": name, "value": value} for name, value in run.best.items() if name in ("loss", "accuracy", "f1")
        ],
        "template": str(run.document.get("template", "")),
        "fidelity": fidelity(program),
        "rules": [
            {
                "number": number,
                "rule": rule_data(learned.rule),
                "truth": learned.truth,
                "support": learned.support,
                "confidence": learned.confidence,
                "href": link("rule", {"rule": str(number)}),
            }
            for number, learned in enumerate(program.rules)
        ],
        "auxiliaries": [rule_data(rule) for rule in program.auxiliaries],
        "threshold": program.threshold,
        "complete": program.complete,
    }


def fidelity(program: Program) -> Data | None:
    """How well the text agrees with the network."""
    found = program.fidelity
    return None if found is None else {"facts": found.facts, "agreeing": found.agreeing, "share": found.share}
