"""Points lie where their figures say."""

from rulewright.web.plot import scatter


def test_more_confidence_is_further_right_and_more_weight_higher() -> None:
    low, high = scatter([(0.1, 0.5, "/a", "a"), (0.4, 2.0, "/b", "b")])["points"]
    assert low["x"] < high["x"]
    assert low["y"] > high["y"]  # an SVG counts downwards


def test_the_last_ticks_are_beyond_the_largest_figures() -> None:
    plot = scatter([(0.43, 3.7, "/", "")])
    assert float(plot["x_ticks"][-1]["text"].split()[0]) >= 43
    assert float(plot["y_ticks"][-1]["text"]) >= 3.7
    assert plot["x_ticks"][-1]["at"] == plot["right"]


def test_nothing_but_zeros_can_be_drawn() -> None:
    assert len(scatter([(0.0, 0.0, "/", "")])["points"]) == 1
