"""A template's run: its rules, what follows from them, and why, without the network."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.web.conftest import Client

from rulewright.saving import load
from rulewright.web.app import create_app
from rulewright.web.run import TemplateRun, open_run
from rulewright.web.warm_up import warm_up


@pytest.fixture(scope="module")
def template_client(template_folder: Path) -> Client:
    run = open_run(template_folder)
    assert isinstance(run, TemplateRun)
    warm_up(run)
    return Client(create_app(run))


def test_every_page_of_a_template_answers_in_both_forms(template_client: Client) -> None:
    for page in ("/", "/template", "/rule?rule=0", "/ask", "/explanation?fact=0"):
        answer = template_client.get(page)
        assert answer.status_code == 200, page
        assert "<b>bob" not in answer.text
    for page in ("/overview.json", "/template.json", "/rule.json?rule=0", "/ask.json", "/explanation.json?fact=0"):
        assert template_client.get(page).json()["title"]


def test_the_facts_that_follow_lead_to_the_facts_behind_them(template_client: Client) -> None:
    facts = template_client.get("/ask.json").json()["facts"]
    assert {fact["fact"]["text"] for fact in facts} == {"child('<b>bob', ann)", "child(cy, '<b>bob')"}
    found = template_client.get(facts[0]["href"].replace("?", ".json?")).json()
    (rule,) = found["rules"]
    assert rule["rule"]["text"] == "child(Y, X) :- parent(X, Y)." or "not" in rule["rule"]["text"]
    assert "parent" in {step["predicate"] for step in rule["witnesses"][0]}
    assert found["graph"]["edges"]


def test_the_arithmetic_of_a_fact_is_the_networks(template_client: Client, template_folder: Path) -> None:
    learned = load(template_folder)
    for fact in template_client.get("/ask.json").json()["facts"]:
        page = template_client.get(fact["href"].replace("?", ".json?")).json()
        explained = learned.explain(tuple(term["name"] for term in page["fact"]["terms"]))
        step, expected = page["arithmetic"], explained.arithmetic
        assert expected is not None
        assert (step["value"], step["label"]) == (pytest.approx(explained.score, abs=1e-5), expected.label)
        assert [below["label"] for below in step["inputs"]] == [entry.step.label for entry in expected.inputs]
        text = template_client.get(fact["href"]).text
        assert "The arithmetic, from the facts up" in text
        assert step["inputs"][0]["formula"] in text


def test_facts_can_be_searched(template_client: Client) -> None:
    assert [f["fact"]["text"] for f in template_client.get("/ask.json?q=CY").json()["facts"]] == ["child(cy, '<b>bob')"]


def test_what_is_not_there_is_a_mistake(template_client: Client) -> None:
    for address, words in (("/rule.json?rule=99", "there is no rule 99"), ("/explanation.json?fact=99", "no fact 99")):
        answer = template_client.get(address)
        assert answer.status_code == 400
        assert words in answer.json()["error"]


def test_a_template_is_shown_without_torch(template_folder: Path) -> None:
    program = (
        "import sys; from rulewright.web.serve import serve; from rulewright.web.run import open_run;"
        f"from rulewright.web.warm_up import warm_up; warm_up(open_run({str(template_folder)!r}));"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
