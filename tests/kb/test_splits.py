"""A data set is read as it was published, and split without losing anybody."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import DatasetError, FactFormatError, InputError, OptionError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.splits import MOST_ASIDE, Dataset, Triples, read_splits, set_aside, split_by_seed, with_valid

TRAIN = "ann\tparent\tbob\nbob\tparent\tcy\ncy\tlikes\tann\n"


def folder_with(folder: Path, **parts: str | bytes) -> Path:
    for part, text in parts.items():
        (folder / f"{part}.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def named(dataset: Dataset, triples: Triples) -> set[tuple[str, str, str]]:
    return set(dataset.named(triples))


def test_the_training_triples_are_the_graph(tmp_path: Path) -> None:
    dataset = read_splits(folder_with(tmp_path, train=TRAIN, valid="ann\tlikes\tcy\n", test="cy\tparent\tbob\n"))
    assert dataset.name == tmp_path.name
    assert dataset.graph is dataset.train
    assert list(dataset.parts()) == ["train", "valid", "test"]
    assert named(dataset, dataset.train) == {("ann", "parent", "bob"), ("bob", "parent", "cy"), ("cy", "likes", "ann")}
    assert named(dataset, dataset.test) == {("cy", "parent", "bob")}
    assert str(dataset) == f"{tmp_path.name}: 3 entities, 2 relations, 3 train, 1 valid, 1 test"


def test_facts_are_the_graph_where_there_are_some(tmp_path: Path) -> None:
    dataset = read_splits(folder_with(tmp_path, facts="ann\tnear\tbob\n", train=TRAIN))
    assert named(dataset, dataset.graph) == {("ann", "near", "bob")}
    assert len(dataset.train) == 3
    assert list(dataset.knowledge_base().relations) == ["near"]
    assert list(dataset.parts()) == ["facts", "train", "valid", "test"]


def test_names_that_only_queries_know_come_after_the_others(tmp_path: Path) -> None:
    dataset = read_splits(folder_with(tmp_path, train=TRAIN, valid="dee\thates\tann\n", test="ann\tparent\teve\n"))
    assert dataset.entities.names == ["ann", "bob", "cy", "dee", "eve"]
    assert dataset.relations.names == ["parent", "likes", "hates"]
    assert dataset.train[:, ::2].max() == 2
    assert "hates" not in dataset.knowledge_base().relations
    assert len(dataset.knowledge_base().constants) == 5


def test_the_knowledge_base_holds_the_graph_by_relation(tmp_path: Path) -> None:
    kb = read_splits(folder_with(tmp_path, train=TRAIN)).knowledge_base()
    assert kb.facts_of("parent") == [("ann", "bob"), ("bob", "cy")]
    assert kb.facts_of("likes") == [("cy", "ann")]


def test_repeated_triples_count_once_and_are_reported(tmp_path: Path) -> None:
    dataset = read_splits(folder_with(tmp_path, train=TRAIN + TRAIN + "\n", test=TRAIN))
    assert len(dataset.train) == 3
    assert dataset.repeated == {"train": 3}


@pytest.mark.parametrize("parts", [{}, {"valid": "", "test": "\n"}])
def test_missing_and_empty_queries_are_no_queries(tmp_path: Path, parts: dict[str, str]) -> None:
    dataset = read_splits(folder_with(tmp_path, train=TRAIN, **parts))
    assert dataset.valid.shape == dataset.test.shape == (0, 3)


def test_a_folder_without_training_triples_is_refused_with_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"no train\.txt.*holds test\.txt"):
        read_splits(folder_with(tmp_path, test=TRAIN))


@pytest.mark.parametrize("parts", [{"train": "\n"}, {"train": TRAIN, "facts": ""}])
def test_an_empty_graph_is_refused(tmp_path: Path, parts: dict[str, str]) -> None:
    with pytest.raises(DatasetError, match="is empty"):
        read_splits(folder_with(tmp_path, **parts))


def test_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    dataset = read_splits(folder_with(tmp_path, train="\ufeff" + TRAIN.replace("\n", "\r\n").rstrip()))
    assert dataset.entities.names == ["ann", "bob", "cy"]
    assert dataset.relations.names == ["parent", "likes"]


def test_another_encoding_is_named_or_refused_with_its_place(tmp_path: Path) -> None:
    folder_with(tmp_path, train=TRAIN, test="andré\tlikes\tann\n".encode("latin-1"))
    with pytest.raises(FactFormatError, match=r"test\.txt:1: this is not utf-8 text"):
        read_splits(tmp_path)
    assert "andré" in read_splits(tmp_path, encoding="latin-1").entities


def test_a_line_with_too_few_columns_is_pointed_at(tmp_path: Path) -> None:
    with pytest.raises(FactFormatError, match=r"valid\.txt:2"):
        read_splits(folder_with(tmp_path, train=TRAIN, valid="ann\tlikes\tcy\nann likes cy\n"))


def test_another_separator_can_be_named(tmp_path: Path) -> None:
    folder_with(tmp_path, train=TRAIN.replace("\t", " "))
    with pytest.raises(FactFormatError, match="separator=' '"):
        read_splits(tmp_path)
    assert len(read_splits(tmp_path, separator=" ").train) == 3


def test_truths_are_no_part_of_a_split(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="leave out the fourth column"):
        read_splits(folder_with(tmp_path, train="ann\tlikes\tbob\t0.5\n"))


def test_only_pairs_can_be_split() -> None:
    with pytest.raises(DatasetError, match="gives has 3 arguments"):
        split_by_seed(KnowledgeBase.of({"gives": [("ann", "bob", "ring")]}), "gifts")


def a_knowledge_base(facts: int, entities: int, relations: int = 3) -> KnowledgeBase:
    ids = np.random.default_rng(5).integers(0, (entities, relations, entities), size=(facts, 3)).tolist()
    return KnowledgeBase.of(
        {f"r{name}": [(f"e{h}", f"e{t}") for h, r, t in ids if r == name] for name in range(relations)}
    )


def test_a_single_file_is_split_by_seed_and_says_so() -> None:
    kb = a_knowledge_base(facts=1000, entities=40)
    dataset, again, other = (split_by_seed(kb, "made", seed) for seed in (1, 1, 2))
    assert (len(dataset.valid), len(dataset.test)) == (round(len(kb) / 10),) * 2
    assert len(dataset.train) + len(dataset.valid) + len(dataset.test) == len(kb)
    assert "seed 1" in dataset.note
    assert (dataset.test == again.test).all()
    assert named(dataset, dataset.test) != named(other, other.test)


triples = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 9)), unique=True, min_size=1)


@given(triples, st.floats(0, 0.5), st.floats(0, 0.4), st.integers(0, 3))
def test_parts_share_no_triple_and_training_keeps_every_name(
    rows: list[tuple[int, int, int]], first: float, second: float, seed: int
) -> None:
    table = np.array(rows, dtype=np.int64)
    parts = set_aside(table, (first, second), seed)
    assert sorted(row for part in parts for row in map(tuple, part.tolist())) == sorted(rows)
    assert len(parts[1]) <= round(first * len(rows))
    train = parts[0]
    assert set(train[:, ::2].ravel().tolist()) == set(table[:, ::2].ravel().tolist())
    assert set(train[:, 1].tolist()) == set(table[:, 1].tolist())


@pytest.mark.parametrize("shares", [(-0.1,), (1.0,), (0.6, 0.4), (float("nan"),)])
def test_shares_that_leave_nothing_are_refused(shares: tuple[float, ...]) -> None:
    with pytest.raises(OptionError, match="shares"):
        set_aside(np.zeros((1, 3), dtype=np.int64), shares, 0)


def test_of_many_triples_no_more_are_set_aside_than_it_takes_to_judge() -> None:
    rng = np.random.default_rng(0)
    table = np.stack([rng.integers(50, size=130_000), np.zeros(130_000, np.int64), rng.integers(50, size=130_000)], 1)
    remaining, valid, test = set_aside(table, (0.1, 0.05), 0)
    assert (len(remaining), len(valid), len(test)) == (130_000 - MOST_ASIDE - 6_500, MOST_ASIDE, 6_500)


def test_validation_is_set_aside_only_where_there_is_none(tmp_path: Path) -> None:
    dataset = split_by_seed(a_knowledge_base(facts=300, entities=10), "made", valid_share=0)
    tuned = with_valid(dataset, 0.2)
    assert len(tuned.valid) == round(0.2 * len(dataset.train))
    assert tuned.graph is tuned.train
    assert "20% of the training triples" in tuned.note
    assert with_valid(tuned, 0.5) is tuned


def test_validation_is_taken_from_the_queries_and_not_from_separate_facts(tmp_path: Path) -> None:
    dataset = read_splits(
        folder_with(tmp_path, facts=TRAIN, train="".join(f"ann\tlikes\te{n % 2}{n}\n" for n in range(5)))
    )
    assert with_valid(dataset, 0.2).graph is dataset.graph


def test_mistakes_in_data_are_input_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_splits(folder_with(tmp_path, train="no columns\n"))
