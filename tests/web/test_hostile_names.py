"""Names from data are anybody's text: whatever they hold, a page shows it and does nothing else with it."""

import json
from html import unescape

import pytest
from tests.web.conftest import HOSTILE, RELATION, SCRIPT, Client

from rulewright.web.links import ask_link, explanation_link, relation_link, rule_link, template_link, twin
from rulewright.web.run import GraphRun


@pytest.fixture(scope="module")
def pages(run: GraphRun) -> list[str]:
    model = run.model
    found = ["/", "/?q=img", "/names?of=entity&part=%3Cscript", "/names?of=relation&part=img"]
    for relation in range(2 * len(model.relations)):
        found += [relation_link(model, relation), template_link(model, relation)]
        rules = run.table(relation)
        found += [rule_link(model, relation, "path.0")] if len(rules) and rules.source[0] == 0 else []
    for name in HOSTILE.values():
        number = model.entity_id(name)
        for relation in range(2 * len(model.relations)):
            found.append(ask_link(model, number, relation))
        found.append(explanation_link(model, number, 2, model.entity_id("c201")))
        found.append(explanation_link(model, model.entity_id(SCRIPT), 2, number))
    return found


def test_no_page_holds_a_name_as_markup(client: Client, pages: list[str]) -> None:
    seen = ""
    for address in pages:
        answer = client.get(address)
        assert answer.status_code == 200, address
        text = answer.text
        seen += text
        for hostile in ("<script>", "<img", '"onmouseover=', "\u202e", "\x1b", "\x00"):
            assert hostile not in text, address
        assert len(text) < 400_000
    for shown in ("&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;img src=x onerror=alert(3)&gt;", "שלום עולם"):
        assert shown in seen
    assert "\\u202egnp.exe" in seen
    assert "{{ 7 * 191 }}" in seen
    assert "1337" not in unescape(seen)


def test_twins_hold_the_names_exactly_in_plain_ascii(client: Client, run: GraphRun) -> None:
    for name in HOSTILE.values():
        answer = client.get(twin(ask_link(run.model, run.model.entity_id(name), 0)))
        assert answer.text.isascii()
        assert json.loads(answer.text)["head"]["name"] == name


def test_a_name_too_long_for_an_address_goes_by_its_number_and_is_shown_in_part(client: Client, run: GraphRun) -> None:
    number = run.model.entity_id(HOSTILE["c010"])
    address = ask_link(run.model, number, 0)
    assert address == f"/ask?head_id={number}&relation=parent"
    text = client.get(address).text
    assert HOSTILE["c010"] not in text
    assert HOSTILE["c010"][:100] in text


@pytest.mark.parametrize("name", sorted(set(HOSTILE.values()) - {HOSTILE["c010"]}), ids=ascii)
def test_a_link_to_any_name_leads_back_to_it(client: Client, run: GraphRun, name: str) -> None:
    address = ask_link(run.model, run.model.entity_id(name), 1)
    assert address.isascii()
    assert not set(" <>\"'{}") & set(address)
    assert client.get(twin(address)).json()["head"]["name"] == name


def test_a_hostile_name_in_a_mistake_is_escaped_too(client: Client) -> None:
    answer = client.get("/ask?head=%3Cscript%3Ealert(9)%3C/script%3E&relation=parent")
    assert answer.status_code == 400
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(9)" in answer.text


def test_a_hostile_relation_has_its_page(client: Client, run: GraphRun) -> None:
    page = client.get(twin(relation_link(run.model, run.model.relation_id(RELATION)))).json()
    assert page["relation"] == RELATION
