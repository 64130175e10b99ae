"""An explanation as HTML: one page or a fragment of one, complete in itself, without scripts and outside addresses."""

from rulewright.logic.markup import STYLE, code, shown, table
from rulewright.rules.arithmetic import worked_out
from rulewright.rules.explanation import Counterfactual, Explanation, Part, Rival, Step
from rulewright.rules.explanation_text import headline, place, sourced
from rulewright.rules.rounding import shown_difference, shown_differences, shown_shares

FRAME = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}
"""


def explanation_page(explanation: Explanation, top: int | None = None) -> str:
    """A whole page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{shown(str(explanation.fact))}</title>\n<style>{FRAME}{STYLE}</style>\n</head>\n<body>\n"
        f"{explanation_html(explanation, top)}\n</body>\n</html>\n"
    )


def explanation_html(explanation: Explanation, top: int | None = None) -> str:
    """A fragment, for a page that has its own frame and `logic.markup.STYLE`; at most so many parts."""
    inside = f"<h1>{shown(headline(explanation))}</h1>\n{sections_html(explanation, top, 'h2')}"
    return f'<article class="rulewright">\n{inside}\n</article>'


def sections_html(explanation: Explanation, top: int | None, heading: str) -> str:
    """All but the headline; the headings are such elements."""
    sections = [("Rules", parts_html(explanation, top))]
    if explanation.arithmetic is not None:
        sections.append(("The arithmetic, from the facts up", f"<ul>{step_html(explanation.arithmetic)}</ul>"))
    if explanation.rivals:
        sections.append(("Candidates beside it", "\n".join(map(rival_html, explanation.rivals))))
    if explanation.counterfactual is not None:
        sections.append(("What would undo it", counterfactual_html(explanation.counterfactual)))
    return "\n".join(f'<{heading} class="section">{title}</{heading}>\n{html}' for title, html in sections)


def parts_html(explanation: Explanation, top: int | None) -> str:
    """The rules that speak for it, with their figures and facts; for a mixture the last line is the sum."""
    if not explanation.parts:
        return "<p>No rule speaks for it.</p>"
    listed, rest = explanation.parts[:top], [] if top is None else explanation.parts[top:]
    plural = "s" * (len(rest) > 1)
    if explanation.arithmetic is not None:
        rows = [[f"{part.truth:.3f}", rule_html(part)] for part in listed]
        rows += [["", f"{len(rest)} weaker rule{plural}"]] if rest else []
        return table(["truth", "rule and facts"], rows, 1)
    shares = [f"{share:+.3f}" for share in shown_shares(explanation, top)]
    rows = [
        [share, product_html(part), rule_html(part)] for share, part in zip(shares, listed, strict=False)
    ]  # one share more is that of the rest
    if rest:
        rows.append([shares[-1], "", f"{len(rest)} smaller part{plural}"])
    rows.append([f"<strong>{explanation.score:.3f}</strong>", "", "<strong>the score</strong>"])
    return table(["share", "weight × truth", "rule and facts"], rows, 2)


def product_html(part: Part) -> str:
    """The two factors of a share in a mixture."""
    return "" if part.weight is None else f"{part.weight:.3f} × {part.truth:.3f}"


def rule_html(part: Part) -> str:
    """A rule, and some of the ways in which its body holds."""
    ways = "".join(
        "<li>" + ", ".join(f'<span class="{fact.source}">{shown(sourced(fact))}</span>' for fact in way.facts) + "</li>"
        for way in part.witnesses
    )
    more = part.count - len(part.witnesses)
    ways += f"<li>{more:,} more way{'s' * (more > 1)}</li>" if part.witnesses and more > 0 else ""
    return code(part.rule) + (f"<ul>{ways}</ul>" if ways else "")


def step_html(step: Step) -> str:
    """A step of the arithmetic, its inputs nested in it."""
    absent = step.kind == "absent" or (step.fact is not None and step.fact.source == "absent")
    inputs = "".join(step_html(entry.step) for entry in step.inputs)
    said = "" if step.kind == "fact" else f" = {shown(worked_out(step))}"
    label = f'<code class="{"absent" if absent else "there"}">{shown(step.label)}</code>'
    below = f"<ul>{inputs}</ul>" if inputs else ""
    return f"<li>{step.value:.3f} {label}{said}{below}</li>"


def rival_html(rival: Rival) -> str:
    """A candidate, and the rules that set it apart."""
    rules = [*(code(entry.rule) for entry in rival.differences), "all other differences"]
    apart = zip(shown_differences(rival), rules, strict=False)
    rows = "".join(f"<li>{figure:+.3f} {rule}</li>" for figure, rule in apart)
    side = "above" if rival.higher else "level" if rival.difference == 0 else "below"
    return f"<p>{side}: {code(rival.fact)} {rival.score:.3f} ({shown_difference(rival):+.3f})</p>\n<ul>{rows}</ul>"


def counterfactual_html(found: Counterfactual) -> str:
    """The facts without which it would fall."""
    then = f"{found.score:.3f}, {place(found.higher, found.equal)}"
    if not found.reached:
        return f"<p>A greedy search found no small set of facts after which {shown(found.goal)}; it came to {then}.</p>"
    changes = [f"<li>{code(fact)} were not a fact</li>" for fact in found.removed]
    changes += [f"<li>{code(fact)} were a fact</li>" for fact in found.added]
    return f"<p>{shown(found.goal)} ({then}) if</p>\n<ul>{''.join(changes)}</ul>"
