"""The pictures in the guide and in the gallery are those that the script draws and takes."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MOST_BYTES, MOST_TOGETHER = 150_000, 2_000_000


@pytest.fixture
def gallery() -> ModuleType:
    pytest.importorskip("matplotlib")
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "scripts" / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def names(folder: Path) -> set[str]:
    return {picture.name for picture in folder.iterdir()}


def test_the_script_draws_every_picture_of_the_examples_and_no_other(gallery: ModuleType, tmp_path: Path) -> None:
    gallery.learned_rules(tmp_path)
    assert names(tmp_path) == names(DOCS / "images" / "figures")
    guide = (DOCS / "guides" / "figures.md").read_text(encoding="utf-8")
    assert all(f"(../images/figures/{name})" in guide for name in names(tmp_path))
    assert max(picture.stat().st_size for picture in tmp_path.iterdir()) < MOST_BYTES


def test_an_experiment_is_run_and_its_pictures_are_taken_small(gallery: ModuleType, tmp_path: Path) -> None:
    gallery.experiment("figures", tmp_path / "results", tmp_path / "taken")
    assert names(tmp_path / "taken") == {"figures-activations.png", "figures-network.svg"}
    assert (tmp_path / "taken" / "figures-activations.png").stat().st_size < MOST_BYTES
    drawn = (tmp_path / "results" / "figures" / "network.svg").read_bytes()
    assert (tmp_path / "taken" / "figures-network.svg").read_bytes() == drawn


def test_the_gallery_shows_every_picture_that_is_taken_and_is_light(gallery: ModuleType) -> None:
    taken = {f"{name}-{file}" for name, files in gallery.PICTURES.items() for file in files}
    assert names(DOCS / "images" / "gallery") == taken
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert all(f"(images/gallery/{name})" in page for name in taken)
    sizes = [picture.stat().st_size for picture in (DOCS / "images" / "gallery").iterdir()]
    assert max(sizes) < MOST_BYTES
    assert sum(sizes) < MOST_TOGETHER


def test_every_picture_of_the_gallery_says_its_settings_and_its_command(gallery: ModuleType) -> None:
    sections = (DOCS / "gallery.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert all("*Settings" in section and "`rulewright reproduce " in section for section in sections)
