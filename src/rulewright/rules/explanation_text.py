"""An explanation as text: parts, or the arithmetic as a tree, then the candidates beside it and what would undo it."""

from collections.abc import Sequence

from rulewright.rules.arithmetic import worked_out
from rulewright.rules.explanation import Counterfactual, Explanation, Part, Rival, SourcedFact, Step
from rulewright.rules.rounding import shown_difference, shown_differences, shown_shares

INDENT = " " * 12


def explanation_text(explanation: Explanation, top: int | None = 10) -> str:
    """The explanation for people, with at most so many parts, largest first."""
    lines = [headline(explanation)]
    shares = shown_shares(explanation, top)
    for part, share in zip(explanation.parts[:top], shares, strict=False):  # one more is that of the remainder
        lines += part_lines(part, share)
    lines += remainder(explanation, top, shares)
    if explanation.arithmetic is not None:
        lines += ["the arithmetic, from the facts up:", *step_lines(explanation.arithmetic)]
    for rival in explanation.rivals:
        lines += rival_lines(rival)
    if explanation.counterfactual is not None:
        lines += counterfactual_lines(explanation.counterfactual)
    return "\n".join(lines)


def headline(explanation: Explanation) -> str:
    """The fact, its score, and its place among the candidates."""
    said = place(explanation.higher, explanation.equal)
    known = " (a known fact, set aside here)" if explanation.known else ""
    if explanation.threshold is None:
        return f"{explanation.fact}{known}: score {explanation.score:.3f}, {said}"
    verdict = "predicted" if explanation.score >= explanation.threshold else "not predicted"
    return f"{explanation.fact}{known}: truth {explanation.score:.3f}, {verdict}, {said}"


def place(higher: int, equal: int) -> str:
    """How many candidates are above, and how many level."""
    above = "no candidate above it" if not higher else f"{higher:,} candidate{'s' * (higher > 1)} above it"
    return above + (f", level with {equal - 1:,} other{'s' * (equal > 2)}" if equal > 1 else "")


def part_lines(part: Part, share: float) -> list[str]:
    """A part's arithmetic and rule, and below it facts that make it true."""
    if part.weight is None:
        lines = [f"{part.truth:9.3f}  {part.rule}"]
    else:
        lines = [f"{share:+9.3f} = {part.weight:.3f} x {part.truth:.3f}  {part.rule}"]
    if part.witnesses:
        lines += [f"{INDENT}{sourced(fact)}" for fact in part.witnesses[0].facts]
    if part.count > 1:
        lines.append(f"{INDENT}and {part.count - 1:,} other way{'s' * (part.count > 2)}")
    return lines


def sourced(fact: SourcedFact) -> str:
    """A fact that a body rests on, with its source where that is not the facts that were read."""
    return f"{fact}  (derived)" if fact.source == "derived" else str(fact)


def remainder(explanation: Explanation, top: int | None, shares: Sequence[float]) -> list[str]:
    """What the parts beyond the limit come to."""
    left = [] if top is None else explanation.parts[top:]
    if not left:
        return []
    if left[0].weight is None:
        return [f"{INDENT}and {len(left)} weaker rule{'s' * (len(left) > 1)}"]
    return [f"{shares[-1]:+9.3f} = {len(left)} smaller part{'s' * (len(left) > 1)}"]


def step_lines(step: Step) -> list[str]:
    """A step's value and formula, and its inputs indented below it."""
    source = "  (a fact)" if step.fact is not None and step.fact.source == "facts" else ""
    lines = [f"{step.value:.3f}  {step.label}" + (source if step.kind == "fact" else f"  = {worked_out(step)}")]
    for at, entry in enumerate(step.inputs):
        last = at == len(step.inputs) - 1
        first, *rest = step_lines(entry.step)
        lines.append(f"{'└─' if last else '├─'} {first}")
        lines += [f"{'  ' if last else '│ '} {line}" for line in rest]
    return lines


def rival_lines(rival: Rival) -> list[str]:
    """A candidate beside it, and the rules that set the two apart."""
    side = "above" if rival.higher else "level" if rival.difference == 0 else "below"
    lines = [f"{side}: {rival.fact}: {rival.score:.3f} ({shown_difference(rival):+.3f})"]
    rules = [*(entry.rule for entry in rival.differences), "all other differences"]
    return lines + [f"{apart:+9.3f}  {rule}" for apart, rule in zip(shown_differences(rival), rules, strict=False)]


def counterfactual_lines(found: Counterfactual) -> list[str]:
    """The facts without which it would fall."""
    changes = [*(f"{fact} were not a fact" for fact in found.removed), *(f"{fact} were a fact" for fact in found.added)]
    then = f"{found.score:.3f}, {place(found.higher, found.equal)}"
    if not found.reached:
        return [f"a greedy search over small sets of facts found none after which {found.goal}; it came to {then}"]
    return [f"{found.goal} ({then}) if", *(f"{INDENT}{change}" for change in changes)]
