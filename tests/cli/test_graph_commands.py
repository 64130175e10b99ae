"""The commands on a knowledge graph, in process: what they print, write and refuse."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from rulewright.cli.app import app, main
from rulewright.errors import InputError
from rulewright.rules.explanation_json import explanation_from_json

TINY = """
length = 2
paths = 20
mined = 20
queries = 20
folds = 2
used_folds = 2
epochs = 2
hard = 20
entries = 200000
[limits]
table = 12
walks = 2000
"""


@pytest.fixture(autouse=True)
def an_empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_DATA", raising=False)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def document(*arguments: object) -> Any:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refusal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What a mistake of the user's prints; it leaves with 2 and says nothing on standard output."""
    monkeypatch.setattr("sys.argv", ["rulewright", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        main()
    captured = capsys.readouterr()
    assert left.value.code == 2
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on the shipped UMLS."""
    folder = tmp_path_factory.mktemp("umls")
    settings = folder / "tiny.toml"
    settings.write_text(TINY)
    result = call("learn", "umls", "--settings", settings, "--out", folder / "run", "--threads", "1")
    assert result.exit_code == 0, result.output
    assert "92 directed relations" in result.stdout
    assert "ties averaged" in result.stdout
    return folder / "run"


def small_data(folder: Path, text: str, encoding: str = "utf-8", **others: str) -> Path:
    """A data folder with a train.txt of this content."""
    folder.mkdir()
    (folder / "train.txt").write_bytes(text.encode(encoding))
    for name, content in others.items():
        (folder / f"{name}.txt").write_text(content, encoding="utf-8")
    (folder.parent / "tiny.toml").write_text(TINY)
    return folder


def test_evaluate_prints_the_keys_of_the_contract(run: Path) -> None:
    found = document("evaluate", run, "--threads", "1")
    assert {"mrr", "hits@1", "hits@3", "hits@10", "queries", "seconds", "peak_rss_mb", "protocol"} <= found.keys()
    assert found["queries"] == 2 * 661
    assert 0.4 < found["mrr"] <= 1  # few paths and few steps, and still far from chance, which is .04
    assert found["hits@1"] <= found["hits@3"] <= found["hits@10"]
    assert found["protocol"].startswith("umls, test split, both directions, all 135 entities")
    assert len(found["relations"]) <= 46


def test_evaluate_prints_for_people(run: Path) -> None:
    result = call("evaluate", run, "--split", "valid", "--per-relation")
    assert result.exit_code == 0
    assert "1,304 queries" in result.stdout
    assert "valid split" in result.stdout
    assert "affects" in result.stdout


def test_the_rules_of_one_relation_and_of_all(run: Path) -> None:
    found = document("rules", run, "--relation", "affects", "--top", "3")
    assert list(found) == ["affects"]
    assert len(found["affects"]) == 3
    assert found["affects"][0].keys() >= {"rule", "weight", "kind", "support", "confidence"}
    assert found["affects"][0]["rule"].startswith("affects(")
    assert list(document("rules", run, "--relation", "affects^-1", "--top", "1")) == ["affects^-1"]
    everything = document("rules", run)
    assert len(everything) == 92
    assert all(len(rules) <= 5 for rules in everything.values())
    assert "affects(X, Y) :- " in call("rules", run, "--relation", "affects").stdout


def test_predictions_come_best_first_and_new_ones_only(run: Path) -> None:
    found = document("predict", run, "mental_process", "affects", "--top", "4")
    assert [answer["score"] for answer in found] == sorted((a["score"] for a in found), reverse=True)
    assert 0 < len(found) <= 4
    assert not any(answer["known"] for answer in found)
    assert any(answer["known"] for answer in document("predict", run, "mental_process", "affects", "--known"))
    assert found[0]["entity"] in call("predict", run, "mental_process", "affects").stdout


def test_names_that_do_not_exist_are_mistakes_with_the_nearest_ones(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "did you mean mental_process" in refusal(monkeypatch, capsys, "predict", run, "mental_proces", "affects")
    assert "did you mean affects" in refusal(monkeypatch, capsys, "predict", run, "mental_process", "afects")
    assert "did you mean affects" in refusal(monkeypatch, capsys, "rules", run, "--relation", "afects^-1")
    assert "HEAD and RELATION" in refusal(monkeypatch, capsys, "predict", run, "virus")
    assert "split must be one of" in refusal(monkeypatch, capsys, "evaluate", run, "--split", "dev")
    assert "their names differ" in refusal(monkeypatch, capsys, "evaluate", run, "--data", "nations")


def test_a_run_that_does_not_name_its_data_asks_for_it(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in run.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    written = json.loads((copy / "run.json").read_text())
    del written["data"]
    (copy / "run.json").write_text(json.dumps(written))
    assert "--data" in refusal(monkeypatch, capsys, "evaluate", copy)
    assert document("evaluate", copy, "--data", "umls")["mrr"] > 0.4


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("paths = ", "not a TOML file"),
        ("pahts = 3", "did you mean paths"),
        ("paths = 'many'", "paths must be a whole number"),
        ("limits = 3", "tiny.toml"),
        ("[limits]\nbranch = 0", "limits.branch"),
        ("[limits]\nbrunch = 1", "brunch"),
        ("length = 40", "length"),
    ],
)
def test_settings_that_make_no_sense_are_mistakes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    data = small_data(tmp_path / "data", "a\tr\tb\n")
    (tmp_path / "tiny.toml").write_text(text)
    assert complaint in refusal(monkeypatch, capsys, "learn", data, "--settings", tmp_path / "tiny.toml")


@pytest.mark.parametrize(
    ("option", "value"), [("--threads", "0"), ("--tune", "-1"), ("--preset", "worst"), ("--seed", "-5")]
)
def test_options_that_make_no_sense_are_mistakes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    data = small_data(tmp_path / "data", "a\tr\tb\n")
    assert option.removeprefix("--") in refusal(monkeypatch, capsys, "learn", data, option, value)


@pytest.mark.parametrize(
    ("text", "encoding", "complaint"),
    [
        ("a\tr\tb\nc\tr\n", "utf-8", "train.txt:2"),
        ("a r b\n", "utf-8", "separator=' '"),
        ("é\tr\tb\n", "latin-1", "utf-8"),
        ("", "utf-8", "train.txt"),
        ("a\tr\tb\t7\n", "utf-8", "truth"),
    ],
)
def test_data_that_cannot_be_read_is_a_mistake(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    encoding: str,
    complaint: str,
) -> None:
    assert complaint in refusal(monkeypatch, capsys, "learn", small_data(tmp_path / "data", text, encoding))


def test_a_folder_without_training_triples_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "test.txt").write_text("a\tr\tb\n")
    assert "train.txt" in refusal(monkeypatch, capsys, "learn", tmp_path / "data")


def test_line_ends_of_windows_and_a_byte_order_mark_are_fine(tmp_path: Path) -> None:
    lines = [f"e{n}\tr\te{(n + 1) % 6}" for n in range(6)]
    data = small_data(tmp_path / "data", "\ufeff" + "\r\n".join(lines) + "\r\n", valid="e0\tr\te2\n")
    found = document("learn", data, "--settings", tmp_path / "tiny.toml", "--out", tmp_path / "run")
    assert found["valid"]["queries"] == 2
    assert found["settings"]["paths"] == 20
    assert [a["entity"] for a in document("predict", tmp_path / "run", "e0", "r", "--known")].count("e1") <= 1


def test_one_relation_and_an_entity_that_only_the_test_knows(tmp_path: Path) -> None:
    text = "".join(f"e{n}\tr\te{(n + 1) % 6}\n" for n in range(6))
    data = small_data(tmp_path / "data", text, test="e0\tr\tstranger\nstranger\tnew\te1\n")
    call("learn", data, "--settings", tmp_path / "tiny.toml", "--out", tmp_path / "run")
    found = document("evaluate", tmp_path / "run")
    assert found["queries"] == 4
    assert 0 < found["mrr"] < 0.6
    assert {row["relation"]: row["queries"] for row in found["relations"]} == {"r": 2, "new": 2}
    assert document("predict", tmp_path / "run", "stranger", "r") == []
    assert document("rules", tmp_path / "run", "--relation", "new") == {"new": []}
    assert "no rule leads from stranger" in call("predict", tmp_path / "run", "stranger", "new").stdout


def test_an_empty_split_cannot_be_evaluated(tmp_path: Path) -> None:
    data = small_data(tmp_path / "data", "a\tr\tb\nb\tr\tc\n")
    call("learn", data, "--settings", tmp_path / "tiny.toml", "--out", tmp_path / "run")
    result = call("evaluate", tmp_path / "run")
    assert isinstance(result.exception, InputError)
    assert "no test queries" in str(result.exception)


def test_the_preset_of_the_paper_gives_rules_of_paths_alone(tmp_path: Path) -> None:
    data = small_data(tmp_path / "data", "".join(f"e{n}\tr\te{(n + 1) % 9}\n" for n in range(9)))
    (tmp_path / "tiny.toml").write_text("epochs = 2\n")
    settings = document("learn", data, "--preset", "paper", "--settings", tmp_path / "tiny.toml")["settings"]
    assert (settings["objective"], settings["sharpness"], settings["direct"]) == ("margin", 0.0, False)
    assert settings["epochs"] == 2


def test_an_explanation_adds_up_and_is_printed_in_every_form(run: Path) -> None:
    asked = ("mental_process", "affects", document("predict", run, "mental_process", "affects")[0]["entity"])
    found = explanation_from_json(document("explain", run, *asked))
    assert sum(part.share for part in found.parts) == pytest.approx(found.score, abs=1e-3)
    assert found.counterfactual is not None
    assert found.rivals
    text = call("explain", run, *asked, "--top", "1", "--rivals", "0", "--no-counterfactual").stdout
    assert text.startswith(f"{found.fact}: score {found.score:.3f}, no candidate above it")
    assert f"{len(found.parts) - 1} smaller parts" in text
    assert call("explain", run, *asked, "--format", "json").stdout == call("explain", run, *asked, "--json").stdout
    assert call("explain", run, *asked, "--format", "dot").stdout.startswith("digraph explanation {")
    assert call("explain", run, *asked, "--format", "html").stdout.startswith("<!doctype html>")


def test_what_cannot_be_explained_is_a_mistake(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "HEAD, RELATION and TAIL" in refusal(monkeypatch, capsys, "explain", run, "virus", "affects")
    assert "did you mean virus" in refusal(monkeypatch, capsys, "explain", run, "viru", "affects", "virus")
