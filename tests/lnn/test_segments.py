import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.lnn.segments import segment_max, segment_sum

RUNS = st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=4), max_size=5)


def laid_out(runs: list[list[float]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Entries and offsets."""
    entries = torch.tensor([entry for run in runs for entry in run], dtype=torch.float64, requires_grad=True)
    return entries, torch.tensor([0, *map(len, runs)]).cumsum(0)


@given(RUNS)
@settings(max_examples=40, deadline=None)
def test_a_run_is_reduced_to_its_largest_entry_or_to_its_sum(runs):
    entries, offsets = laid_out(runs)
    assert segment_max(entries, offsets).tolist() == [max(run) for run in runs]
    assert segment_sum(entries, offsets).tolist() == [sum(run) for run in runs]


@given(RUNS, st.data())
@settings(max_examples=40, deadline=None)
def test_ties_share_a_gradient_of_either_sign_in_equal_parts(runs, data):
    entries, offsets = laid_out(runs)
    slopes = [data.draw(st.sampled_from([-2.0, -1.0, 0.0, 3.0])) for _ in runs]
    segment_max(entries, offsets).backward(torch.tensor(slopes, dtype=torch.float64))
    expected = [
        slope / run.count(max(run)) if entry == max(run) else 0
        for run, slope in zip(runs, slopes, strict=True)
        for entry in run
    ]
    assert entries.grad.tolist() == expected


def test_an_empty_run_sums_to_nothing():
    entries = torch.ones(3, requires_grad=True)
    sums = segment_sum(entries, torch.tensor([0, 0, 2, 2, 3]))
    assert sums.tolist() == [0, 2, 0, 1]
    sums.sum().backward()
    assert entries.grad.tolist() == [1, 1, 1]


def test_the_largest_entry_keeps_its_dtype():
    entries = torch.rand(6)
    assert segment_max(entries, torch.tensor([0, 2, 6])).dtype == torch.float32
