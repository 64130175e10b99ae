"""An explanation as a graph for Graphviz: facts, the rules that read them, and the fact that they lead to."""

from collections.abc import Iterator

from rulewright.rules.arithmetic import worked_out
from rulewright.rules.explanation import Explanation, Part, SourcedFact, Step
from rulewright.rules.rounding import shown_shares

FACT, ABSENT, RULE, HEAD = "shape=box", "shape=box, style=dashed", "shape=ellipse", "shape=box, style=bold"


def explanation_dot(explanation: Explanation, top: int = 10) -> str:
    """DOT text, to be drawn with `dot -Tsvg`; at most so many parts, or the whole arithmetic of a template."""
    lines = [
        "digraph explanation {",
        "  rankdir=LR;",
        '  node [fontname="Helvetica"];',
        '  edge [fontname="Helvetica"];',
    ]
    if explanation.arithmetic is not None:
        lines += Drawing().tree(explanation.arithmetic)
    else:
        lines += Drawing().parts(explanation, top)
    return "\n".join([*lines, "}"]) + "\n"


class Drawing:
    """Gives every fact one node, however many rules read it."""

    def __init__(self) -> None:
        self.nodes: dict[str, str] = {}

    def parts(self, explanation: Explanation, top: int) -> Iterator[str]:
        """The score as a node, every part's rule before it, and the facts of its first way before that."""
        yield node("score", f"{explanation.fact}\n{explanation.score:.3f}", HEAD)
        shares = shown_shares(explanation, top)
        left = len(explanation.parts[top:])
        if left:
            yield node("rest", f"{left} smaller part{'s' * (left > 1)}", RULE)
            yield edge("rest", "score", f"{shares[-1]:+.3f}")
        for place, (part, share) in enumerate(zip(explanation.parts[:top], shares, strict=False)):
            yield node(f"rule{place}", part_label(part), RULE)
            yield edge(f"rule{place}", "score", f"{share:+.3f}")
            for fact in part.witnesses[0].facts if part.witnesses else ():
                yield from self.fact(fact)
                yield edge(self.nodes[str(fact)], f"rule{place}")

    def fact(self, fact: SourcedFact) -> Iterator[str]:
        """A fact's node, once."""
        if str(fact) not in self.nodes:
            self.nodes[str(fact)] = name = f"fact{len(self.nodes)}"
            yield node(name, str(fact), ABSENT if fact.source == "absent" else FACT)

    def tree(self, step: Step) -> Iterator[str]:
        """A step's node, and those of everything below it; what is read twice is drawn once."""
        if step.label in self.nodes:
            return
        name = self.nodes[step.label] = f"step{len(self.nodes)}"
        first = HEAD if len(self.nodes) == 1 else None
        if step.kind == "fact":
            yield node(name, step.label, ABSENT if step.fact and step.fact.source == "absent" else FACT)
        else:
            text = f"{step.label}\n{step.value:.3f} = {worked_out(step)}"
            yield node(name, text, first or (ABSENT if step.kind == "absent" else RULE))
        for entry in step.inputs:
            yield from self.tree(entry.step)
            yield edge(self.nodes[entry.step.label], name, "" if entry.weight is None else f"{entry.weight:.3f}")


def part_label(part: Part) -> str:
    """A rule's node: the rule and its figures."""
    return part.rule if part.weight is None else f"{part.rule}\n{part.weight:.3f} x {part.truth:.3f}"


def node(name: str, label: str, style: str) -> str:
    """A node with its text."""
    return f"  {name} [label={dot_quoted(label)}, {style}];"


def edge(start: str, end: str, label: str = "") -> str:
    """An arrow, with its text if it has one."""
    return f"  {start} -> {end}" + (f" [label={dot_quoted(label)}]" if label else "") + ";"


def dot_quoted(text: str) -> str:
    r"""Any text as a DOT string; a backslash would start an escape, and a control character is nobody's name.

    >>> print(dot_quoted('say "a\\b"'))
    "say \"a\\b\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1].replace("\\", "\\\\") for c in escaped) + '"'
