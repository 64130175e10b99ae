"""warm_up(run): every kind of page once, so that nobody waits for a compiler or for a first reading."""

from collections.abc import Iterator

from rulewright.web.ask import ask_page, names_page
from rulewright.web.explanation import counterfactual_page, explanation_page
from rulewright.web.facts import fact_page, facts_page, fired_rule_page
from rulewright.web.overview import graph_overview, template_overview
from rulewright.web.relation import View, relation_page
from rulewright.web.routes import about_run
from rulewright.web.rule import rule_page
from rulewright.web.run import GraphRun, Run, TemplateRun
from rulewright.web.skins import html, plain
from rulewright.web.template import mixture_page, template_page
from rulewright.web.wording import Data

TRIED = 20  # facts, until one is explained by a walk


def warm_up(run: Run) -> None:
    """Make pages and write them."""
    about = about_run(run)
    for data in graph_pages(run) if isinstance(run, GraphRun) else template_pages(run):
        html(data, about, "/")
        plain(data)


def graph_pages(run: GraphRun) -> Iterator[Data]:
    """Pages about one fact, each relation's kinds of rules among them."""
    yield graph_overview(run, "a")
    yield names_page(run, "entity", "a")
    facts = run.model.triples[:TRIED].tolist()
    for number, (head, relation, tail) in enumerate(facts, start=1):
        directed = 2 * relation
        explained = explanation_page(run, head, directed, tail)
        yield explained
        yield counterfactual_page(run, head, directed, tail)
        if explained["graph"] is None and number < len(facts):
            continue  # another fact may have a walk to show
        rules = relation_page(run, directed, View())
        yield rules
        for key in {rule["kind"]: rule["key"] for rule in rules["rules"]}.values():
            yield rule_page(run, directed, key)
        yield mixture_page(run, directed)
        yield ask_page(run, head, directed)
        return


def template_pages(run: TemplateRun) -> Iterator[Data]:
    """Pages about the first rule and the first fact."""
    yield template_overview(run)
    yield template_page(run)
    if run.program.rules:
        yield fired_rule_page(run, 0, 1)
    facts = facts_page(run, "", 1)
    yield facts
    if facts["facts"]:
        yield fact_page(run, 0)
