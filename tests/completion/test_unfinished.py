"""What is finished stays finished, whatever happens to the process; and what does not belong together is not mixed."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.killing import CommandLine, differences, kill_until_done
from safetensors.numpy import load_file
from tests.completion.toys import dataset_of, families, quick, random_pairs

from rulewright.completion import unfinished as unfinished_module
from rulewright.completion.complete import complete
from rulewright.completion.model import CompletionModel
from rulewright.completion.saving import load_model, mixtures_to_arrays, save_model
from rulewright.completion.unfinished import unfinished_run
from rulewright.completion.work import Pair, RelationWork
from rulewright.engine.engine import Failed, Outcomes
from rulewright.engine.serial import Serial
from rulewright.errors import DatasetError, EngineError, RunFolderError

TRIPLES = [*families(4), *(fact for n in range(4) for fact in random_pairs(f"noise{n}", 12, 20 + n, n))]
DATASET = dataset_of(TRIPLES)
SETTINGS = quick(epochs=2, mined=20, queries=20)


class Stopping:
    """Learns so many relations and then breaks down, as a machine might; notes what it was asked for."""

    def __init__(self, stop: int | None = None, failing: tuple[int, ...] = ()) -> None:
        self.stop, self.failing = stop, failing
        self.asked: list[int] = []

    def run(
        self, work: Callable[[RelationWork, int], Pair], shared: RelationWork, items: Sequence[int]
    ) -> Outcomes[int, Pair]:
        self.asked = list(items)
        for outcome in Serial().run(work, shared, items[: self.stop]):
            yield Failed(outcome.item, ValueError("too hard")) if outcome.item in self.failing else outcome
        if self.stop is not None:
            raise EngineError("the machine broke down")


def begun(place: Path, count: int) -> list[int]:
    """Learn so many relations of a run, then break down; the relations that were finished."""
    engine = Stopping(count)
    with pytest.raises(EngineError), unfinished_run(place, DATASET, SETTINGS) as unfinished:
        complete(DATASET, SETTINGS, engine=engine, unfinished=unfinished)
    return engine.asked[:count]


def finished(place: Path) -> tuple[CompletionModel, list[int]]:
    """Learn the rest; the model, and the relations that were learned for it."""
    engine = Stopping()
    with unfinished_run(place, DATASET, SETTINGS) as unfinished:
        model = complete(DATASET, SETTINGS, engine=engine, unfinished=unfinished)
        save_model(model, place, "toy", workshop=unfinished.folder)
        unfinished.remove()
    return model, engine.asked


def equal(one: CompletionModel, other: CompletionModel) -> bool:
    first, second = mixtures_to_arrays(one.mixtures), mixtures_to_arrays(other.mixtures)
    losses = [[mixture.loss for mixture in model.mixtures.values()] for model in (one, other)]
    return (
        list(first) == list(second)
        and all(table.tobytes() == second[name].tobytes() for name, table in first.items())
        and losses[0] == losses[1]
    )


def test_a_run_that_broke_down_is_continued_where_it_was(tmp_path: Path) -> None:
    done = begun(tmp_path / "run", 2)
    assert len(done) == 2
    done += begun(tmp_path / "run", 1)
    assert not (tmp_path / "run").exists()
    model, learned = finished(tmp_path / "run")
    assert sorted(done + learned) == list(range(6))
    assert equal(model, complete(DATASET, SETTINGS, 1))
    assert equal(model, load_model(tmp_path / "run"))
    assert os.listdir(tmp_path) == ["run"]


def test_the_seconds_of_all_sittings_count(tmp_path: Path) -> None:
    begun(tmp_path / "run", 3)
    with unfinished_run(tmp_path / "run", DATASET, SETTINGS) as unfinished:
        first = unfinished.before
        assert 0 < first < unfinished.seconds


def test_what_was_begun_otherwise_is_neither_mixed_in_nor_lost(tmp_path: Path) -> None:
    place = tmp_path / "run"
    done = begun(place, 2)
    others = [
        (DATASET, replace(SETTINGS, seed=1), ()),
        (DATASET, replace(SETTINGS, limits=replace(SETTINGS.limits, walks=999)), ()),
        (dataset_of(TRIPLES[:-1]), SETTINGS, ()),
        (dataset_of(TRIPLES, valid=[("e1", "noise0", "e2")]), SETTINGS, ()),
        (dataset_of([(h.replace("g0", "G0"), r, t) for h, r, t in TRIPLES]), SETTINGS, ()),
        (DATASET, SETTINGS, (5,)),
    ]
    for dataset, settings, more in others:
        with (
            pytest.raises(RunFolderError, match=r"unfinished run of another command.*remove the folder"),
            unfinished_run(place, dataset, settings, *more),
        ):
            pass
    assert sorted(done + finished(place)[1]) == list(range(6))


def test_what_was_begun_with_settings_cut_to_fit_goes_on_with_them(tmp_path: Path) -> None:
    """How much memory is free differs from start to start, and the rules must not differ within one run."""
    place = tmp_path / "run"
    cut, other = replace(SETTINGS, entries=150_000), replace(SETTINGS, entries=100_000)
    with unfinished_run(place, DATASET, SETTINGS, 4 << 30, fitted=cut) as unfinished:
        assert unfinished.settings == cut
        with pytest.raises(EngineError):
            complete(DATASET, cut, engine=Stopping(1), unfinished=unfinished)
    with unfinished_run(place, DATASET, SETTINGS, 4 << 30, fitted=other) as unfinished:
        assert unfinished.settings == cut
    with (
        pytest.raises(RunFolderError, match="the memory"),
        unfinished_run(place, DATASET, SETTINGS, 2 << 30, fitted=other),
    ):
        pass


def test_another_version_is_another_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(tmp_path / "run", 1)
    monkeypatch.setattr(unfinished_module, "version", lambda name: "99")
    with pytest.raises(RunFolderError, match="version"), unfinished_run(tmp_path / "run", DATASET, SETTINGS):
        pass


@pytest.mark.parametrize("damage", [b"", b"no tensors", None])
def test_a_damaged_relation_is_learned_again(tmp_path: Path, damage: bytes | None) -> None:
    done = begun(tmp_path / "run", 3)
    broken = tmp_path / ".run.partial" / f"relation-{done[0]}.safetensors"
    if damage is None:  # a whole file, but another relation's
        shutil.copy(broken.with_name(f"relation-{done[1]}.safetensors"), broken)
    else:
        broken.write_bytes(damage)
    model, learned = finished(tmp_path / "run")
    assert done[0] in learned
    assert len(learned) == 4
    assert equal(model, complete(DATASET, SETTINGS, 1))


def test_only_one_process_learns_a_run(tmp_path: Path) -> None:
    with (
        unfinished_run(tmp_path / "run", DATASET, SETTINGS),
        pytest.raises(RunFolderError, match=f"process {os.getpid()} is learning .*run at this moment"),
        unfinished_run(tmp_path / "run", DATASET, SETTINGS),
    ):
        pass
    with unfinished_run(tmp_path / "run", DATASET, SETTINGS):
        pass


def test_a_run_of_which_nothing_is_finished_leaves_nothing(tmp_path: Path) -> None:
    begun(tmp_path / "run", 0)
    assert os.listdir(tmp_path) == []


def test_what_a_kill_left_half_written_is_removed_and_an_older_run_put_back(tmp_path: Path) -> None:
    _, _ = finished(tmp_path / "run")
    older = (tmp_path / "run" / "run.json").read_bytes()
    begun(tmp_path / "run", 2)
    partial = tmp_path / ".run.partial"
    (partial / "relation-5.safetensors.tmp").write_bytes(b"half")
    (partial / ".run.x1" / "run").mkdir(parents=True)
    os.rename(tmp_path / "run", partial / ".run.x1" / "old")  # killed between the two renames of a replacement
    begun(tmp_path / "run", 0)
    assert (tmp_path / "run" / "run.json").read_bytes() == older
    assert not [path for path in partial.iterdir() if path.is_dir() or path.suffix == ".tmp"]
    assert len(finished(tmp_path / "run")[1]) == 4


def test_a_removal_that_was_interrupted_is_begun_anew(tmp_path: Path) -> None:
    begun(tmp_path / "run", 2)
    (tmp_path / ".run.partial" / "manifest.json").unlink()
    assert len(finished(tmp_path / "run")[1]) == 6


def test_a_relation_that_fails_is_told_and_the_others_are_kept(tmp_path: Path) -> None:
    place = tmp_path / "run"
    with unfinished_run(place, DATASET, SETTINGS) as unfinished:
        model = complete(DATASET, SETTINGS, engine=Stopping(failing=(0, 3)), unfinished=unfinished)
        save_model(model, place, "toy", workshop=unfinished.folder)
    names = DATASET.relations.names
    assert [(f.relation, f.reason) for f in model.failed] == [(names[n], "ValueError: too hard") for n in (0, 3)]
    assert sorted(model.mixtures) == [2, 3, 4, 5, 8, 9, 10, 11]
    assert load_model(place).failed == model.failed
    repaired, learned = finished(place)
    assert sorted(learned) == [0, 3]
    assert repaired.failed == ()
    assert equal(repaired, complete(DATASET, SETTINGS, 1))


def test_where_every_relation_fails_the_reason_is_raised() -> None:
    with pytest.raises(ValueError, match="too hard"):
        complete(DATASET, SETTINGS, engine=Stopping(failing=tuple(range(6))))


def test_a_place_that_holds_something_else_is_refused_before_anything_is_learned(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="would be lost"), unfinished_run(tmp_path, DATASET, SETTINGS):
        pass
    with pytest.raises(DatasetError), unfinished_run(tmp_path / "run", DATASET, SETTINGS) as unfinished:
        complete(dataset_of([], test=[("a", "r", "b")]), SETTINGS, unfinished=unfinished)
    assert os.listdir(tmp_path) == ["notes.txt"]


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """A file system of its own; only the superuser can have one."""
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mounting, capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path) -> Path:
    """Leave no room on a disk."""
    with (disk / "filling").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
    return disk / "filling"


def test_a_full_disk_is_told_and_what_was_finished_stays(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "2m") as disk:
        _, _ = finished(disk / "run")
        older = {path.name: path.read_bytes() for path in (disk / "run").iterdir()}
        done = begun(disk / "run", 2)
        filling = fill(disk)
        with (
            pytest.raises(RunFolderError, match=r"cannot keep what is finished .*No space left on device"),
            unfinished_run(disk / "run", DATASET, SETTINGS) as unfinished,
        ):
            complete(DATASET, SETTINGS, engine=Serial(), unfinished=unfinished)
        with pytest.raises(RunFolderError, match="No space left on device"):
            save_model(complete(DATASET, SETTINGS, 1), disk / "run", "toy")
        assert {path.name: path.read_bytes() for path in (disk / "run").iterdir()} == older
        with (
            pytest.raises(RunFolderError, match="No space left on device"),
            unfinished_run(disk / "other", DATASET, SETTINGS),
        ):
            pass
        assert sorted(os.listdir(disk)) == [".run.partial", "filling", "run"]
        filling.unlink()
        assert sorted(done + finished(disk / "run")[1]) == list(range(6))


def test_a_folder_that_is_read_only_is_told_before_anything_is_learned(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "2m") as disk:
        _, _ = finished(disk / "run")
        older = (disk / "run" / "run.json").read_bytes()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with (
            pytest.raises(RunFolderError, match="Read-only file system"),
            unfinished_run(disk / "run", DATASET, SETTINGS),
        ):
            pass
        assert (disk / "run" / "run.json").read_bytes() == older


def test_killed_at_random_moments_it_still_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    data, settings = tmp_path / "data", tmp_path / "settings.toml"
    data.mkdir()
    triples = [*families(6), *(fact for n in range(18) for fact in random_pairs(f"noise{n}", 20, 40 + n, n))]
    for part, every in (("train", 1), ("valid", 9)):
        rows = triples[::every]
        (data / f"{part}.txt").write_text("".join(f"{h}\t{r}\t{t}\n" for h, r, t in rows), encoding="utf-8")
    settings.write_text(
        "length = 2\npaths = 30\nmined = 40\nqueries = 40\nhard = 10\nepochs = 4\nfolds = 4\nused_folds = 4\n"
    )

    def arguments(run: Path) -> list[str]:
        return ["learn", str(data), "--settings", str(settings), "--threads", "1", "--out", str(run)]

    whole, killed = tmp_path / "whole", tmp_path / "killed"
    with CommandLine(tmp_path) as command:
        command.run(arguments(whole), warm=True)
        undisturbed = command.run(arguments(whole))
        assert undisturbed.code == 0, undisturbed.err
        attempts = kill_until_done(command, arguments(killed), killed, 12, undisturbed.seconds, seed=0)
    assert attempts[-1].code == 0, attempts[-1].err
    assert any("continuing" in attempt.err for attempt in attempts)
    assert differences(whole, killed) == []
    assert sorted(path.name for path in tmp_path.iterdir() if "killed" in path.name) == ["killed"]
    assert load_file(killed / "rules.safetensors").keys() == load_file(whole / "rules.safetensors").keys()
    assert json.loads((killed / "run.json").read_text())["failed"] == {}
