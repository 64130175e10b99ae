"""An explanation as HTML: one page or a fragment of one, complete in itself, without scripts and outside addresses."""

from html import escape

from rulewright.rules.arithmetic import formula
from rulewright.rules.explanation import Counterfactual, Explanation, Part, Rival, Step
from rulewright.rules.explanation_text import headline, place, sourced

STYLE = """
.explanation{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#1b1b1b}
.explanation table{border-collapse:collapse;width:100%}
.explanation td,.explanation th{padding:.25rem .6rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
.explanation .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.explanation ul{margin:.2rem 0;padding-left:1.4rem}
.explanation .absent{color:#666;font-style:italic}
.explanation code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
"""


def explanation_page(explanation: Explanation, top: int | None = None) -> str:
    """A whole page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{shown(str(explanation.fact))}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{explanation_html(explanation, top)}\n</body>\n</html>\n"
    )


def explanation_html(explanation: Explanation, top: int | None = None) -> str:
    """A fragment, for a page that has its own frame and style; at most so many parts."""
    sections = [f"<h1>{shown(headline(explanation))}</h1>", parts_html(explanation, top)]
    if explanation.arithmetic is not None:
        sections.append(f"<h2>The arithmetic, from the facts up</h2>\n<ul>{step_html(explanation.arithmetic)}</ul>")
    if explanation.rivals:
        sections.append("<h2>Candidates beside it</h2>\n" + "\n".join(map(rival_html, explanation.rivals)))
    if explanation.counterfactual is not None:
        sections.append(f"<h2>What would undo it</h2>\n{counterfactual_html(explanation.counterfactual)}")
    return '<article class="explanation">\n' + "\n".join(section for section in sections if section) + "\n</article>"


def parts_html(explanation: Explanation, top: int | None) -> str:
    """The rules that speak for it, with their figures and facts; for a mixture the last line is the sum."""
    if not explanation.parts:
        return "<p>No rule speaks for it.</p>"
    listed = explanation.parts[:top]
    rows = [part_html(part) for part in listed]
    rest = explanation.parts[len(listed) :]
    if rest:
        share = "" if rest[0].weight is None else f"{sum(part.share for part in rest):+.3f}"
        rows.append(f'<tr><td class="number">{share}</td><td></td><td>{len(rest)} smaller parts</td></tr>')
    if explanation.arithmetic is None:
        rows.append(f'<tr><th class="number">{explanation.score:.3f}</th><th></th><th>the score</th></tr>')
    head = '<tr><th class="number">share</th><th class="number">weight &times; truth</th><th>rule and facts</th></tr>'
    return f"<h2>Rules</h2>\n<table>\n{head}\n" + "\n".join(rows) + "\n</table>"


def part_html(part: Part) -> str:
    """One row of the table."""
    figures = "" if part.weight is None else f"{part.weight:.3f} &times; {part.truth:.3f}"
    share = f"{part.share:.3f}" if part.weight is None else f"{part.share:+.3f}"
    ways = "".join(
        "<li>" + ", ".join(f'<span class="{fact.source}">{shown(sourced(fact))}</span>' for fact in way.facts) + "</li>"
        for way in part.witnesses
    )
    more = part.count - len(part.witnesses)
    ways += f"<li>{more:,} more ways</li>" if part.witnesses and more > 0 else ""
    facts = f"<ul>{ways}</ul>" if ways else ""
    return (
        f'<tr><td class="number">{share}</td><td class="number">{figures}</td>'
        f"<td><code>{shown(part.rule)}</code>{facts}</td></tr>"
    )


def step_html(step: Step) -> str:
    """A step of the arithmetic, its inputs nested in it."""
    absent = step.kind == "absent" or (step.fact is not None and step.fact.source == "absent")
    inputs = "".join(step_html(entry.step) for entry in step.inputs)
    said = "" if step.kind == "fact" else f" = {shown(formula(step))}"
    label = f'<code class="{"absent" if absent else "there"}">{shown(step.label)}</code>'
    below = f"<ul>{inputs}</ul>" if inputs else ""
    return f"<li>{step.value:.3f} {label}{said}{below}</li>"


def rival_html(rival: Rival) -> str:
    """A candidate, and the rules that set it apart."""
    entries = [(entry.there - entry.here, entry.rule) for entry in rival.differences]
    entries += [(rival.rest, "all other differences")] if rival.rest else []
    rows = "".join(f"<li>{value:+.3f} <code>{shown(rule)}</code></li>" for value, rule in entries)
    side = "above" if rival.higher else "level" if rival.difference == 0 else "below"
    return (
        f"<p>{side}: <code>{shown(str(rival.fact))}</code> {rival.score:.3f} ({rival.difference:+.3f})</p>"
        f"\n<ul>{rows}</ul>"
    )


def counterfactual_html(found: Counterfactual) -> str:
    """The facts without which it would fall."""
    then = f"{found.score:.3f}, {place(found.higher, found.equal)}"
    if not found.reached:
        return f"<p>A greedy search found no small set of facts after which {shown(found.goal)}; it came to {then}.</p>"
    changes = [f"<li><code>{shown(str(fact))}</code> were not a fact</li>" for fact in found.removed]
    changes += [f"<li><code>{shown(str(fact))}</code> were a fact</li>" for fact in found.added]
    return f"<p>{shown(found.goal)} ({then}) if</p>\n<ul>{''.join(changes)}</ul>"


def shown(text: str) -> str:
    """Any text inside HTML; characters that would hide or turn the text around are written as escapes."""
    return escape("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))
