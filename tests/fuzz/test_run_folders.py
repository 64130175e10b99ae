"""A run folder from a stranger: loaded or refused in our words; nothing is run or written."""

import os
import resource
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.targets import FOLDERS, checked_read, feed_folder
from tests.fuzz.watch import contents, watched

from rulewright.errors import RulewrightError, RunFolderError


@pytest.mark.parametrize("name", FOLDERS)
def test_a_sound_folder_is_read(name: str, sound_runs: dict[str, Path]) -> None:
    assert checked_read(FOLDERS[name].read, sound_runs[name]) is None


@pytest.mark.parametrize("name", FOLDERS)
def test_however_a_folder_is_broken_it_is_read_or_refused_and_nothing_else_happens(
    name: str, sound_runs: dict[str, Path], tmp_path: Path
) -> None:
    before = contents(sound_runs[name])
    refused: list[RulewrightError] = []

    @settings(deadline=None, max_examples=120)
    @given(st.binary(max_size=60))
    def read(data: bytes) -> None:
        error = feed_folder(name, data, sound_runs[name], tmp_path / "broken")
        if error is not None:
            refused.append(error)

    read()
    assert len(refused) > 10
    assert contents(sound_runs[name]) == before
    assert [path.name for path in tmp_path.iterdir()] == ["broken"]


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "device"])
def test_what_is_no_plain_file_is_refused_unopened(
    name: str, kind: str, sound_runs: dict[str, Path], tmp_path: Path
) -> None:
    for file in sorted(path.name for path in sound_runs[name].iterdir() if path.name != "figures.json"):
        place = tmp_path / file
        place.mkdir()
        for path in sound_runs[name].iterdir():
            (place / path.name).write_bytes(path.read_bytes())
        target = place / file
        target.unlink()
        if kind == "pipe":
            os.mkfifo(target)
        elif kind == "folder":
            target.mkdir()
        else:
            target.symlink_to("/dev/zero" if kind == "device" else sound_runs[name] / file)
        with pytest.raises(RunFolderError):
            FOLDERS[name].read(place)


@pytest.mark.parametrize("name", FOLDERS)
def test_arrays_and_documents_of_absurd_size_are_refused_before_memory_is_asked_for(
    name: str, sound_runs: dict[str, Path], tmp_path: Path
) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for file in sorted(path.name for path in sound_runs[name].iterdir() if path.name != "figures.json"):
        place = tmp_path / file
        place.mkdir()
        for path in sound_runs[name].iterdir():
            (place / path.name).write_bytes(path.read_bytes())
        with (place / file).open("r+b") as content:
            content.truncate(1 << 40)  # a hole: it takes no room on the disk
        with pytest.raises(RunFolderError, match="larger than"):
            FOLDERS[name].read(place)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 50_000  # KB


def test_the_watch_sees_what_it_is_there_for(tmp_path: Path) -> None:
    with watched() as done:
        (tmp_path / "file").write_text("x")
        os.rename(tmp_path / "file", tmp_path / "other")
    assert len(done) == 2
    with watched() as done:
        (tmp_path / "other").read_text()
    assert not done
