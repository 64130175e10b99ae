"""A program for the eye: as text, and as a tree with weights on its edges and biases in parentheses."""

from rulewright.logic.program import Edge, Node, Program

SHOWN_WEIGHT = 0.005  # a mixture's predicates below this weight are counted, not listed

NAMES = {
    "pred": "LNN-pred",
    "attention": "attention",
    "and": "and",
    "or": "or",
    "not": "not",
    "exists": "best of",
    "predicate": "",
}


def render_text(program: Program, top: int | None = None) -> str:
    """The rules with their truth, strongest first, and how far the text can be trusted."""
    rules = program.rules[:top]
    lines = [rule_line(str(learned.rule), learned.truth, learned.support, learned.confidence) for learned in rules]
    lines += [f"        {rule}" for rule in program.auxiliaries]
    if not rules:
        lines = [f"no rule for {program.head} reaches truth {program.threshold:g}"]
    left = len(program.rules) - len(rules)
    if left or not program.complete:
        lines.append(f"({left} weaker rules not shown)" if left else "(weaker rules were left out)")
    if program.fidelity is not None:
        share, facts = program.fidelity.share, program.fidelity.facts
        lines.append(
            f"the text agrees with the network on {share:.2%} of {facts:,} facts (threshold {program.threshold:g})"
        )
    return "\n".join(lines)


def rule_line(rule: str, truth: float, support: int | None, confidence: float | None) -> str:
    """One rule with its figures in front."""
    measured = "" if support is None or confidence is None else f"  {confidence:6.1%} of {support:,}"
    return f"{truth:6.3f}{measured}  {rule}"


def render_tree(program: Program) -> str:
    """The network as a tree: the weight before each input, the bias in parentheses behind each operator."""
    return "\n".join(tree_lines(program.tree))


def tree_lines(node: Node) -> list[str]:
    """A node's line, and its inputs' lines indented below it."""
    lines = [node_line(node)]
    shown, hidden = visible(node)
    for place, edge in enumerate(shown):
        last = place == len(shown) - 1 and not hidden
        weight = "" if edge.weight is None else f"{edge.weight:.3f} "
        first, *rest = tree_lines(edge.node)
        lines.append(f"{'└─' if last else '├─'} {weight}{first}")
        lines += [f"{'  ' if last else '│ '} {line}" for line in rest]
    if hidden:
        lines.append(f"└─ {hidden} more with weight below {SHOWN_WEIGHT:g}")
    return lines


def node_line(node: Node) -> str:
    """What a node is: operator, label, bias."""
    if node.kind == "predicate":
        return f"not {node.label}" if node.negated else node.label
    norm = f" [{node.norm}]" if node.kind in ("and", "or") and node.norm != "lnn" else ""
    bias = "" if node.bias is None else f" ({node.bias:.3f})"
    return f"{node.label} = {NAMES[node.kind]}{norm}{bias}"


def visible(node: Node, smallest: float = SHOWN_WEIGHT) -> tuple[list[Edge], int]:
    """The inputs worth showing, of a mixture the heaviest first and none below `smallest`; how many are left."""
    if node.kind not in ("pred", "attention"):
        return list(node.inputs), 0
    heavy = [edge for edge in node.inputs if edge.weight is not None and edge.weight >= smallest]
    heavy.sort(key=lambda edge: -(edge.weight or 0.0))
    return heavy, len(node.inputs) - len(heavy)
