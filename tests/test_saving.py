import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from tests.learning_problems import PROBLEMS

from rulewright.errors import GroundingTooLargeError, RunFolderError
from rulewright.grounding.ground import GroundingLimits
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.learning import Learned, learn
from rulewright.saving import load, save
from rulewright.training.fit import FitOptions

QUICK = FitOptions(epochs=30, restarts=1, seed=4)


def learned_from(name: str, **more) -> Learned:
    problem = PROBLEMS[name]
    return learn(problem.kb, problem.template, problem.labels, QUICK, **more)


@pytest.fixture(scope="module")
def learned() -> Learned:
    return learned_from("negation", alpha=0.9)


@pytest.fixture
def run(learned, tmp_path):
    return save(learned, tmp_path / "run")


def change(path, **fields):
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, **fields}))


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_run_comes_back_the_same(name, tmp_path):
    before = learned_from(name)
    after = load(save(before, tmp_path / "run"))
    assert after.program == before.program
    assert after.truths() == before.truths()
    assert after.predict() == before.predict()
    assert after.history == before.history
    assert after.options == before.options
    assert str(after.template) == str(before.template)
    assert {name: after.kb.facts_of(name) for name in after.kb.relations} == {
        name: before.kb.facts_of(name) for name in before.kb.relations
    }


def test_a_run_that_came_back_can_be_saved_again(run, tmp_path):
    again = save(load(run), tmp_path / "again")
    for name in os.listdir(run):
        assert (again / name).read_bytes() == (run / name).read_bytes()


def test_strange_names_and_soft_facts_come_back(tmp_path):
    rows = [("a b",), ("o'hara",), ("Zürich",), ("tab\tand\nline",), ("",), ("[red]\x1b",), ("12",)]
    kb = KnowledgeBase.of({"it's": rows, "x/y": rows[:3]}, {"it's": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75]})
    before = learn(kb, "'t t'(X) :- P(X), Q(X). P in {*}. Q in {\"it's\"}.", rows[:2], QUICK)
    after = load(save(before, tmp_path / "run"))
    assert after.truths() == before.truths()
    assert after.program == before.program


def test_fixed_and_attentive_leaves_come_back(tmp_path):
    problem = PROBLEMS["grandparent"]
    template = problem.template.replace("P in *.", "P in * @attention.")
    before = learn(problem.kb, template, problem.labels, QUICK, fixed=["Q"])
    after = load(save(before, tmp_path / "run"))
    assert after.truths() == before.truths()


def test_the_loaded_network_is_ready_to_answer(run):
    loaded = load(run)
    assert not loaded.network.training
    assert loaded.network.alpha == 0.9
    assert loaded.truths(loaded.kb) == loaded.truths()


def test_nothing_in_a_run_is_executable(run):
    assert {path.suffix for path in run.iterdir()} == {".json", ".safetensors"}


def test_limits_hold_for_loading_too(run):
    with pytest.raises(GroundingTooLargeError):
        load(run, GroundingLimits(rows=3))


def test_a_run_of_another_kind_is_told(run):
    change(run / "run.json", kind="completion")
    with pytest.raises(RunFolderError, match="a run of kind 'completion', not one of a template"):
        load(run)


@pytest.mark.parametrize(
    "fields",
    [
        {"template": None},
        {"template": "S(X"},
        {"template": "S(X) :- nothing(X)."},
        {"template": "S(X) :- likes(X, Y)."},
        {"root": "nobody"},
        {"root": 3},
        {"alpha": "high"},
        {"alpha": 0.6},
        {"alpha": None},
        {"options": {"epochs": 0}},
        {"options": {"optimiser": "sgd"}},
        {"options": {"step_size": 0.1}},
        {"options": None},
        {"options": []},
    ],
    ids=str,
)
def test_a_broken_run_is_told(run, fields):
    change(run / "run.json", **fields)
    with pytest.raises(RunFolderError):
        load(run)


@pytest.mark.parametrize("missing", ["template", "root", "alpha", "options", "kind"])
def test_a_run_without_something_is_told(run, missing):
    document = json.loads((run / "run.json").read_text())
    del document[missing]
    (run / "run.json").write_text(json.dumps(document))
    with pytest.raises(RunFolderError):
        load(run)


@pytest.mark.parametrize("name", ["run.json", "program.json", "history.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"null", b"[" * 50_000, b"\xff\xfe", b'{"format": NaN}'])
def test_corrupt_documents_are_told(run, name, content):
    (run / name).write_bytes(content)
    with pytest.raises(RunFolderError):
        load(run)


@pytest.mark.parametrize("name", ["facts.safetensors", "weights.safetensors"])
def test_truncated_missing_and_swapped_arrays_are_told(run, name):
    content = (run / name).read_bytes()
    for keep in (0, 5, 100, len(content) - 1):
        (run / name).write_bytes(content[:keep])
        with pytest.raises(RunFolderError):
            load(run)
    other = "weights.safetensors" if name.startswith("facts") else "facts.safetensors"
    (run / name).write_bytes((run / other).read_bytes())
    with pytest.raises(RunFolderError):
        load(run)
    (run / name).unlink()
    with pytest.raises(RunFolderError, match="cannot read"):
        load(run)


@pytest.mark.parametrize(
    "epochs",
    [None, [3], [{"epoch": 1}], [{"restart": 0, "epoch": "one"}], [{"restart": 0, "epoch": 1, "x": 1}]],
    ids=str,
)
def test_a_broken_history_is_told(run, epochs):
    change(run / "history.json", epochs=epochs)
    with pytest.raises(RunFolderError):
        load(run)


def altered(path, name, value):
    arrays = load_file(path)
    arrays[name] = value
    save_file(arrays, path)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_weights_that_are_no_numbers_are_told(run, value):
    path = run / "weights.safetensors"
    name = next(iter(load_file(path)))
    altered(path, name, np.full_like(load_file(path)[name], value))
    with pytest.raises(RunFolderError, match="not a number"):
        load(run)


@pytest.mark.parametrize("kind", [np.uint64, np.int8, np.bool_])
def test_weights_of_another_type_are_told(run, kind):
    path = run / "weights.safetensors"
    name = next(iter(load_file(path)))
    altered(path, name, load_file(path)[name].astype(kind))
    with pytest.raises(RunFolderError, match="not a number"):
        load(run)


def test_weights_of_another_shape_are_told(run):
    path = run / "weights.safetensors"
    altered(path, next(iter(load_file(path))), np.zeros((7, 7), dtype=np.float32))
    with pytest.raises(RunFolderError, match="do not fit its template"):
        load(run)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("constants.ends", np.array([5, 3], dtype=np.int64)),
        ("constants.ends", np.array([0.5])),
        ("constants.ends", np.zeros((2, 2), dtype=np.int64)),
        ("constants.bytes", np.array([0xFF], dtype=np.uint8)),
        ("facts.0", np.array([[0, 10**6]])),
        ("facts.0", np.array([[0, -1]])),
        ("facts.0", np.array([0, 1])),
        ("facts.0", np.array([[0.0, 1.0]])),
        ("truth.0", np.array([0.5], dtype=np.float32)),
    ],
)
def test_facts_that_make_no_sense_are_told(run, name, value):
    altered(run / "facts.safetensors", name, value)
    with pytest.raises(RunFolderError):
        load(run)


def test_rules_about_something_else_are_told(run):
    document = json.loads((run / "program.json").read_text())
    document["head"]["terms"] = document["head"]["terms"][:1]
    (run / "program.json").write_text(json.dumps(document))
    with pytest.raises(RunFolderError, match="its template about"):
        load(run)


def test_a_name_that_is_no_text_cannot_be_stored(learned, tmp_path):
    broken = replace(learned, kb=learned.kb.with_relation("\ud800", learned.kb["tall"]))
    with pytest.raises(RunFolderError, match="it is not text"):
        save(broken, tmp_path / "run")
    assert os.listdir(tmp_path) == []


def test_a_folder_of_somebody_elses_is_refused(learned, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="choose another place"):
        save(learned, tmp_path)
    assert os.listdir(tmp_path) == ["mine.txt"]


SAVER = """
import sys
from dataclasses import replace
from rulewright.saving import load, save
learned = load(sys.argv[1])
print("ready", flush=True)
number = 0
while True:
    number += 1
    save(replace(learned, options=replace(learned.options, seed=number)), sys.argv[2])
"""


def test_killing_a_process_that_saves_leaves_a_run_that_loads(run, tmp_path):
    place, rng = tmp_path / "place", random.Random(1)
    save(load(run), place)
    writer = subprocess.Popen([sys.executable, "-c", SAVER, str(run), str(place)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    time.sleep(0.05 + rng.random() * 0.2)
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    loaded = load(place)
    assert loaded.truths() == load(run).truths()


def test_weights_are_copied_not_shared(run):
    loaded = load(run)
    with torch.no_grad():
        for parameter in loaded.network.parameters():
            parameter.add_(1.0)
    assert load(run).truths() != loaded.truths()
