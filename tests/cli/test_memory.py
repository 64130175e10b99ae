import pytest

from rulewright.cli.memory import memory_size, row_limits
from rulewright.errors import MemoryBudgetError, OptionError


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4GB", 4_000_000_000),
        ("512MB", 512_000_000),
        (" 1.5 gib ", 1_610_612_736),
        ("64k", 64_000),
        ("2T", 2 * 10**12),
        ("100", 100),
        (None, None),
    ],
)
def test_sizes_are_written_as_people_write_them(text: str | None, size: int | None) -> None:
    assert memory_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "much", "4 GBs", "-1GB", "0", "1e9", "nan", "GB", "٣GB", "9" * 15 + "TB", "4,5GB", "9" * 5000]
)
def test_what_is_no_size_is_told_with_examples(text: str) -> None:
    with pytest.raises(OptionError, match="such as 4GB, 512MB"):
        memory_size(text)


def test_a_grounding_gets_rows_in_proportion_to_its_memory() -> None:
    assert row_limits(None) is None
    four, eight = row_limits("4GB"), row_limits("8GB")
    assert four is not None
    assert eight is not None
    assert 1_000_000 < four.rows < eight.rows < 100_000_000
    with pytest.raises(MemoryBudgetError, match="needs at least"):
        row_limits("50MB")


def test_a_graph_is_learned_within_the_memory_named_or_not_at_all(rulewright) -> None:
    refused = rulewright("learn", "nations", "--memory", "50MB")
    assert refused.code == 2
    assert "learning from nations needs at least" in refused.err
    assert "more than the 0.05 GB given" in refused.err
    assert "--memory must be a size" in rulewright("learn", "nations", "--memory", "lots").err


def test_a_problem_is_learned_within_the_memory_named(rulewright, problem) -> None:
    learned = rulewright("learn", problem, "--memory", "4GB")
    assert learned.code == 0
    assert "rows in one join, for 4.00 GB in all" in learned.err
    assert rulewright("learn", problem, "--memory", "50MB").code == 2
