"""The completion experiment on the data set inside the package, with settings that take no time."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.completion.learner import CompletionSettings
from rulewright.errors import OptionError
from rulewright.kb.datasets import load_dataset
from rulewright.kb.splits import Dataset
from rulewright.reproduce import completion
from rulewright.reproduce.completion import experiment, prepare
from rulewright.reproduce.completion_runs import PAPER_CHOICES, WITHOUT_NEGATION, settings_for, summary
from rulewright.reproduce.experiment import Options, Outcome, data_fingerprint
from rulewright.reproduce.journal import Journal

OPTIONS = Options(seeds=(0, 1), presets=("best", "paper"), threads=1)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal", {}, "code")


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch, journal: Journal) -> Outcome:
    def few(dataset: Dataset, preset: str, seed: int) -> CompletionSettings:
        return replace(settings_for(dataset, preset, seed), paths=20, mined=20, queries=40, length=2, epochs=3)

    monkeypatch.setattr(completion, "settings_for", few)
    monkeypatch.setenv("RULEWRIGHT_DATA", "")
    prepared = prepare("umls", OPTIONS)
    steps: list[int] = []
    found = prepared.work(lambda done, note: steps.append(done), journal)
    assert steps == list(range(1, prepared.steps + 1)), "progress reaches its end"
    return found


def test_the_papers_systems_stand_beside_ours(outcome: Outcome, tmp_path: Path) -> None:
    results, sizes, rules = outcome.tables
    systems = [row[0] for row in results.rows]
    assert systems[4:] == ["LNN (the paper)", "Rulewright, preset best", "Rulewright, preset paper"]
    assert results.rows[4][1:5] == ("0.900", "", "0.983", "0.994")
    assert all("±" in row[1] for row in results.rows[5:])
    assert sizes.rows[1] == ("these files", "135", "46", "5,216", "661")
    assert all(":-" in row[2] for row in rules.rows)
    assert [headline.paper for headline in outcome.headlines] == ["0.900", "0.900"]
    assert len(outcome.figures["runs"]["best"]) == 2
    assert "both directions" in outcome.protocol
    (drawing,) = outcome.drawings
    drawing.draw(tmp_path / drawing.file)
    assert "preset" not in outcome.drawings[0].caption
    ElementTree.parse(tmp_path / drawing.file)


def test_an_experiment_that_was_stopped_goes_on_where_it_was(
    outcome: Outcome, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*arguments: object) -> None:
        raise AssertionError("every run is in the journal")

    monkeypatch.setattr(completion, "learn_and_rank", never)
    again = prepare("umls", OPTIONS)
    steps: list[int] = []
    found = again.work(lambda done, note: steps.append(done), Journal(journal.path, {}, "code"))
    assert found.tables == outcome.tables
    assert found.figures == outcome.figures
    assert steps[-1] == again.steps


def test_the_settings_are_those_of_the_presets_and_the_data() -> None:
    prepared = experiment("umls", "umls", "UMLS").prepare(OPTIONS)
    assert prepared.settings["presets"]["paper"]["objective"] == "margin"
    assert "seed" not in prepared.settings["presets"]["best"]
    assert prepared.settings["data"] == {"umls": data_fingerprint(load_dataset("umls"))}


def test_other_triples_have_another_fingerprint() -> None:
    dataset = load_dataset("nations")
    assert data_fingerprint(dataset) == data_fingerprint(load_dataset("nations"))
    assert data_fingerprint(replace(dataset, test=dataset.test[1:])) != data_fingerprint(dataset)


def test_the_papers_preset_has_its_step_size_and_margin_and_the_third_no_negation() -> None:
    dataset = load_dataset("umls")
    paper = settings_for(dataset, "paper", 3)
    assert (paper.rate, paper.margin, paper.seed) == (*PAPER_CHOICES["umls"], 3)
    assert settings_for(dataset, "best", 0).negation
    assert not settings_for(dataset, WITHOUT_NEGATION, 0).negation


def test_the_summary_of_one_run_has_no_deviation() -> None:
    run = {"mrr": 0.5, "hits@1": 0.4, "hits@3": 0.6, "hits@10": 0.7, "seconds": 3.0, "peak_rss_mb": 100.0}
    assert summary([run])["mrr_deviation"] == 0.0
    two = summary([run, run | {"mrr": 0.7, "seconds": 5.0}])
    assert two["mrr"] == pytest.approx(0.6)
    assert two["seconds"] == 5.0


@pytest.mark.parametrize("wrong", [{"seeds": ()}, {"seeds": (-1,)}, {"presets": ("fast",)}, {"threads": 0}])
def test_options_that_cannot_be_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        Options(**({"seeds": (0,)} | wrong))  # type: ignore[arg-type]
