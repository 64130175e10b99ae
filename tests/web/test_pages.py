"""What single pages say is what the library says."""

import pytest

from rulewright.rules.explanation import Part
from rulewright.web.ask import ask_page, names_page
from rulewright.web.explanation import counterfactual_page, explanation_page, largest
from rulewright.web.overview import graph_overview
from rulewright.web.rule import rule_page
from rulewright.web.run import GraphRun
from rulewright.web.template import mixture_page


@pytest.fixture
def grandparent(run: GraphRun) -> int:
    return run.model.relation_id("grandparent")


def test_the_overview_counts_what_the_run_holds(run: GraphRun) -> None:
    page = graph_overview(run)
    counts = {entry["name"]: entry["value"] for entry in page["counts"]}
    assert counts["facts"] == len(run.model.triples)
    assert counts["rules in all"] == sum(len(run.table(r)) for r in range(2 * len(run.model.relations)))
    assert {row["name"]: row["facts"] for row in page["relations"]}["parent"] == 48
    assert page["figures"] == [{"name": "MRR", "value": 0.5}, {"name": "Hits@1", "value": 0.25}]
    assert 0 < page["reach"]["share"] <= 1


def test_the_overview_can_be_searched_and_sorted(run: GraphRun) -> None:
    assert [row["name"] for row in graph_overview(run, "grand")["relations"]] == ["grandparent"]
    facts = [row["facts"] for row in graph_overview(run, sort="facts")["relations"]]
    assert facts == sorted(facts, reverse=True)


def test_answers_are_those_of_the_model_and_facts_are_marked(run: GraphRun, grandparent: int) -> None:
    expected = run.model.predict("g2", "grandparent", 20, include_known=True)
    page = ask_page(run, run.model.entity_id("g2"), grandparent)
    assert [(a["entity"]["name"], a["score"], a["known"]) for a in page["answers"]] == [
        (answer.entity, answer.score, answer.known) for answer in expected
    ]
    new = ask_page(run, run.model.entity_id("g2"), grandparent, only="new")["answers"]
    assert [a["entity"]["name"] for a in new] == [answer.entity for answer in expected if not answer.known]


def test_suggestions_say_whether_they_can_be_typed(run: GraphRun) -> None:
    found = {entry["name"]: entry["plain"] for entry in names_page(run, "entity", "")["names"]}
    assert found["<script>alert(1)</script>"]
    assert not found["long" * 2500]
    assert names_page(run, "relation", "grandparent^")["names"][0]["name"] == "grandparent^-1"


def test_the_parts_of_an_explanation_sum_to_its_score(run: GraphRun, grandparent: int) -> None:
    page = explanation_page(run, run.model.entity_id("g2"), grandparent, run.model.entity_id("c201"))
    assert page["score"] > 0
    assert sum(term["share"] for term in page["terms"]) + page["rest"]["share"] == pytest.approx(
        page["score"], rel=1e-5
    )
    for term in page["terms"]:
        assert term["share"] == pytest.approx(term["weight"] * term["truth"])
    best = next(term for term in page["terms"] if term["kind"] == "path")
    assert best["href"].startswith("/rule?relation=grandparent&rule=path.")


def test_what_speaks_most_against_an_answer_is_shown_as_what_speaks_most_for_it() -> None:
    parts = [Part(str(share), 1.0, share, "path") for share in (3.0, 1.0, 0.5, -0.25, -2.0)]
    shown, rest = largest(parts, 3)
    assert [part.share for part in shown] == [3.0, 1.0, -2.0]
    assert [part.share for part in rest] == [0.5, -0.25]


def test_the_facts_drawn_are_facts_of_the_run(run: GraphRun, grandparent: int) -> None:
    page = explanation_page(run, run.model.entity_id("g2"), grandparent, run.model.entity_id("c201"))
    names, facts = run.model.entities.names, run.model.triples.tolist()
    known = {f"{run.model.relations.names[r]}({names[h]}, {names[t]})" for h, r, t in facts}
    drawn = [edge["title"] for edge in page["graph"]["edges"] if "'" not in edge["title"]]
    assert "parent(g2, p20)" in drawn
    assert set(drawn) <= known


def test_an_explanation_of_nothing_says_so(run: GraphRun, grandparent: int) -> None:
    entity = run.model.entity_id("c201")
    page = explanation_page(run, entity, grandparent, entity)
    assert page["graph"] is None or page["terms"]


def test_what_would_bring_an_answer_down_are_facts_behind_it(run: GraphRun, grandparent: int) -> None:
    found = counterfactual_page(run, run.model.entity_id("g2"), grandparent, run.model.entity_id("c201"))["found"]
    assert found["reached"]
    assert any("c201" in fact["text"] or "p20" in fact["text"] or "g2" in fact["text"] for fact in found["removed"])


def test_a_rule_is_shown_with_pairs_that_are_facts_or_not(run: GraphRun, grandparent: int) -> None:
    table = run.table(grandparent)
    key = next(
        f"path.{place}"
        for place, steps in zip(table.place, table.relations.tolist(), strict=True)
        if steps == [0, 0, -1]
    )
    page = rule_page(run, grandparent, key)
    assert page["rule"]["text"] == "grandparent(X, Y) :- parent(X, A), parent(A, Y)."
    assert {one["known"] for one in page["groundings"]} == {True, False}
    new = rule_page(run, grandparent, key, only="new")["groundings"]
    assert {one["known"] for one in new} == {False}
    assert len(new) == len(range(0, 32, 6))


def test_the_mixture_is_a_tree_of_its_heaviest_rules(run: GraphRun, grandparent: int) -> None:
    tree = mixture_page(run, grandparent)["tree"]
    weights = [abs(entry["weight"]) for entry in tree["inputs"]]
    assert weights == sorted(weights, reverse=True)
    assert tree["hidden"] + len(weights) == len(run.table(grandparent))
