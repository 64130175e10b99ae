"""The network as a tree with its weights: a template's own, or a relation's mixture written as one."""

import numpy as np

from rulewright.completion.rules import rule_at
from rulewright.logic.node import NAMES, SHOWN_WEIGHT, Edge, Node, visible
from rulewright.logic.rule import Literal
from rulewright.paths.graph import relation_name
from rulewright.web.links import relation_link, rule_link
from rulewright.web.relation import rule_key
from rulewright.web.run import GraphRun, TemplateRun
from rulewright.web.wording import Data

SHOWN = 30  # rules of a mixture in its tree


def template_page(run: TemplateRun) -> Data:
    """The template's network."""
    return {
        "page": "template",
        "title": f"{run.title} as a tree",
        "subject": run.title,
        "href": "/",
        "least": SHOWN_WEIGHT,
        "tree": node_data(run.program.tree, None),
    }


def node_data(node: Node, weight: float | None) -> Data:
    """A node with the weight on its edge, and what is below it."""
    shown, hidden = visible(node)
    heaviest = max((abs(edge.weight or 0.0) for edge in node.inputs), default=0.0)
    return {
        "operator": ("not" if node.negated else "") if node.kind == "predicate" else NAMES[node.kind],
        "kind": node.kind,
        "norm": node.norm if node.kind in ("and", "or") and node.norm != "lnn" else "",
        "label": node.label,
        "bias": node.bias,
        "weight": weight,
        "href": "",
        "inputs": [node_data(edge.node, edge.weight) | {"share": share(edge.weight, heaviest)} for edge in shown],
        "hidden": hidden,
    }


def share(weight: float | None, heaviest: float) -> float | None:
    """A weight against the heaviest beside it."""
    return None if weight is None or heaviest == 0 else abs(weight) / heaviest


def mixture_page(run: GraphRun, directed: int) -> Data:
    """A relation's mixture: one weighted sum, whose inputs are the bodies of its rules."""
    model, table = run.model, run.table(directed)
    order = np.argsort(-np.abs(table.weight), kind="stable")[:SHOWN].tolist()
    rules = [rule_at(model, table, row) for row in order]
    inputs = tuple(Edge(rule.weight, body_node(rule.rule.body)) for rule in rules)
    name = relation_name(directed, model.relations.names)
    tree = node_data(Node("pred", f"{name}(X, Y)", None, inputs), None)
    shown = tree["inputs"]
    for entry, row in zip(shown, order, strict=False):
        entry["href"] = rule_link(model, directed, rule_key(table, row))
    return {
        "page": "template",
        "title": f"{name} as a tree",
        "subject": name,
        "href": relation_link(model, directed),
        "least": 0,
        "tree": tree | {"hidden": len(table) - len(shown)},
    }


def body_node(body: tuple[object, ...]) -> Node:
    """The body of a rule: its only literal, or their conjunction under the best walk."""
    literals = [part for part in body if isinstance(part, Literal)]
    leaves = [Node("predicate", str(part.atom), negated=part.negated) for part in literals]
    if len(leaves) == 1:
        return leaves[0]
    return Node("and", ", ".join(map(str, literals)), None, tuple(Edge(None, leaf) for leaf in leaves), "walk")
