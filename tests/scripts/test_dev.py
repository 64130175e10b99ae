"""Set-up installs once, again when its inputs change, and with pip where uv fails."""

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "dev.py"


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, loose from this repository: in an empty project, with no settings from the machine."""
    spec = importlib.util.spec_from_file_location("dev", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("NO_UV", "TORCH_INDEX_URL", "UV_INDEX_STRATEGY", *module.FORWARDED.values()):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "STAMP", tmp_path / "stamp.json")
    monkeypatch.setattr(module, "has_pip", lambda: True)
    monkeypatch.setattr(module, "pip_setting", lambda option: "")
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text("first", encoding="utf-8")
    return module


@pytest.fixture
def installed(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked to be installed, in order."""
    targets: list[str] = []
    monkeypatch.setattr(dev, "install_package", targets.append)
    return targets


def test_the_second_set_up_installs_nothing(dev: ModuleType, installed: list[str]) -> None:
    dev.install("dev")
    dev.install("dev")
    assert installed == ["-e.[dev]"]


def test_a_further_extra_is_added_to_those_before(dev: ModuleType, installed: list[str]) -> None:
    dev.install("plot")
    dev.install("dev")
    dev.install("plot")
    assert installed == ["-e.[plot]", "-e.[dev,plot]"]


def test_changed_dependencies_are_installed_again(dev: ModuleType, installed: list[str], tmp_path: Path) -> None:
    dev.install("dev")
    (tmp_path / "constraints.txt").write_text("second", encoding="utf-8")
    dev.install("dev")
    assert installed == ["-e.[dev]", "-e.[dev]"]


def test_a_broken_installation_is_done_again(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(target: str) -> None:
        raise subprocess.CalledProcessError(1, "pip")

    dev.STAMP.write_text("not a stamp", encoding="utf-8")
    monkeypatch.setattr(dev, "install_package", broken)
    with pytest.raises(subprocess.CalledProcessError):
        dev.install("dev")
    assert not dev.STAMP.exists()


@pytest.fixture
def commands(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that were run; those of uv itself fail."""
    seen: list[str] = []

    def run(*command: object, env: object = None) -> None:
        seen.append(" ".join(map(str, command[1:])))
        if "-m uv " in seen[-1]:
            raise subprocess.CalledProcessError(2, "uv")

    monkeypatch.setattr(dev, "run", run)
    return seen


def test_pip_takes_over_where_uv_fails(dev: ModuleType, commands: list[str]) -> None:
    dev.install_package("-e.[dev]")
    assert commands[-1] == "-m pip install --quiet -c constraints.txt -e.[dev]"
    assert "-m uv pip install" in commands[-2]


def test_no_uv_goes_straight_to_pip(dev: ModuleType, commands: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_UV", "1")
    dev.install_package("-e.[dev]")
    assert commands == ["-m pip install --quiet -c constraints.txt -e.[dev]"]


def test_an_index_for_torch_is_added_only_on_request(
    dev: ModuleType, commands: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_UV", "1")
    monkeypatch.setenv("TORCH_INDEX_URL", "https://torch.example")
    dev.install_package("-e.")
    assert commands[0].endswith("-e. --extra-index-url https://torch.example")


def test_settings_of_pip_hold_for_uv(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    of_pip = {"find-links": "/wheels\n/more", "extra-index-url": "https://one.example\nhttps://two.example"}
    monkeypatch.setattr(dev, "pip_setting", lambda option: of_pip.get(option, ""))
    assert dev.uv_settings() == {
        "UV_FIND_LINKS": "/wheels,/more",
        "UV_INDEX": "https://one.example https://two.example",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }


def test_what_the_user_set_for_uv_wins(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_FIND_LINKS", "/mine")
    monkeypatch.setattr(dev, "pip_setting", lambda option: "/theirs" if option == "find-links" else "")
    assert "UV_FIND_LINKS" not in dev.uv_settings()


def test_warnings_of_the_documentation_are_counted(dev: ModuleType, commands: list[str]) -> None:
    dev.docs([])
    assert "mkdocs build --strict" in commands[-1]
    assert "--quiet" not in commands[-1]  # it silences what --strict counts


@pytest.fixture
def machine(dev: ModuleType, commands: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """A machine with apt-get and no program that tests drive; what it has can be changed."""
    has = {"apt-get": True, "root": True}
    monkeypatch.setattr(dev.shutil, "which", lambda name: name if has.get(name) else None)
    monkeypatch.setattr(dev.os, "geteuid", lambda: 0 if has["root"] else 1000, raising=False)
    monkeypatch.delenv("CI", raising=False)
    return has


def test_programs_that_tests_drive_are_installed_where_there_are_none(
    dev: ModuleType, machine: dict[str, bool], commands: list[str]
) -> None:
    dev.programs()
    assert [command.split()[0] for command in commands] == ["update", "install", "install", "install"]
    assert [command.split()[-1] for command in commands[1:]] == ["chromium", "swi-prolog-nox", "graphviz"]


def test_a_program_that_is_there_is_used(dev: ModuleType, machine: dict[str, bool], commands: list[str]) -> None:
    machine |= {"google-chrome": True, "dot": True}
    dev.programs()
    assert [command.split()[-1] for command in commands[1:]] == ["swi-prolog-nox"]
    machine["swipl"] = True
    commands.clear()
    dev.programs()
    assert commands == []


def test_nobodys_password_is_asked_for_to_install_a_program(
    dev: ModuleType,
    machine: dict[str, bool],
    commands: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    machine |= {"root": False, "sudo": True}
    dev.programs()
    assert commands == []
    assert "skipped: chromium swi-prolog-nox graphviz" in capsys.readouterr().out
    monkeypatch.setenv("CI", "true")
    dev.programs()
    assert commands[-1].startswith("-n apt-get install")


def test_set_up_goes_on_where_a_program_cannot_be_installed(
    dev: ModuleType, machine: dict[str, bool], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[object] = []

    def without_prolog(*command: object, env: object = None) -> None:
        tried.append(command[-1])
        if "swi-prolog-nox" in command or "update" in command:
            raise subprocess.CalledProcessError(100, "apt-get")

    monkeypatch.setattr(dev, "run", without_prolog)
    dev.programs()
    assert tried[1:] == ["chromium", "swi-prolog-nox", "graphviz"]
    assert "no swi-prolog-nox could be installed" in capsys.readouterr().err


def test_an_unknown_command_shows_the_help_and_fails(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["dance"]) == 2
    assert "demo" in capsys.readouterr().out
