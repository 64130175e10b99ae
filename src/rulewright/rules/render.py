"""A program for the eye: as text, and as a tree with weights on its edges and biases in parentheses."""

from rulewright.logic.node import tree_lines
from rulewright.logic.program import Program


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
        lines.append(f"{program.fidelity} (threshold {program.threshold:g})")
    return "\n".join(lines)


def rule_line(rule: str, truth: float, support: int | None, confidence: float | None) -> str:
    """One rule with its figures in front."""
    measured = "" if support is None or confidence is None else f"  {confidence:6.1%} of {support:,}"
    return f"{truth:6.3f}{measured}  {rule}"


def render_tree(program: Program) -> str:
    """The network as a tree: the weight before each input, the bias in parentheses behind each operator."""
    return "\n".join(tree_lines(program.tree))
