"""The paper's truth tables, running example and network, as the report prints them."""

from pathlib import Path

import pytest
import torch

from rulewright.lnn.operators import And, Or
from rulewright.reproduce.experiment import Options
from rulewright.reproduce.figures import (
    EXPERIMENT,
    by_hand,
    example_network,
    example_truths,
    generated_facts,
    shape_rows,
)
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import GENERATED_FACTS


def test_the_generated_facts_are_those_of_the_paper() -> None:
    assert generated_facts() == {name: set(facts) for name, facts in GENERATED_FACTS.items()} | {
        "PQ": {("1", "2", "5")}
    }


def test_the_network_gives_what_the_formulae_give() -> None:
    assert example_truths(example_network()) == pytest.approx(by_hand(), abs=1e-6)


@pytest.mark.parametrize("alpha", [0.7, 0.9])
def test_a_conjunction_keeps_the_shape_of_its_table(alpha: float) -> None:
    operator = And(2, alpha, generator=torch.Generator().manual_seed(1)).eval()
    assert [row[-1] for row in shape_rows(operator, alpha)] == ["yes"] * 4


def test_a_disjunction_does_not() -> None:
    operator = Or(2, 0.7).eval()
    assert [row[-1] for row in shape_rows(operator, 0.7)] == ["yes", "no", "no", "yes"]  # type: ignore[arg-type]


def test_the_report_is_the_same_each_time_and_says_so(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", {}, "code")
    prepared = EXPERIMENT.prepare(Options(seeds=(0,)))
    assert prepared.seeds == ()
    steps: list[int] = []
    first, second = (prepared.work(lambda done, note: steps.append(done), journal) for _ in range(2))
    assert first.tables == second.tables
    assert max(steps) <= prepared.steps
    assert [(one.paper, one.ours) for one in first.headlines[:2]] == [("all", "8 of 8"), ("6", "6")]
