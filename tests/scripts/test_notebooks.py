"""The tutorials run, show what is stored in them, and hold nothing of the machine they ran on."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from tests.logic.well_formed import read

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))


def script(name: str) -> ModuleType:
    """A script of the project, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


notebooks, pages = script("notebooks"), script("tutorial_pages")


def by_name(path: Path) -> str:
    return path.stem


def test_there_is_one_for_each_main_use() -> None:
    assert {path.stem for path in TUTORIALS} == {"learn-rules", "complete-a-graph", "rules-that-act"}


@pytest.mark.parametrize("path", TUTORIALS, ids=by_name)
def test_a_tutorial_shows_what_is_stored_in_it(path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert notebooks.differences(nbformat.read(path, as_version=4), notebooks.executed(path)) == []


@pytest.mark.parametrize("path", TUTORIALS, ids=by_name)
def test_a_stored_tutorial_is_small_was_run_in_order_and_is_nobodys(path: Path) -> None:
    assert path.stat().st_size < notebooks.LARGEST
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata == notebooks.KERNEL
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell.outputs for cell in cells)
    said = "\n".join(text for _, text in notebooks.texts(notebook))
    assert not re.search(r"/tmp|site-packages|\d{4}-\d\d-\d\d|\.py:\d+", said)
    assert not any(output.get("name") == "stderr" for cell in cells for output in cell.outputs)


@pytest.mark.parametrize("path", TUTORIALS, ids=by_name)
def test_what_a_tutorial_shows_is_well_formed_and_loads_nothing(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    shown = [
        output["data"]["text/html"]
        for cell in cells
        for output in cell.get("outputs", ())
        if "data" in output and "text/html" in output["data"]
    ]
    assert shown
    assert all(read(html).text.strip() for html in shown)


def notebook_saying(**data: str) -> nbformat.NotebookNode:
    output = nbformat.v4.new_output(
        "execute_result", {"text/plain": "", **{k.replace("_", "/"): v for k, v in data.items()}}
    )
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=[output])])


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("weight 0.757  r(X)", "weight 0.761 r(X)", True),
        ("weight 0.757  r(X)", "weight 0.857  r(X)", False),
        ("0.757  r(X)", "0.757  s(X)", False),
        ("5,194 rules", "5,190 rules", True),
        ("5,194 rules", "6,194 rules", False),
        ("one", "one two", False),
        ("rank 1", "rank one", False),
    ],
)
def test_words_have_to_be_the_same_and_numbers_nearly(old: str, new: str, same: bool) -> None:
    assert (notebooks.differences(notebook_saying(text_plain=old), notebook_saying(text_plain=new)) == []) is same
    html = f"<style>p{{}}</style><b>{old}</b>", f"<p>{new}</p>"
    found = notebooks.differences(*(notebook_saying(text_html=one) for one in html))
    assert (found == []) is same


def test_an_output_that_is_missing_is_a_difference() -> None:
    assert notebooks.differences(notebook_saying(text_html="x"), notebook_saying()) != []


@pytest.mark.parametrize("path", TUTORIALS, ids=by_name)
def test_the_page_of_a_tutorial_holds_its_text_its_code_and_its_outputs(path: Path) -> None:
    page = pages.as_markdown(path.read_text(encoding="utf-8"))
    assert page.startswith("# ")
    for cell in nbformat.read(path, as_version=4).cells:
        assert cell.source in page
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/svg+xml" in data:
                assert "](data:image/svg+xml;base64," in page
            else:
                richest = next(
                    (data[kind] for kind in ("text/html", "text/markdown", "text/plain") if kind in data), None
                )
                assert (output.text if richest is None else richest).rstrip() in page


def test_a_cell_that_failed_is_no_page() -> None:
    failed = nbformat.v4.new_code_cell(
        "1/0", outputs=[nbformat.v4.new_output("error", ename="E", evalue="", traceback=[])]
    )
    with pytest.raises(ValueError, match="a cell failed: 1/0"):
        pages.as_markdown(nbformat.writes(nbformat.v4.new_notebook(cells=[failed])))
