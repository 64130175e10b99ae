"""Names lead to one split each, and content decides whether a file is it."""

import os
import re
from itertools import combinations
from pathlib import Path

import pytest

from rulewright.kb.datasets import SHIPPED, load_dataset
from rulewright.kb.registry import REGISTRY, Entry, checksums, content_checksum, find, key, mismatch
from rulewright.kb.splits import read_splits

TRIPLES = [("b", "r", "c"), ("a", "r", "b"), ("a", "r", "b")]


def by_name(entry: Entry) -> str:
    return entry.name


def test_a_checksum_depends_on_the_content_alone() -> None:
    assert content_checksum(TRIPLES) == content_checksum(sorted(set(TRIPLES)))
    assert content_checksum(TRIPLES) != content_checksum(TRIPLES[:1])
    # printf 'a\tr\tb\nb\tr\tc\n' | sha256sum
    assert content_checksum(TRIPLES) == "bbe582a36ecefbf1878ab0e777a1f82a830bab8bdf66500c9dd4f683fbbe7a1f"


def test_a_checksum_does_not_depend_on_line_ends(tmp_path: Path) -> None:
    text = (SHIPPED / "nations" / "train.txt").read_bytes()
    (tmp_path / "train.txt").write_bytes(b"\r\n".join(reversed(text.splitlines())))
    assert checksums(read_splits(tmp_path))["train"] == checksums(load_dataset(SHIPPED / "nations"))["train"]


@pytest.mark.parametrize("entry", [entry for entry in REGISTRY if entry.shipped], ids=by_name)
def test_what_is_shipped_is_what_is_registered(entry: Entry) -> None:
    dataset = read_splits(SHIPPED / entry.name)
    assert mismatch(entry, dataset) == ""
    assert {part: len(triples) for part, triples in dataset.parts().items()} == entry.sizes
    assert (len(dataset.entities), len(dataset.relations)) == (entry.entities, entry.relations)


@pytest.mark.data
@pytest.mark.skipif("RULEWRIGHT_DATA" not in os.environ, reason="RULEWRIGHT_DATA is not set")
@pytest.mark.parametrize("entry", REGISTRY, ids=by_name)
def test_the_benchmark_data_is_what_is_registered(entry: Entry) -> None:
    dataset = load_dataset(entry.name)
    assert mismatch(entry, dataset) == ""
    assert {part: len(triples) for part, triples in dataset.parts().items()} == entry.sizes
    assert (len(dataset.entities), len(dataset.relations)) == (entry.entities, entry.relations)


def test_a_difference_is_named_by_its_parts(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("a\tr\tb\n", encoding="utf-8")
    entry = find("nations")
    assert entry is not None
    assert mismatch(entry, read_splits(tmp_path)) == (
        "the content of train, valid, test is not that of nations, split of PyKEEN"
    )


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("umls", "umls"),
        ("UMLS", "umls"),
        ("kinships", "kinship"),
        ("wn18rr", "WN18RR"),
        ("fb15k237", "FB15k-237"),
        ("FB15K-237", "FB15k-237"),
        ("countries-s1", "countries_S1"),
        ("Countries_S3", "countries_S3"),
    ],
)
def test_a_name_is_found_however_it_is_written(name: str, found: str) -> None:
    entry = find(name)
    assert entry is not None
    assert entry.name == found


def test_no_two_entries_share_a_name() -> None:
    for first, second in combinations(REGISTRY, 2):
        assert not {key(name) for name in (first.name, *first.aliases)} & {
            key(name) for name in (second.name, *second.aliases)
        }


@pytest.mark.parametrize("entry", REGISTRY, ids=by_name)
def test_every_entry_is_complete(entry: Entry) -> None:
    assert set(entry.sizes) == set(entry.checksums) >= {"train", "valid", "test"}
    assert all(re.fullmatch(r"[0-9a-f]{64}", checksum) for checksum in entry.checksums.values())
    assert entry.licence
    assert entry.reference
    assert entry.shipped or entry.sources


@pytest.mark.parametrize("entry", [entry for entry in REGISTRY if not entry.shipped], ids=by_name)
def test_every_address_is_pinned_to_a_commit(entry: Entry) -> None:
    for source in entry.sources:
        assert set(source.files) == set(entry.checksums)
        assert source.is_archive or len(source.addresses()) == len(source.files)
        for address in source.addresses().values():
            assert re.match(r"https://raw\.githubusercontent\.com/\w+/\w+/[0-9a-f]{40}/", address)
