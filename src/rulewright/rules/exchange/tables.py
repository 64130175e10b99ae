"""Rules as tables for people: LaTeX for a paper, Markdown for a page."""

from collections.abc import Iterable, Iterator, Sequence

from rulewright.logic.rated import RatedRule
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Term, Variable

LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}", "-": "{-}",
}  # fmt: skip
SIGNS = {"<": "<", "<=": r"\leq", ">": ">", ">=": r"\geq", "=": "=", "!=": r"\neq"}
MARKED = "\\`*_{}[]<>()#+-.!|~&$^"  # what Markdown could take for its own
COLUMNS = ("weight", "correct", "predicted", "confidence")


def to_latex(rules: Iterable[RatedRule]) -> Iterator[str]:
    r"""A `tabular` with a line for each rule, and `\lnot`, `\land` and `\leftarrow` between its parts.

    The packages that it needs stand in a comment above it.
    """
    found = list(rules)
    columns = used_columns(found)
    yield "% \\usepackage{booktabs,textcomp}  \\usepackage[T1]{fontenc}\n"
    yield f"\\begin{{tabular}}{{{'r' * len(columns)}l}}\n\\toprule\n"
    yield " & ".join([*columns, "rule"]) + " \\\\\n\\midrule\n"
    for rated in found:
        figures = [f.replace("%", "\\%") for f in figures_of(rated, columns)]
        yield " & ".join([*figures, f"${latex_rule(rated.rule)}$"]) + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"


def latex_rule(rule: Rule) -> str:
    """A rule in mathematics."""
    parts = [latex_part(part) for part in rule.body] or [r"\top"]
    return latex_atom(rule.head) + " \\leftarrow " + " \\land ".join(parts)


def latex_part(part: Literal | Comparison) -> str:
    """An atom, its negation, or a comparison."""
    if isinstance(part, Comparison):
        return f"{latex_term(part.left)} {SIGNS[part.operator]} {latex_term(part.right)}"
    return r"\lnot " * part.negated + latex_atom(part.atom)


def latex_atom(atom: Atom) -> str:
    """predicate(terms); the inverse mark becomes an exponent."""
    name = atom.predicate.removesuffix("^-1")
    mark = "^{-1}" if name != atom.predicate else ""
    return f"\\mathrm{{{latex_name(name)}}}{mark}({', '.join(map(latex_term, atom.terms))})"


def latex_term(term: Term) -> str:
    """A variable in italics, a constant upright."""
    face = "mathit" if isinstance(term, Variable) else "mathrm"
    return f"\\{face}{{{latex_name(term.name)}}}"


def latex_name(name: str) -> str:
    """A name with every character that LaTeX would act on written out, in text mode where it has blanks or signs."""
    escaped = "".join(LATEX.get(c, c if c.isprintable() else f"U+{ord(c):04X}") for c in name)
    return escaped if name.isascii() and name.isalnum() else f"\\textup{{{escaped}}}"


def to_markdown(rules: Iterable[RatedRule]) -> Iterator[str]:
    """A table with a line for each rule."""
    found = list(rules)
    columns = used_columns(found)
    yield "| " + " | ".join([*columns, "rule"]) + " |\n"
    yield "|" + "---:|" * len(columns) + "---|\n"
    for rated in found:
        yield "| " + " | ".join([*figures_of(rated, columns), markdown_text(str(rated.rule))]) + " |\n"


def markdown_text(text: str) -> str:
    """A text that Markdown and a browser show as it is."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return "".join(f"\\{c}" if c in MARKED else c for c in shown)


def used_columns(rules: Sequence[RatedRule]) -> list[str]:
    """The figures that some rule has."""
    return [name for name in COLUMNS if any(getattr(rated, name) is not None for rated in rules)]


def figures_of(rated: RatedRule, columns: Sequence[str]) -> list[str]:
    """A rule's figures as text."""
    shown = {
        "weight": "" if rated.weight is None else f"{rated.weight:.3f}",
        "correct": "" if rated.correct is None else f"{rated.correct:,}",
        "predicted": "" if rated.predicted is None else f"{rated.predicted:,}",
        "confidence": "" if rated.confidence is None else f"{rated.confidence:.1%}",
    }
    return [shown[name] for name in columns]
