"""The pictures in the guide are those that the script draws."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_script_draws_every_picture_of_the_guide_and_no_other(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "scripts" / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    gallery = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gallery)
    gallery.main(tmp_path)
    drawn = {picture.name: picture.stat().st_size for picture in tmp_path.iterdir()}
    assert set(drawn) == {picture.name for picture in (ROOT / "docs" / "images" / "figures").iterdir()}
    guide = (ROOT / "docs" / "guides" / "figures.md").read_text(encoding="utf-8")
    assert all(f"(../images/figures/{name})" in guide for name in drawn)
    assert max(drawn.values()) < 150_000  # bytes
