"""A saved model comes back as it was; one that someone has tampered with is refused before a kernel sees it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tests.completion.toys import dataset_of, families, quick, random_pairs

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.model import CompletionModel
from rulewright.completion.rules import rules_of
from rulewright.completion.saving import load_model, save_model
from rulewright.errors import RunFolderError

Arrays = dict[str, Any]


@pytest.fixture(scope="module")
def model() -> CompletionModel:
    settings = quick(constants=ConstantSettings(), answer=True, epochs=3, queries=30, mined=30)
    return complete(dataset_of([*families(4), *random_pairs("noise", 12, 40, 1)]), settings, threads=1)


@pytest.fixture
def folder(model: CompletionModel, tmp_path: Path) -> Path:
    return save_model(model, tmp_path / "run", "toy", {"mrr": 0.5}, seconds=1.5)


def test_a_loaded_model_predicts_the_same(model: CompletionModel, folder: Path) -> None:
    loaded = load_model(folder)
    assert loaded.settings == model.settings
    assert (loaded.name, loaded.entities.names) == (model.name, model.entities.names)
    for relation in range(2 * len(model.relations)):
        assert [str(rule) for rule in rules_of(loaded, relation)] == [str(rule) for rule in rules_of(model, relation)]
        assert loaded.mixture(relation).loss == model.mixture(relation).loss
        for head in range(len(model.entities)):
            scores = model.scorer(relation).scores(head)
            np.testing.assert_array_equal(loaded.scorer(relation).scores(head), scores)
            assert np.isfinite(scores).all()
    assert json.loads((folder / "figures.json").read_text())["mrr"] == 0.5


def set_item(name: str, place: Any, value: Any) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays[name] = arrays[name].copy()
        arrays[name][place] = value

    return change


def reshape(name: str, make: Callable[[Any], Any]) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays[name] = np.ascontiguousarray(make(arrays[name]))

    return change


def drop(name: str) -> Callable[[Arrays], None]:
    return lambda arrays: arrays.pop(name)


def rename(name: str, other: str) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays[other] = arrays.pop(name)

    return change


HOSTILE: list[tuple[str, Callable[[Arrays], None]]] = [
    ("facts", set_item("triples", (0, 0), 10_000)),
    ("facts", set_item("triples", (0, 1), 3)),
    ("facts", set_item("triples", (0, 2), -1)),
    ("facts", reshape("triples", lambda a: a[:, :2])),
    ("facts", reshape("triples", lambda a: a.ravel())),
    ("facts", reshape("triples", lambda a: a.astype(np.float64))),
    ("facts", drop("triples")),
    ("facts", drop("entities.bytes")),
    ("facts", reshape("entities.ends", lambda a: a[:-3])),
    ("rules", set_item("2.paths", (0, 0), 6)),
    ("rules", set_item("2.paths", (0, 0), -2)),
    ("rules", reshape("2.paths", lambda a: a.ravel())),
    ("rules", reshape("2.paths", lambda a: a[:, :0])),
    ("rules", reshape("2.paths", lambda a: a.astype(np.float32))),
    ("rules", reshape("2.weights", lambda a: a[:-1])),
    ("rules", reshape("2.weights", lambda a: a[:, None])),
    ("rules", set_item("2.weights", 0, np.nan)),
    ("rules", reshape("2.support", lambda a: a[:-1])),
    ("rules", reshape("2.columns", lambda a: a[:2])),
    ("rules", set_item("2.columns", 0, np.inf)),
    ("rules", reshape("2.direct", lambda a: a[:-1])),
    ("rules", reshape("2.answer", lambda a: a[:-1])),
    ("rules", drop("2.direct")),
    ("rules", drop("4.constants.facts")),
    ("rules", set_item("4.constants.answers", 0, 10_000)),
    ("rules", set_item("4.constants.answers", -1, 0)),
    ("rules", set_item("4.constants.facts", -1, 1 << 40)),
    ("rules", set_item("4.constants.answer", 0, -1)),
    ("rules", set_item("4.constants.starts", 1, 1 << 40)),
    ("rules", set_item("4.constants.starts", -1, 1 << 40)),
    ("rules", reshape("4.constants.starts", lambda a: a[:0])),
    ("rules", reshape("4.constants.prior", lambda a: a[:-1])),
    ("rules", reshape("4.constants.weight", lambda a: a.astype(np.float64))),
    ("rules", rename("2.sampled", "99.sampled")),
    ("rules", rename("2.sampled", "-1.sampled")),
    ("rules", rename("2.sampled", "x.sampled")),
    ("rules", reshape("2.sampled", lambda a: a[:0])),
]


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_tables_that_a_kernel_could_not_survive_are_refused(folder: Path, place: int) -> None:
    name, change = HOSTILE[place]
    path = folder / f"{name}.safetensors"
    arrays: Arrays = dict(load_file(path))
    change(arrays)
    save_file(arrays, path)
    with pytest.raises(RunFolderError):
        load_model(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "template"},
        {"format": 99},
        {"name": None, "settings": None},
        {"settings": {}},
        {"settings": []},
        {"loss": []},
        {"loss": {}},
        {"loss": {"2": "much"}},
    ],
)
def test_a_document_that_is_not_a_models_is_refused(folder: Path, changes: dict[str, Any]) -> None:
    run = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(run | changes))
    with pytest.raises(RunFolderError):
        load_model(folder)


@pytest.mark.parametrize("key", ["name", "settings", "loss", "kind", "format"])
def test_a_document_that_lacks_something_is_refused(folder: Path, key: str) -> None:
    run = json.loads((folder / "run.json").read_text())
    del run[key]
    (folder / "run.json").write_text(json.dumps(run))
    with pytest.raises(RunFolderError):
        load_model(folder)


@pytest.mark.parametrize(
    "changes",
    [{"length": 0}, {"paths": "many"}, {"novel": 1}, {"limits": {"branch": 0}}, {"constants": {"rate": -1}}],
)
def test_settings_from_elsewhere_are_checked(folder: Path, changes: dict[str, Any]) -> None:
    run = json.loads((folder / "run.json").read_text())
    run["settings"] |= changes
    (folder / "run.json").write_text(json.dumps(run))
    with pytest.raises(RunFolderError):
        load_model(folder)


def test_a_folder_without_its_tables_or_without_a_run_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "rules.safetensors").write_bytes(b"no tensors")
    with pytest.raises(RunFolderError, match=r"rules\.safetensors"):
        load_model(folder)
    (folder / "rules.safetensors").unlink()
    with pytest.raises(RunFolderError):
        load_model(folder)
    with pytest.raises(RunFolderError, match="not a run folder"):
        load_model(tmp_path / "nowhere")
