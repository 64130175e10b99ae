"""The folder in which finished relations are kept: every step may be the last, and a stranger's folder does no harm."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from benchmarks.killing import differences, look_at
from tests.completion.toys import dataset_of, families, quick

from rulewright.completion.complete import complete
from rulewright.completion.saving import save_model
from rulewright.completion.unfinished import unfinished_run
from rulewright.engine.serial import Serial
from rulewright.errors import RunFolderError

DATASET = dataset_of(families(3))
SETTINGS = quick(epochs=1, mined=5, queries=5)
STEPS = ("open", "os.mkdir", "os.rename", "os.truncate")  # where they are about the folder
ALWAYS = (
    "os.remove",
    "os.rmdir",
    "ctypes.dlsym",
)  # told without a folder; the last stands before folders change places

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # a copy runs nothing but `learn`


def learn(place: Path) -> None:
    """Learn a run from what is kept of it, and put it in its place."""
    with unfinished_run(place, DATASET, SETTINGS) as unfinished:
        model = complete(DATASET, SETTINGS, engine=Serial(), unfinished=unfinished)
        save_model(model, place, "toy", workshop=unfinished.folder)
        unfinished.remove()


def killed_at(step: int, place: Path) -> bool:
    """Learn in a copy of this process that is killed just before it touches the folder for so many times."""
    child = os.fork()
    if child == 0:
        left = step

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event in ALWAYS or (event in STEPS and str(place.parent) in str(arguments)):
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        try:
            learn(place)
        except BaseException:
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL)
    return code < 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied")
def test_killed_at_every_single_step_an_older_run_stays_and_the_new_one_ends_the_same(tmp_path: Path) -> None:
    whole, place = tmp_path / "whole", tmp_path / "runs" / "run"
    learn(whole)
    learn(place)
    step = 0
    while killed_at(step, place):
        look_at(place)
        assert differences(whole, place) == []  # the place is never empty: the older run, or the new one
        learn(place)
        assert differences(whole, place) == []
        assert os.listdir(place.parent) == ["run"]
        step += 1
    assert step > 30


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied")
def test_killed_at_ever_later_steps_without_an_older_run_it_gets_there(tmp_path: Path) -> None:
    whole, place = tmp_path / "whole", tmp_path / "runs" / "run"
    learn(whole)
    place.parent.mkdir()
    step = 0
    while killed_at(step, place):  # each goes on from what the one before has kept
        look_at(place)
        step += 3
    assert step > 10
    assert differences(whole, place) == []
    assert os.listdir(place.parent) == ["run"]


def test_another_folder_of_that_name_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / ".run.partial" / "mine"
    mine.mkdir(parents=True)
    (mine / "notes.txt").write_text("mine")
    with pytest.raises(RunFolderError, match=r"holds what is no unfinished run's \(mine\) and would be lost"):
        learn(tmp_path / "run")
    assert (mine / "notes.txt").read_text() == "mine"
    assert os.listdir(tmp_path) == [".run.partial"]


def to_a_folder(partial: Path, victim: Path) -> None:
    partial.symlink_to(victim)


def as_the_lock(partial: Path, victim: Path) -> None:
    partial.mkdir()
    (partial / "lock").symlink_to(victim / "file")


def as_a_half_written_file(partial: Path, victim: Path) -> None:
    partial.mkdir()
    (partial / "relation-0.safetensors.tmp").symlink_to(victim / "file")


def as_a_folder_half_written(partial: Path, victim: Path) -> None:
    partial.mkdir()
    (partial / "relation-0.safetensors.tmp").symlink_to(victim)


@pytest.mark.parametrize("lead", [to_a_folder, as_the_lock, as_a_half_written_file, as_a_folder_half_written])
def test_links_that_a_stranger_left_lead_nowhere(tmp_path: Path, lead: Callable[[Path, Path], None]) -> None:
    victim = tmp_path / "victim"
    (victim / "old").mkdir(parents=True)
    (victim / "file").write_text("mine")
    lead(tmp_path / ".run.partial", victim)
    with suppress(RunFolderError):
        learn(tmp_path / "run")
    assert sorted(os.listdir(victim)) == ["file", "old"]
    assert (victim / "file").read_text() == "mine"


@pytest.mark.parametrize("content", ["", "{", "\udcff", "[" * 9])
def test_a_damaged_manifest_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / ".run.partial").mkdir()
    (tmp_path / ".run.partial" / "manifest.json").write_bytes(content.encode(errors="surrogateescape"))
    (tmp_path / ".run.partial" / "tuned.json").write_text("{}")
    with pytest.raises(RunFolderError, match=r"is damaged.*remove the folder to begin anew"):
        learn(tmp_path / "run")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"length": -1}'])
def test_damaged_settings_of_a_search_are_searched_again(tmp_path: Path, content: str) -> None:
    with unfinished_run(tmp_path / "run", DATASET, SETTINGS) as unfinished:
        unfinished.keep_tuned(SETTINGS)
        assert unfinished.tuned == SETTINGS
        (unfinished.folder / "tuned.json").write_text(content)
        assert unfinished.tuned is None


def test_a_place_where_a_disk_is_mounted_is_refused_before_anything_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run").mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda path: True)
    with pytest.raises(RunFolderError, match=r"is where a disk is mounted; choose a folder on it, such as .*run/run"):
        learn(tmp_path / "run")
