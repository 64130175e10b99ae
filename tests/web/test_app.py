"""Every page answers for people and for programs, and every mistake is answered in the library's own words."""

from html.parser import HTMLParser

import pytest
from tests.web.conftest import Client

from rulewright.web.app import create_app
from rulewright.web.links import ask_link, explanation_link, relation_link, rule_link, template_link, twin
from rulewright.web.run import GraphRun

KINDS = ("overview", "relation", "rule", "ask", "answers", "names", "explanation", "counterfactual", "template")


@pytest.fixture(scope="module")
def pages(run: GraphRun) -> dict[str, str]:
    model = run.model
    head, tail, grandparent = model.entity_id("g2"), model.entity_id("c201"), model.relation_id("grandparent")
    return {
        "overview": "/",
        "relation": relation_link(model, grandparent),
        "rule": rule_link(model, grandparent, "path.0"),
        "ask": "/ask",
        "answers": ask_link(model, head, grandparent),
        "names": "/names?of=entity&part=g",
        "explanation": explanation_link(model, head, grandparent, tail),
        "counterfactual": explanation_link(model, head, grandparent, tail, "counterfactual"),
        "template": template_link(model, grandparent),
    }


class Outline(HTMLParser):
    """What a screen reader and a strict browser would look for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.labelled: set[str] = set()
        self.fields: set[str] = set()
        self.links: set[str] = set()
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        if tag == "label":
            self.labelled.add(given.get("for") or "")
        if tag in ("input", "select") and given.get("type") != "hidden":
            self.fields.add(given.get("id") or "")
        self.links |= {value or "" for name, value in attrs if name in ("href", "src") and tag != "use"}
        self.inline += [name for name in given if name.startswith("on") or name == "style"]
        if tag == "script" and "src" not in given:
            self.inline.append("script")


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_is_html_with_one_heading_and_labelled_fields_and_nothing_inline(
    client: Client, pages: dict[str, str], kind: str
) -> None:
    answer = client.get(pages[kind])
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    outline = Outline(answer.text)
    assert outline.tags.count("h1") == outline.tags.count("main") == 1
    assert outline.fields <= outline.labelled
    assert outline.inline == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_has_a_twin_with_the_same_data(client: Client, pages: dict[str, str], kind: str) -> None:
    address = twin(pages[kind])
    answer = client.get(address)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["title"]
    assert f'href="{address}"'.replace("&", "&amp;") in client.get(pages[kind]).text


def test_every_link_of_every_page_leads_to_a_page(client: Client, pages: dict[str, str]) -> None:
    found = {link for address in pages.values() for link in Outline(client.get(address).text).links}
    local = {address for address in found if not address.startswith("#")}
    assert len(local) > 50
    assert {address for address in local if not address.startswith("/")} == set()
    assert {address: status for address in local if (status := client.get(address).status_code) != 200} == {}


def test_an_unknown_name_is_a_mistake_with_the_nearest_ones(client: Client) -> None:
    answer = client.get("/relation?relation=grandparnet")
    assert answer.status_code == 400
    assert "unknown relation grandparnet (did you mean grandparent" in answer.text
    error = client.get("/ask.json?head=g22&relation=parent").json()["error"]
    assert error.startswith("unknown entity g22 (did you mean g2")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/relation", "say which relation is meant"),
        ("/relation?relation=parent&page=99", "there is no page 99"),
        ("/relation?relation=parent&page=0", "there is no page 0"),
        ("/relation?relation=parent&sort=beauty", "choose one of use, weight, support, confidence"),
        ("/relation?relation=parent&kind=magic", "there is no kind of rule magic"),
        ("/relation?relation_id=99", "there is no relation number 99"),
        ("/relation?relation_id=-1", "relation_id: "),
        ("/rule?relation=parent&rule=path.999999", "has no rule path.999999"),
        ("/rule?relation=parent&rule=../../x", "has no rule ../../x"),
        ("/rule?relation=parent&rule=path.0&only=some", "only=known"),
        ("/ask?head=g2&relation=parent&top=100000", "top must be from 1 to 200"),
        ("/explanation?head=g2&relation=parent", "say which tail is meant"),
        ("/names?of=thing", "of=entity or of=relation"),
        ("/?sort=beauty", "relations cannot be sorted by beauty"),
        ("/ask?head=" + "x" * 501, "head: "),
    ],
)
def test_a_wrong_question_is_answered_with_400_and_plain_words(client: Client, address: str, words: str) -> None:
    answer = client.get(twin(address))
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert "Traceback" not in client.get(address).text


def test_what_is_not_there_is_404_in_both_forms(client: Client) -> None:
    assert client.get("/secret").status_code == 404
    assert client.get("/secret.json").json() == {
        "page": "error",
        "title": "That did not work",
        "status": 404,
        "error": "there is no such page",
    }
    assert client.get("/docs").status_code == client.get("/openapi.json").status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_pages_can_only_be_read(client: Client, method: str) -> None:
    assert client.request(method, "/ask").status_code == 405
    assert client.request("HEAD", "/ask").status_code == 200


def test_a_failure_is_500_without_a_word_of_where(run: GraphRun, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise RuntimeError("a secret place")

    monkeypatch.setattr("rulewright.web.routes.graph_overview", fail)
    for address in ("/", "/overview.json"):
        answer = Client(create_app(run)).get(address)
        assert answer.status_code == 500
        assert "something went wrong" in answer.text
        assert "secret" not in answer.text


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd", "/static/"]
)
def test_static_files_are_those_of_the_folder(client: Client, path: str) -> None:
    assert client.get("/static/explorer.css").status_code == 200
    answer = client.get(path)
    assert answer.status_code in (404, 405)
    assert "create_app" not in answer.text
    assert "root:" not in answer.text
