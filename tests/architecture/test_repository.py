"""What is checked in reads the same on every machine, and what the documents say is there, is there."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GENERATED = {".git", ".venv", "site", "runs", "results", "build", "dist", "__pycache__"}


def files_of_the_project() -> list[Path]:
    """Tracked and about-to-be tracked files; without git, everything that is not generated."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        files = [ROOT / name for name in names if name]
    except (OSError, subprocess.CalledProcessError):
        files = [path for path in ROOT.rglob("*") if not GENERATED & set(path.relative_to(ROOT).parts)]
    return sorted(file for file in files if file.is_file())


FILES = files_of_the_project()
DOCUMENTS = [file for file in FILES if file.suffix == ".md"]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(file: Path) -> str:
    return file.read_bytes().decode("utf-8", errors="ignore")


def prose_of(document: Path) -> str:
    """A document without its code, in which brackets mean something else."""
    return re.sub(r"```.*?```|`[^`\n]*`", "", text_of(document), flags=re.DOTALL)


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    # Put together here, so that this file passes its own test.
    places = re.compile("|".join(["/" + "work/", "/" + "root/", "/" + r"home/\w", "/" + r"Users/\w", "/" + "opt/"]))
    found = [
        f"{relative(file)}:{number}: {line.strip()[:100]}"
        for file in FILES
        for number, line in enumerate(text_of(file).splitlines(), start=1)
        if places.search(line)
    ]
    assert not found


def test_every_constraint_is_one_pinned_release_that_anybody_can_install() -> None:
    lines = text_of(ROOT / "constraints.txt").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", pin)] == []
    assert any(pin.startswith("torch==") for pin in pins)


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\[[^\]]*\]\(([^)\s]+)", prose_of(document))
    local = [target.split("#")[0] for target in targets if not re.match(r"[a-z]+:", target)]
    assert [target for target in local if target and not (document.parent / target).exists()] == []


def test_the_navigation_holds_every_page_and_no_other() -> None:
    navigation = text_of(ROOT / "mkdocs.yml").split("\nnav:\n")[1]
    listed = re.findall(r"([\w/-]+\.(?:md|ipynb))$", navigation, flags=re.MULTILINE)
    pages = [
        page.relative_to(ROOT / "docs").as_posix()
        for kind in ("md", "ipynb")
        for page in (ROOT / "docs").rglob(f"*.{kind}")
    ]
    assert sorted(listed) == sorted(pages)


def test_the_reference_names_modules_or_what_is_in_them() -> None:
    named = [name for page in DOCUMENTS for name in re.findall(r"^::: ([\w.]+)$", text_of(page), flags=re.MULTILINE)]
    assert named
    assert [name for name in named if not documented(name)] == []


def documented(name: str) -> bool:
    """Whether a dotted name is a module of ours, or a function or class that a module defines."""
    place = ROOT / "src" / name.replace(".", "/")
    home, defined = place.parent.with_suffix(".py"), rf"^(def|class) {place.name}\b"
    if place.with_suffix(".py").exists() or place.is_dir():
        return True
    return home.exists() and re.search(defined, text_of(home), flags=re.MULTILINE) is not None


def test_the_changelog_has_the_version() -> None:
    headings = re.findall(r"^## \[([^\]]+)\]", text_of(ROOT / "CHANGELOG.md"), flags=re.MULTILINE)
    version = PROJECT["version"]
    assert ("Unreleased" if ".dev" in version else version) in headings


def test_the_readme_lists_the_extras_a_user_can_ask_for() -> None:
    extras = set(PROJECT["optional-dependencies"]) - {"dev", "docs", "fuzz", "test"}
    rows = re.findall(r"^\| (`.*`) \|", text_of(ROOT / "README.md"), flags=re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == extras


def test_every_make_command_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z]+(?: [a-z]+)*):", text_of(ROOT / "Makefile"), flags=re.MULTILINE)[0].split())
    named = {word for page in DOCUMENTS for word in re.findall(r"(?:^|`)make (\w+)", text_of(page), flags=re.MULTILINE)}
    assert {"demo", "test"} <= named <= targets
