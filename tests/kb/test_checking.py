"""The check finds what was put there to be found."""

import json
import os
from pathlib import Path

import pytest

from rulewright.kb.checking import InversePair, Report, check
from rulewright.kb.datasets import load_dataset
from rulewright.kb.splits import Dataset, read_splits

PARTS = {
    "train": ["ann parent bob", "bob parent cy", "cy child bob", "dee knows ann", "dee knows ann", "eve knows eve"],
    "valid": ["ann parent bob", "bob child ann", "zoe knows ann"],
    "test": [
        "bob child ann",  # also in valid; its inverse is known
        "ann knows dee",  # its inverse is known
        "ann knows cy",
        "cy child bob",  # known; so is its inverse
        "eve knows eve",  # known, and no inverse of itself
        "zoe knows yves",
        "zoe hates ann",
    ],
}


def dataset_of(folder: Path, **parts: list[str]) -> Dataset:
    for part, lines in parts.items():
        (folder / f"{part}.txt").write_text("".join(line.replace(" ", "\t") + "\n" for line in lines), encoding="utf-8")
    return read_splits(folder, "family")


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return check(dataset_of(tmp_path, **PARTS), reach=(0.5, 0.75))


def test_parts_are_counted(report: Report) -> None:
    assert (report.entities, report.relations) == (7, 4)
    assert {name: (part.triples, part.repeated) for name, part in report.parts.items()} == {
        "train": (5, 1),
        "valid": (3, 0),
        "test": (7, 0),
    }


def test_queries_that_are_known_leak(report: Report) -> None:
    assert {name: part.known for name, part in report.parts.items()} == {"train": 0, "valid": 1, "test": 2}
    assert report.tuned_on == 1


def test_names_that_training_does_not_show_are_found(report: Report) -> None:
    assert (report.parts["valid"].unseen_entities, report.parts["valid"].unseen_queries) == (1, 1)
    assert (report.parts["test"].unseen_entities, report.parts["test"].unseen_queries) == (2, 2)
    assert report.parts["test"].unseen_relations == ("hates",)
    assert report.untrained == ("hates",)


def test_known_inverses_are_counted_by_pairs_of_relations(report: Report) -> None:
    assert report.inverses == (
        InversePair("child", "parent", 2, 1.0),
        InversePair("knows", "knows", 1, 0.25),
    )
    assert report.inverse_share == 3 / 7


def test_separate_facts_are_known_too(tmp_path: Path) -> None:
    report = check(
        dataset_of(tmp_path, facts=["ann near bob"], train=["bob near cy"], test=["bob near ann", "cy far ann"])
    )
    assert list(report.parts) == ["facts", "train", "valid", "test"]
    assert report.inverse_share == 0.5
    assert report.parts["test"].unseen_entities == 0
    assert report.parts["test"].unseen_relations == ("far",)


def test_a_triple_that_is_fact_and_training_query_counts_once(tmp_path: Path) -> None:
    report = check(dataset_of(tmp_path, facts=["ann near bob"], train=["ann near bob"], test=["bob near ann"]))
    assert report.inverses == (InversePair("near", "near", 1, 1.0),)


def test_a_data_set_without_queries_can_be_checked(tmp_path: Path) -> None:
    report = check(dataset_of(tmp_path, train=PARTS["train"]))
    assert (report.inverse_share, report.inverses, report.reach) == (0.0, (), ())


def test_content_is_recognised_under_any_name(tmp_path: Path) -> None:
    assert check(load_dataset("nations")).content == "the content is exactly the registered nations, split of PyKEEN"
    family = dataset_of(tmp_path, **PARTS)
    assert check(family).content == "the content is that of no registered data set"
    impostor = read_splits(tmp_path, "umls")
    assert check(impostor).content.startswith("NOT the registered umls, split A (ConvE, MINERVA)")


def test_the_printed_report_says_what_the_data_says(report: Report) -> None:
    lines = [" ".join(line.split()) for line in str(report).splitlines()]
    assert "family: 7 entities, 4 relations" in lines
    assert "test 7 0 2 2 2 1" in lines
    assert "relations without a training triple: hates" in lines
    assert "100.0% of child: 2 through parent" in lines
    assert "1: 50.0% 2: 75.0%" in lines
    assert "within so many steps" not in str(check(load_dataset("nations")))


def test_long_lists_are_cut_in_print_and_whole_in_data() -> None:
    report = check(load_dataset("nations"))
    assert f"and {len(report.inverses) - 10:,} more pairs of relations" in str(report)
    assert len(report.as_dict()["inverses"]) > 100


def test_the_report_is_plain_data_for_programs(report: Report) -> None:
    document = json.loads(json.dumps(report.as_dict()))
    assert document["parts"]["test"]["unseen_relations"] == ["hates"]
    assert document["inverses"][0] == {"relation": "child", "inverse": "parent", "queries": 2, "share": 1.0}


@pytest.mark.data
@pytest.mark.skipif("RULEWRIGHT_DATA" not in os.environ, reason="RULEWRIGHT_DATA is not set")
def test_wn18rr_asks_about_entities_that_its_training_does_not_show() -> None:
    test = check(load_dataset("wn18rr")).parts["test"]
    assert (test.triples, test.unseen_queries, test.known) == (3134, 210, 0)
