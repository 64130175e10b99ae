"""A program as JSON and back, without loss. No torch, no pickle: whoever opens a program runs no code from it."""

from typing import Any, get_args

from rulewright.errors import RunFolderError
from rulewright.logic.node import Edge, Kind, Node
from rulewright.logic.program import Fidelity, LearnedRule, Program
from rulewright.logic.rule import OPERATORS, Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Constant, Term, Variable

Json = Any

FORMAT = 1
DEEPEST = 250  # more than any template unrolls to, so that what walks down the tree may recurse


def program_to_json(program: Program) -> Json:
    """The program as plain lists, dictionaries, strings and numbers."""
    return {
        "format": FORMAT,
        "head": atom_to_json(program.head),
        "threshold": program.threshold,
        "complete": program.complete,
        "fidelity": None
        if program.fidelity is None
        else {"facts": program.fidelity.facts, "agreeing": program.fidelity.agreeing},
        "rules": [
            {
                "text": str(learned.rule),  # for people; reading goes by the structure
                "rule": rule_to_json(learned.rule),
                "truth": learned.truth,
                "support": learned.support,
                "confidence": learned.confidence,
            }
            for learned in program.rules
        ],
        "auxiliaries": [rule_to_json(rule) for rule in program.auxiliaries],
        "tree": node_to_json(program.tree),
    }


def program_from_json(data: Json) -> Program:
    """The program behind what `program_to_json` made; anything else is an error."""
    try:
        return program_of(data)
    except RunFolderError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as cause:
        raise RunFolderError(f"this is not a program that Rulewright wrote: {type(cause).__name__}: {cause}") from cause


def program_of(data: Json) -> Program:
    """The program behind sound JSON."""
    if int(data["format"]) > FORMAT:
        raise RunFolderError(
            f"the program has format {data['format']}; this version reads up to {FORMAT}: upgrade Rulewright"
        )
    fidelity = data["fidelity"]
    return Program(
        head=atom_from_json(data["head"]),
        rules=tuple(
            LearnedRule(
                rule_from_json(entry["rule"]),
                float(entry["truth"]),
                None if entry["support"] is None else int(entry["support"]),
                None if entry["confidence"] is None else float(entry["confidence"]),
            )
            for entry in data["rules"]
        ),
        tree=node_from_json(data["tree"]),
        threshold=float(data["threshold"]),
        auxiliaries=tuple(map(rule_from_json, data["auxiliaries"])),
        complete=bool(data["complete"]),
        fidelity=None if fidelity is None else Fidelity(int(fidelity["facts"]), int(fidelity["agreeing"])),
    )


def term_to_json(term: Term) -> Json:
    """A variable or a constant."""
    return {"variable": term.name} if isinstance(term, Variable) else {"constant": term.name}


def term_from_json(data: Json) -> Term:
    """A variable or a constant."""
    return Variable(str(data["variable"])) if "variable" in data else Constant(str(data["constant"]))


def atom_to_json(atom: Atom) -> Json:
    """A predicate and its terms."""
    return {"predicate": atom.predicate, "terms": [term_to_json(term) for term in atom.terms]}


def atom_from_json(data: Json) -> Atom:
    """A predicate and its terms."""
    return Atom(str(data["predicate"]), tuple(map(term_from_json, data["terms"])))


def rule_to_json(rule: Rule) -> Json:
    """A head and a body of literals and comparisons."""
    body = []
    for part in rule.body:
        if isinstance(part, Comparison):
            left, right = term_to_json(part.left), term_to_json(part.right)
            body.append({"left": left, "operator": part.operator, "right": right})
        else:
            body.append({"atom": atom_to_json(part.atom), "negated": part.negated})
    return {"head": atom_to_json(rule.head), "body": body}


def rule_from_json(data: Json) -> Rule:
    """A head and a body of literals and comparisons."""
    body: list[Literal | Comparison] = []
    for part in data["body"]:
        if "atom" in part:
            body.append(Literal(atom_from_json(part["atom"]), bool(part["negated"])))
        else:
            left, right = term_from_json(part["left"]), term_from_json(part["right"])
            if part["operator"] not in OPERATORS:
                raise ValueError(f"there is no comparison {part['operator']!r}")
            body.append(Comparison(left, part["operator"], right))
    return Rule(atom_from_json(data["head"]), tuple(body))


def node_to_json(node: Node) -> Json:
    """A node of the tree and everything below it."""
    return {
        "kind": node.kind,
        "label": node.label,
        "bias": node.bias,
        "norm": node.norm,
        "negated": node.negated,
        "inputs": [{"weight": edge.weight, "node": node_to_json(edge.node)} for edge in node.inputs],
    }


def node_from_json(data: Json, depth: int = 0) -> Node:
    """A node of the tree and everything below it, which may lie below `depth` others."""
    if depth > DEEPEST:
        raise ValueError(f"the tree is more than {DEEPEST} nodes deep")
    kind: Kind = data["kind"]
    if kind not in get_args(Kind):
        raise ValueError(f"there is no kind of node {kind!r}")
    inputs = tuple(
        Edge(None if edge["weight"] is None else float(edge["weight"]), node_from_json(edge["node"], depth + 1))
        for edge in data["inputs"]
    )
    bias = None if data["bias"] is None else float(data["bias"])
    return Node(kind, str(data["label"]), bias, inputs, str(data["norm"]), bool(data["negated"]))
