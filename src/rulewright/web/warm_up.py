"""warm_up(run): every kind of page once, so that nobody waits for a compiler or for a first reading."""

from rulewright.web.ask import ask_page
from rulewright.web.explanation import explanation_page
from rulewright.web.facts import fact_page, facts_page
from rulewright.web.overview import graph_overview, template_overview
from rulewright.web.relation import View, relation_page
from rulewright.web.rule import rule_page
from rulewright.web.run import GraphRun, Run
from rulewright.web.template import mixture_page


def warm_up(run: Run) -> None:
    """Make pages about the first fact of the run."""
    if not isinstance(run, GraphRun):
        template_overview(run)
        if facts_page(run, "", 1)["facts"]:
            fact_page(run, 0)
        return
    graph_overview(run)
    for head, relation, tail in run.model.triples[:1].tolist():
        rules = relation_page(run, 2 * relation, View())["rules"]
        for rule in rules[:1]:
            rule_page(run, 2 * relation, rule["key"])
        mixture_page(run, 2 * relation)
        ask_page(run, head, 2 * relation)
        explanation_page(run, head, 2 * relation, tail)
