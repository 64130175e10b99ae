"""A data set is found by path, in RULEWRIGHT_DATA, in the package, in the cache, in this order."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from rulewright.errors import DatasetError, FactFormatError
from rulewright.kb import datasets
from rulewright.kb.datasets import SHIPPED, from_pykeen, load_dataset, locate
from rulewright.kb.splits import Triples


@pytest.fixture(autouse=True)
def an_empty_machine(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_DATA", raising=False)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))

    def no_network(entry: object) -> Path:
        raise AssertionError("a test asked for the network")

    monkeypatch.setattr(datasets, "fetch", no_network)


def put(folder: Path, text: str = "ann\tlikes\tbob\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "train.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(("name", "train"), [("umls", 5216), ("Kinships", 8544), ("nations", 1592)])
def test_small_sets_come_with_the_package(name: str, train: int) -> None:
    assert len(load_dataset(name).train) == train
    place = locate(name)
    assert place is not None
    assert place.found_in == "package"


@pytest.mark.parametrize("given", ["umls", "UMLS"])
@pytest.mark.parametrize("folder", ["umls", "UMLS", "Umls"])
def test_the_data_folder_comes_before_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, given: str
) -> None:
    put(tmp_path / folder)
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    dataset = load_dataset(given)
    assert (dataset.name, len(dataset.train)) == ("umls", 1)


@pytest.mark.parametrize(
    ("name", "folder"), [("wn18rr", "WN18RR"), ("fb15k237", "FB15k-237"), ("countries-s1", "countries_S1")]
)
def test_the_data_folder_is_searched_for_all_names_of_a_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, folder: str
) -> None:
    put(tmp_path / folder)
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    assert load_dataset(name).name == folder


def test_the_data_folder_may_hold_sets_that_nobody_registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "My_Graph")
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    assert load_dataset("my-graph").name == "My_Graph"


def test_the_spelling_that_was_asked_for_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mine", "mi_ne"):
        put(tmp_path / name)
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    assert [load_dataset(name).name for name in ("mine", "mi_ne", "mi-ne")] == ["mine", "mi_ne", "mi_ne"]


def test_a_data_folder_that_is_none_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "gone"))
    with pytest.raises(DatasetError, match=r"RULEWRIGHT_DATA names .*gone, which is no folder"):
        load_dataset("umls")


def test_a_folder_comes_before_every_name(monkeypatch: pytest.MonkeyPatch) -> None:
    put(Path("umls"))
    assert len(load_dataset("umls").train) == 1
    assert len(load_dataset(Path("umls")).train) == 1
    assert len(load_dataset("./umls").train) == 1


def test_a_folder_without_triples_does_not_hide_a_name() -> None:
    Path("umls").mkdir()  # a run of that name, say
    assert len(load_dataset("umls").train) == 5216


def test_what_the_cache_holds_is_used_when_it_is_what_the_name_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets, "SHIPPED", tmp_path / "nothing")
    cache = datasets.cache_folder()
    shutil.copytree(SHIPPED / "nations", cache / "nations")
    assert len(load_dataset("nations").train) == 1592
    put(cache / "nations")
    with pytest.raises(DatasetError, match=r"nations: the content of train is not that of nations, split of PyKEEN"):
        load_dataset("nations")


def test_a_name_that_is_nowhere_on_the_machine_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "fetch", lambda entry: put(tmp_path / entry.name))
    assert load_dataset("wn18rr").name == "WN18RR"


def test_an_unknown_name_leads_to_the_nearest() -> None:
    with pytest.raises(DatasetError, match=r"no data set kinshp \(did you mean kinship.*known are umls, kinship"):
        load_dataset("kinshp")
    Path("mine").mkdir()
    with pytest.raises(DatasetError, match=r"The folder of that name here holds no train\.txt"):
        load_dataset("mine")


def test_a_path_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="there is no file or folder"):
        load_dataset(tmp_path / "gone")
    with pytest.raises(DatasetError, match=r"holds no train\.txt.*it holds nothing"):
        load_dataset(tmp_path)


@pytest.mark.parametrize(
    ("file", "text"),
    [("family.txt", "ann\tlikes\tbob\n"), ("family.csv", "ann,likes,bob\n"), ("family.pl", "likes(ann, bob).\n")],
)
def test_a_single_file_is_split_whatever_its_form(tmp_path: Path, file: str, text: str) -> None:
    lines = [text.replace("ann", f"e{n % 7}").replace("bob", f"e{n % 11}") for n in range(77)]
    (tmp_path / file).write_text("".join(lines), encoding="utf-8")
    dataset = load_dataset(str(tmp_path / file), seed=3)
    assert dataset.name == "family"
    assert (len(dataset.train), len(dataset.valid), len(dataset.test)) == (61, 8, 8)
    assert "seed 3" in dataset.note
    assert len(load_dataset(tmp_path / file, valid_share=0.3).valid) == 23


def test_options_reach_the_files(tmp_path: Path) -> None:
    put(tmp_path, "ann likes bob\nbob likes ann\nann likes ann\nbob likes bob\n")
    with pytest.raises(FactFormatError):
        load_dataset(tmp_path)
    assert len(load_dataset(tmp_path, valid_share=0.5, separator=" ").valid) == 2


@dataclass
class Factory:
    mapped_triples: Triples
    entity_to_id: dict[str, int]
    relation_to_id: dict[str, int]


@dataclass
class Countries:
    training: Factory | None
    validation: Factory | None
    testing: Factory | None


def factory(*rows: tuple[int, int, int], entities: dict[str, int] | None = None) -> Factory:
    return Factory(np.array(rows), entities or {"bob": 1, "ann": 0}, {"likes": 0})


def test_a_pykeen_data_set_keeps_its_ids() -> None:
    dataset = from_pykeen(Countries(factory((0, 0, 1)), None, factory((1, 0, 0))))
    assert dataset.named(dataset.train) == [("ann", "likes", "bob")]
    assert dataset.named(dataset.test) == [("bob", "likes", "ann")]
    assert dataset.graph is dataset.train
    assert len(dataset.valid) == 0
    assert dataset.name == "Countries"


def test_pykeen_names_lead_to_the_registered_ones() -> None:
    assert from_pykeen(Countries(factory((0, 0, 1)), None, None), name="FB15k237").name == "FB15k-237"


@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        (Countries(None, None, None), "not a data set of PyKEEN"),
        (Countries(factory((0, 0, 2)), None, None), "ids beyond its 2 entities"),
        (Countries(factory((0, 0, 1), entities={"ann": 0, "bob": 2}), None, None), "without gaps"),
    ],
)
def test_what_is_no_pykeen_data_set_is_refused(dataset: Countries, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        from_pykeen(dataset)
