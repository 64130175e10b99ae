"""The rules of a relation: searched, sorted, page by page."""

import pytest

from rulewright.completion.rules import rules_of
from rulewright.web.relation import View, relation_page, row_of, rule_key
from rulewright.web.run import GraphRun


@pytest.fixture
def grandparent(run: GraphRun) -> int:
    return run.model.relation_id("grandparent")


def test_all_pages_together_are_the_rules_in_the_librarys_order(
    run: GraphRun, grandparent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.web.relation.PAGE", 3)
    first = relation_page(run, grandparent, View())
    shown = [rule for n in range(first["pages"]) for rule in relation_page(run, grandparent, View(page=n + 1))["rules"]]
    expected = rules_of(run.model, grandparent)
    assert first["pages"] > 1
    assert len(first["rules"]) == 3
    assert [rule["rule"]["text"] for rule in shown] == [str(rule.rule) for rule in expected]
    assert [rule["weight"] for rule in shown] == [rule.weight for rule in expected]


@pytest.mark.parametrize("sort", ["weight", "support", "confidence"])
def test_sorting_puts_the_largest_first_and_the_unknown_last(run: GraphRun, grandparent: int, sort: str) -> None:
    values = [rule[sort] for rule in relation_page(run, grandparent, View(sort=sort))["rules"]]
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=True)
    assert values[: len(known)] == known


def test_a_search_finds_the_rules_with_every_word_in_a_name(run: GraphRun, grandparent: int) -> None:
    texts = [str(rule.rule) for rule in rules_of(run.model, grandparent)]
    found = relation_page(run, grandparent, View(words="GRAND arent"))
    expected = [text for text in texts if "grandparent" in text.split(":-")[1]]
    assert 0 < found["matched"] == len(expected) < len(texts)
    assert relation_page(run, grandparent, View(words="nothing-like-it"))["rules"] == []


def test_a_kind_keeps_its_rules_alone(run: GraphRun, grandparent: int) -> None:
    found = relation_page(run, grandparent, View(kind="path"))
    assert {rule["kind"] for rule in found["rules"]} == {"path"}
    assert found["matched"] == sum(rule.kind == "path" for rule in rules_of(run.model, grandparent))


def test_every_rule_is_found_again_by_its_key(run: GraphRun) -> None:
    for relation in range(2 * len(run.model.relations)):
        table = run.table(relation)
        assert [row_of(table, rule_key(table, row)) for row in range(len(table))] == list(range(len(table)))


def test_the_plot_has_a_point_for_every_rule_with_a_confidence(run: GraphRun, grandparent: int) -> None:
    page = relation_page(run, grandparent, View(kind="path"))
    plot = page["plot"]
    assert len(plot["points"]) == page["matched"]
    assert all(plot["left"] <= point["x"] <= plot["right"] for point in plot["points"])
    assert all(plot["top"] <= point["y"] <= plot["bottom"] for point in plot["points"])
