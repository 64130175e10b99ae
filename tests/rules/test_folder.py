import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rulewright.errors import RunFolderError
from rulewright.rules import folder as folders
from rulewright.rules.folder import FORMAT, check_writable, read_arrays, read_document, write_folder
from rulewright.rules.swap import swap

ARRAYS = {"weights": {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "none": np.empty(0, dtype=np.int64)}}


def documents(**fields) -> dict:
    return {"run": {"format": FORMAT, **fields}, "program": {"rules": ["é"]}}


def written(place: Path, **fields) -> Path:
    return write_folder(place, documents(**fields), ARRAYS)


def test_what_was_written_is_read(tmp_path):
    run = written(tmp_path / "runs" / "first", seed=3)
    assert read_document(run, "run") == {"format": FORMAT, "seed": 3}
    assert read_document(run, "program") == {"rules": ["é"]}
    arrays = read_arrays(run, "weights")
    assert arrays["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert arrays["none"].shape == (0,)
    assert sorted(path.name for path in run.iterdir()) == ["program.json", "run.json", "weights.safetensors"]


def test_a_run_takes_the_place_of_an_older_one_and_nothing_is_left_beside_it(tmp_path):
    run = written(tmp_path / "run", seed=1)
    written(run, seed=2)
    assert read_document(run, "run")["seed"] == 2
    assert os.listdir(tmp_path) == ["run"]


def test_it_works_without_an_exchange_in_one_step(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "swap", lambda one, other: False)
    run = written(tmp_path / "run", seed=1)
    written(run, seed=2)
    assert read_document(run, "run")["seed"] == 2
    assert os.listdir(tmp_path) == ["run"]


def test_two_folders_change_places(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    (one / "in one").mkdir(parents=True)
    (other / "in other").mkdir(parents=True)
    if not swap(one, other):
        pytest.skip("this file system cannot exchange folders")
    assert os.listdir(one) == ["in other"]
    assert os.listdir(other) == ["in one"]
    assert not swap(one, tmp_path / "missing")


def test_an_empty_folder_may_be_filled_and_a_link_goes_on_leading_to_the_run(tmp_path):
    (tmp_path / "empty").mkdir()
    assert read_document(written(tmp_path / "empty"), "run")["format"] == FORMAT
    written(tmp_path / "real", seed=1)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    written(tmp_path / "link", seed=2)
    assert (tmp_path / "link").is_symlink()
    assert read_document(tmp_path / "real", "run")["seed"] == 2


def test_a_run_folder_has_the_permissions_of_any_folder(tmp_path):
    (tmp_path / "other").mkdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "other", written(tmp_path / "run"))]
    assert modes[0] == modes[1]


@pytest.mark.parametrize("content", ["notes.txt", "run.json/x", "data.json"])
def test_a_folder_that_holds_something_else_is_refused_and_left_alone(tmp_path, content):
    mine = tmp_path / "mine" / content
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    with pytest.raises(RunFolderError, match=r"would be lost; choose another place"):
        written(tmp_path / "mine")
    assert mine.read_text() == "mine"


def test_a_run_to_which_notes_were_added_is_refused(tmp_path):
    run = written(tmp_path / "run", seed=1)
    (run / "notes.txt").write_text("mine")
    with pytest.raises(RunFolderError, match=r"notes\.txt"):
        written(run, seed=2)
    assert read_document(run, "run")["seed"] == 1


def test_a_file_in_the_way_is_refused(tmp_path):
    (tmp_path / "run").write_text("mine")
    with pytest.raises(RunFolderError, match="not a folder"):
        written(tmp_path / "run")


def test_a_parent_that_is_a_file_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="cannot write the run folder"):
        written(tmp_path / "file" / "run")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_parent_that_may_not_be_written_is_a_clear_error(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(RunFolderError, match="Permission denied; nothing was changed"):
            written(tmp_path / "run")
    finally:
        tmp_path.chmod(0o700)


def test_a_refusal_of_the_system_is_a_clear_error(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(folders.tempfile, "TemporaryDirectory", refuse)
    with pytest.raises(RunFolderError, match="Permission denied; nothing was changed"):
        written(tmp_path / "run")


def test_whether_a_place_can_be_written_is_seen_beforehand(tmp_path):
    check_writable(tmp_path / "new" / "run")
    assert os.listdir(tmp_path) == []
    (tmp_path / "notes.txt").write_text("mine")
    for place, reason in ((tmp_path, "would be lost"), (tmp_path / "notes.txt" / "run", "Not a directory")):
        with pytest.raises(RunFolderError, match=reason):
            check_writable(place)


def test_a_place_where_a_disk_is_mounted_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "is_mount", lambda path: True)
    with pytest.raises(RunFolderError, match="a disk is mounted; choose a folder on it"):
        written(tmp_path)


def test_a_full_disk_leaves_the_old_run(tmp_path, monkeypatch):
    run = written(tmp_path / "run", seed=1)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders, "write_arrays", full)
    with pytest.raises(RunFolderError, match="No space left on device"):
        written(run, seed=2)
    assert read_document(run, "run")["seed"] == 1
    assert os.listdir(tmp_path) == ["run"]


def test_where_the_new_run_cannot_be_moved_the_old_one_comes_back(tmp_path, monkeypatch):
    run = written(tmp_path / "run", seed=1)
    rename = os.rename

    def failing(source, target):
        if Path(target) == run and Path(source).name == "run":
            raise OSError(5, "Input/output error")
        rename(source, target)

    monkeypatch.setattr(folders, "swap", lambda one, other: False)
    monkeypatch.setattr(folders.os, "rename", failing)
    with pytest.raises(RunFolderError, match="Input/output error"):
        written(run, seed=2)
    assert read_document(run, "run")["seed"] == 1


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"], ids=["nan", "inf", "lone surrogate"])
def test_what_json_cannot_hold_is_refused_before_anything_is_there(tmp_path, value):
    with pytest.raises(RunFolderError, match="cannot be written as JSON"):
        write_folder(tmp_path / "run", documents(value=value), ARRAYS)
    assert os.listdir(tmp_path) == []


def test_a_folder_without_a_run_is_told(tmp_path):
    with pytest.raises(RunFolderError, match=r"not a run folder: it has no run\.json"):
        read_document(tmp_path, "run")
    with pytest.raises(RunFolderError, match="not a run folder"):
        read_document(tmp_path / "missing", "program")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a JSON document"),
        ('{"format": 1', "not a JSON document"),
        ('{"format": NaN}', "not a JSON document"),
        ("[" * 100_000, "not a JSON document"),
        ('"\xff"', "not a JSON document"),
        ("[]", "states no format"),
        ("{}", "states no format"),
        ('{"format": "1"}', "states no format"),
        ('{"format": true}', "states no format"),
        ('{"format": 99}', "format 99; this version reads up to 1: upgrade"),
    ],
)
def test_a_broken_run_document_is_told(tmp_path, text, message):
    run = written(tmp_path / "run")
    (run / "run.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(RunFolderError, match=message):
        read_document(run, "run")


def test_a_missing_or_oversized_document_is_told(tmp_path, monkeypatch):
    run = written(tmp_path / "run")
    with pytest.raises(RunFolderError, match="cannot read"):
        read_document(run, "history")
    monkeypatch.setattr(folders, "LARGEST_DOCUMENT", 10)
    with pytest.raises(RunFolderError, match="larger than 10 bytes"):
        read_document(run, "program")


@pytest.mark.parametrize("keep", [0, 4, 30, -1])
def test_truncated_arrays_are_told(tmp_path, keep):
    run = written(tmp_path / "run")
    path = run / "weights.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(RunFolderError, match="cannot read"):
        read_arrays(run, "weights")


def test_missing_and_strange_arrays_are_told(tmp_path):
    run = written(tmp_path / "run")
    with pytest.raises(RunFolderError, match="cannot read"):
        read_arrays(run, "facts")
    header = json.dumps({"a": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}).encode()
    (run / "weights.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + b"\0")
    with pytest.raises(RunFolderError, match="cannot read"):
        read_arrays(run, "weights")


WRITER = """
import sys, numpy as np
from rulewright.rules.folder import FORMAT, write_folder
print("ready", flush=True)
number = 0
while True:
    number += 1
    arrays = {"weights": {"number": np.full(20_000, number)}}
    write_folder(sys.argv[1], {"run": {"format": FORMAT, "number": number}, "program": [number] * 2000}, arrays)
    print("written", flush=True)
"""


def test_killing_a_writer_at_any_moment_leaves_a_whole_run(tmp_path):
    place, rng = tmp_path / "run", random.Random(0)
    write_folder(
        place, {"run": {"format": FORMAT, "number": 0}, "program": [0] * 2000}, {"weights": {"number": np.zeros(1)}}
    )
    if not swap(place, written(tmp_path / "probe")):
        pytest.skip("this file system cannot exchange folders")
    swap(place, tmp_path / "probe")
    seen = set()
    for _ in range(10):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        for _ in range(rng.randrange(3)):  # a slow machine may not write once in the time that follows
            assert writer.stdout.readline() == "written\n"
        time.sleep(rng.random() * 0.05)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        number = read_document(place, "run")["number"]
        assert set(read_document(place, "program")) == {number}
        assert set(read_arrays(place, "weights")["number"].tolist()) == {number}
        seen.add(number)
    assert len(seen) > 1
