from rulewright.logic.rated import RatedRule
from rulewright.rules.exchange.rule_text import parse_rules
from rulewright.rules.exchange.tables import latex_name, to_latex, to_markdown

(RULE,) = [rated.rule for rated in parse_rules("g(X, Z) :- 'a_b%'^-1(X, Y), not q(Y, 'c&|d'), Y != Z.")]


def test_latex_writes_out_what_it_would_act_on():
    needed, *lines = to_latex([RatedRule(RULE, 0.8, 120, 60, 0.5)])
    assert needed == "% \\usepackage{booktabs,textcomp}  \\usepackage[T1]{fontenc}\n"
    assert lines[1] == "weight & correct & predicted & confidence & rule \\\\\n\\midrule\n"
    assert lines[2] == (
        r"0.800 & 60 & 120 & 50.0\% & $\mathrm{g}(\mathit{X}, \mathit{Z}) \leftarrow "
        r"\mathrm{\textup{a\_b\%}}^{-1}(\mathit{X}, \mathit{Y}) \land "
        r"\lnot \mathrm{q}(\mathit{Y}, \mathrm{\textup{c\&\textbar{}d}}) \land \mathit{Y} \neq \mathit{Z}$ \\" + "\n"
    )


def test_no_character_of_a_name_reaches_latex_bare():
    assert latex_name("\\{}$&#%_^~\n") == (
        r"\textup{\textbackslash{}\{\}\$\&\#\%\_\textasciicircum{}\textasciitilde{}U+000A}"
    )


def test_markdown_keeps_bars_and_tags_inside_the_cell():
    (rule,) = [rated.rule for rated in parse_rules("r(X, Y) :- '<b>|`'(X, Y).")]
    head, rule_line, row = to_markdown([RatedRule(rule, 0.5)])
    assert (head, rule_line) == ("| weight | rule |\n", "|---:|---|\n")
    assert row == "| 0.500 | r\\(X, Y\\) :\\- '\\<b\\>\\|\\`'\\(X, Y\\)\\. |\n"


def test_columns_that_nothing_fills_are_left_out():
    assert next(iter(to_markdown([RatedRule(RULE)]))) == "| rule |\n"
