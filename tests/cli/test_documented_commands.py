"""Every command that the documentation shows can be given, and the quick ones are run as they are printed."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from tests.cli.command_line import CommandLine
from tests.completion.toys import families

from rulewright.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
GENERATED = ROOT / "docs" / "cli.md"
BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^(?:\$ )?rulewright (.+)$", re.MULTILINE)
INLINE = re.compile(r"`rulewright ((?:[a-z-]+)(?: [^`]+)?)`")


def commands_in(page: Path) -> Iterator[str]:
    """The commands in blocks and in sentences, without what stands behind them."""
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.findall(text):
        for line in LINE.findall(re.sub(r"\\\n\s*", "", block)):
            yield line.split("  #")[0].split(" > ")[0].split(" | ")[0].split(" 2>")[0].strip()
    for found in INLINE.findall(BLOCK.sub("", text).replace("\n", " ")):
        yield found.strip()


WRITTEN = [
    (page.relative_to(ROOT).as_posix(), command)
    for page in PAGES
    if page != GENERATED
    for command in dict.fromkeys(commands_in(page))
]


def test_the_documentation_shows_commands() -> None:
    assert len({page for page, _ in WRITTEN}) > 10
    assert {command.split()[0] for _, command in WRITTEN} >= {
        "learn",
        "evaluate",
        "rules",
        "predict",
        "explain",
        "edit",
    }


@pytest.mark.parametrize(("page", "command"), WRITTEN, ids=lambda value: value[:50])
def test_a_command_that_is_shown_can_be_given(page: str, command: str) -> None:
    whole = shlex.split(command)
    assert "..." not in whole, "what is left out cannot be typed"
    group = typer.main.get_command(app)
    context = typer.Context(group, info_name="rulewright")
    name, *words = whole
    if name.startswith("-"):
        assert name in {option for parameter in group.params for option in parameter.opts} | {"--help"}
        return
    found = group.get_command(context, name)  # type: ignore[attr-defined]
    assert found is not None, f"{page} shows `rulewright {command}`; there is no {name}"
    if len(words) == 0:
        return  # the command's name alone: the sentence speaks of it
    if hasattr(found, "get_command"):
        name, *words = words
        found = found.get_command(context, name)
        assert found is not None
        if not words:
            return
    if not words[0].startswith("-"):
        found.make_context(name, words, parent=context)  # raises what typer would tell
        return
    known = {option for parameter in found.params for option in [*parameter.opts, *parameter.secondary_opts]}
    assert words[0].split("=")[0] in known | {"--help"}


def given(rulewright: CommandLine, page: str, beginnings: tuple[str, ...]) -> dict[str, str]:
    """Run the commands of a page that begin in some way, in their order; what each of them prints."""
    printed = {}
    for command in dict.fromkeys(commands_in(ROOT / page)):
        if command.startswith(beginnings) and not command.startswith("serve"):
            done = rulewright(*shlex.split(command))
            assert done.code == 0, f"{command}: {done.err}"
            printed[command] = done.out
    return printed


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The graph that the pages speak of."""
    works = [(f"g{n}", "works_for", f"p{n}0") for n in range(8)] + [("ann", "works_for", "acme")]
    lives = [(head, "employed_by", tail) for head, _, tail in works]
    lines = ["\t".join(triple) + "\n" for triple in [*families(8), *works, *lives]]
    (tmp_path / "my-graph").mkdir()
    for name, part in (("train", lines), ("valid", lines[:2]), ("test", lines[2:4])):
        (tmp_path / "my-graph" / f"{name}.txt").write_text("".join(part))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


GRANDPARENT = ("learn examples/grandparent", "rules runs/grandparent", "predict runs/grandparent")


def test_the_readme_runs_as_printed(rulewright: CommandLine, graph: Path) -> None:
    my_own = tuple(f"{name} runs/my-graph" for name in ("evaluate", "rules", "predict", "explain"))
    printed = given(rulewright, "README.md", ("learn my-graph", *my_own, *GRANDPARENT))
    assert len(printed) == 7
    assert all(printed.values())


def test_the_quickstart_and_the_page_on_explanations_show_what_is_printed(rulewright: CommandLine, graph: Path) -> None:
    text = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
    printed = given(rulewright, "docs/quickstart.md", GRANDPARENT)
    assert f"```\n{printed['rules runs/grandparent']}```" in text
    text = (ROOT / "docs" / "concepts" / "explanations.md").read_text(encoding="utf-8")
    ((command, out),) = given(rulewright, "docs/concepts/explanations.md", ("explain runs/grandparent",)).items()
    assert f"$ rulewright {command}\n{out}```" in text


def test_the_guides_to_exchange_and_use_elsewhere_run_as_printed(rulewright: CommandLine, graph: Path) -> None:
    assert rulewright("learn", "my-graph", "--out", "RUN").code == 0
    (graph / "DATA").symlink_to("my-graph")
    (graph / "mined.txt").write_text("1\t1\t0.5\tgrandparent(X,Y) <= parent(X,A), parent(A,Y)\n")
    printed = given(rulewright, "docs/guides/exchanging-rules.md", ("export", "learn", "edit", "evaluate"))
    assert len(printed) >= 6
    other = [f"n{'ew entity' if h == 'g0' else h}\t{r}\t{t}\n" for h, r, t in families(4)]
    facts = [line.replace("nnew", "new").replace("c000", "other entity") for line in other]
    (graph / "OTHER").mkdir()
    (graph / "OTHER" / "train.txt").write_text("".join(facts))
    (graph / "OTHER" / "test.txt").write_text("".join(facts[:2]))
    printed = given(
        rulewright, "docs/guides/applying-rules-elsewhere.md", ("predict RUN", "explain RUN", "evaluate RUN")
    )
    assert len(printed) >= 3
