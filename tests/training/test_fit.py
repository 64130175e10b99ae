import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.training.problem import problem

from rulewright.errors import LabelError, OptionError, TrainingDivergedError
from rulewright.lnn.operators import And, Or
from rulewright.lnn.parameters import ConjunctionParameter
from rulewright.training import fit as fitting
from rulewright.training import judge as judging
from rulewright.training.fit import FitOptions, fit
from rulewright.training.history import Epoch, History
from rulewright.training.judge import Judge, Values, state_of
from rulewright.training.labels import Targets

CPU = torch.device("cpu")


def judged_again(given, network, options: FitOptions) -> float:
    """The loss of the network as it came back, worked out anew."""
    training, validation = given.targets.split(options.validation, np.random.default_rng(options.seed))
    values = Values(given.grounding, CPU)
    facts = validation if options.validation else training
    return Judge(values, facts, options.loss(training), options.sparsity, np.random.default_rng(0))(network).loss


@pytest.mark.parametrize("objective", ["binary", "margin", "softmax"])
@pytest.mark.parametrize("optimiser", ["adam", "adagrad"])
def test_every_objective_and_optimiser_tells_grandparents_from_others(objective, optimiser):
    given = problem()
    step = 0.05 if optimiser == "adam" else 0.3
    network, _ = fit(
        given.build, given.grounding, given.targets, FitOptions(objective=objective, optimiser=optimiser, step=step)
    )
    truths = network.truths(given.grounding)
    assert truths[given.targets.positives].min() > truths[given.targets.negatives].max()


@pytest.mark.parametrize(
    "options",
    [
        FitOptions(epochs=40),
        FitOptions(epochs=40, sparsity=0.0),
        FitOptions(epochs=40, validation=0.4, seed=3),
        FitOptions(epochs=40, objective="margin", step=0.5),  # steps so large that the loss goes up and down
        FitOptions(epochs=15, batch=3, restarts=3, solved=0.0),
    ],
    ids=["plain", "no sparsity", "validation", "jumpy", "restarts"],
)
def test_the_values_that_come_back_are_those_whose_loss_was_lowest(options):
    given = problem()
    network, history = fit(given.build, given.grounding, given.targets, options)
    assert history.best is not None
    assert history.best in history.epochs
    assert history.best.judged == min(epoch.judged for epoch in history.epochs)
    assert judged_again(given, network, options) == pytest.approx(history.best.judged, abs=1e-7)


def test_validation_stops_training_and_an_earlier_epoch_comes_back(monkeypatch):
    given = problem()
    losses = iter([5.0, 4.0, 3.0, 3.5, 3.6, 3.7, 3.8, 3.9])  # as if it began to overfit after the second epoch
    states = []

    class Scripted:
        def __init__(self, *_):
            pass

        def __call__(self, network):
            states.append(state_of(network))
            loss = next(losses)
            return judging.Judgement(loss, loss)

    monkeypatch.setattr(fitting, "Judge", Scripted)
    options = FitOptions(validation=0.4, patience=4, restarts=1, sparsity=0.0)
    network, history = fit(given.build, given.grounding, given.targets, options)
    assert [epoch.epoch for epoch in history.epochs] == list(range(7))
    assert history.best.epoch == 2
    assert all(torch.equal(value, states[2][name]) for name, value in network.state_dict().items())
    assert not all(torch.equal(value, states[3][name]) for name, value in network.state_dict().items())


def test_slow_but_steady_progress_is_progress(monkeypatch):
    given = problem()
    losses = iter(1 - 0.0004 * number for number in range(1000))  # less than `gain` in one epoch, more in three

    class Scripted:
        def __init__(self, *_):
            pass

        def __call__(self, network):
            loss = next(losses)
            return judging.Judgement(loss, loss)

    monkeypatch.setattr(fitting, "Judge", Scripted)
    options = FitOptions(epochs=50, patience=5, restarts=1, sparsity=0.0)
    assert len(fit(given.build, given.grounding, given.targets, options)[1].epochs) == 51


def test_a_start_that_is_better_than_anything_later_is_kept():
    given = problem()
    perfect = [("P", [1.0, 0.0]), ("Q", [1.0, 0.0])]

    def build(seed):
        network = given.build(seed)
        for name, weights in perfect:
            network.mixtures()[name].start_from(torch.tensor(weights))
        return network

    network, history = fit(build, given.grounding, given.targets, FitOptions(step=2.0, epochs=5, sparsity=0.0))
    assert history.best.epoch == 0
    assert [network.mixtures()[name].weights.tolist() for name, _ in perfect] == [w for _, w in perfect]


def test_one_seed_gives_one_result_and_another_seed_another():
    given = problem()

    def trained(seed: int) -> dict[str, torch.Tensor]:
        return fit(given.build, given.grounding, given.targets, FitOptions(seed=seed, epochs=20))[0].state_dict()

    first, again, other = trained(1), trained(1), trained(2)
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not all(torch.equal(first[name], other[name]) for name in first)


def test_no_restart_follows_a_solved_one():
    given = problem()
    _, history = fit(given.build, given.grounding, given.targets, FitOptions(restarts=9))
    fitted = [min(e.fitting for e in history.epochs if e.restart == r) for r in range(history.best.restart + 1)]
    assert fitted[-1] < FitOptions().solved <= min([*fitted[:-1], 1])
    assert history.epochs[-1].restart == history.best.restart < 8
    _, history = fit(given.build, given.grounding, given.targets, FitOptions(restarts=3, solved=0.0, epochs=3))
    assert {epoch.restart for epoch in history.epochs} == {0, 1, 2}


def test_fixed_nodes_do_not_move():
    given = problem(fixed=("P", "t"))
    network, _ = fit(given.build, given.grounding, given.targets, FitOptions(restarts=1))
    start = given.build(0)
    assert torch.equal(network.mixtures()["P"].weights, start.mixtures()["P"].weights)
    assert not torch.equal(network.mixtures()["Q"].weights, start.mixtures()["Q"].weights)
    ours = next(op for op in network.operators.values() if isinstance(op, And))
    theirs = next(op for op in start.operators.values() if isinstance(op, And))
    assert torch.equal(ours.weights, theirs.weights)


def test_a_network_without_anything_to_train_is_judged_as_it_is():
    given = problem(fixed=("P", "Q", "t"))
    network, history = fit(given.build, given.grounding, given.targets, FitOptions(restarts=2))
    assert [(epoch.restart, epoch.epoch) for epoch in history.epochs] == [(0, 0), (1, 0)]
    assert not network.training


def test_constraints_hold_after_training_with_wild_steps():
    text = "t(X, Z) :- R(X, Z) ; P(X, Z). R(X, Z) :- P(X, Y), Q(Y, Z). P in {parent, friend}. Q in {parent}."
    given = problem(text)
    options = FitOptions(step=0.7, epochs=30, restarts=1)
    network, _ = fit(given.build, given.grounding, given.targets, options)
    connectives = [op for op in network.operators.values() if isinstance(op, And | Or)]
    assert len(connectives) == 2
    for operator in connectives:
        assert isinstance(operator.parameter, ConjunctionParameter)
        assert operator.parameter.contains(operator.parameter(), tolerance=1e-6)
    for mixture in network.mixtures().values():
        assert (mixture.weights >= 0).all()
        assert mixture.bias >= 0


def test_ray_scales_move():
    given = problem()
    network, _ = fit(given.build, given.grounding, given.targets, FitOptions(restarts=1))
    before, after = (next(op for op in n.operators.values() if isinstance(op, And)) for n in (given.build(0), network))
    assert not torch.allclose(before.weights, after.weights, atol=1e-3)


def test_an_absurd_step_diverges_with_a_hint():
    given = problem()
    with pytest.raises(TrainingDivergedError, match="lower the step size") as caught:
        fit(given.build, given.grounding, given.targets, FitOptions(step=1e38))
    assert caught.value.epoch >= 1
    assert math.isfinite(caught.value.last_finite)


def test_batches_of_a_large_grounding_are_sliced_to_the_same_result(monkeypatch):
    given = problem()
    options = FitOptions(batch=4, epochs=10, restarts=1)
    whole, _ = fit(given.build, given.grounding, given.targets, options)
    monkeypatch.setattr(judging, "WHOLE_UP_TO", 0)
    sliced, _ = fit(given.build, given.grounding, given.targets, options)
    for name, value in whole.state_dict().items():
        assert torch.allclose(value, sliced.state_dict()[name], atol=1e-4)


def test_every_epoch_is_reported_as_it_ends():
    given = problem()
    heard: list[Epoch] = []
    _, history = fit(
        given.build, given.grounding, given.targets, FitOptions(epochs=4, restarts=2, solved=0.0), heard.append
    )
    assert [(epoch.restart, epoch.epoch) for epoch in heard] == [(r, e) for r in (0, 1) for e in (1, 2, 3, 4)]
    assert set(heard) <= set(history.epochs)
    assert all(set(row) == {"restart", "epoch", "loss", "fitting", "judged", "seconds"} for row in history.rows())


def test_labels_of_one_kind_only_are_refused():
    given = problem()
    none = np.empty(0, dtype=np.int64)
    with pytest.raises(LabelError, match="no negative fact"):
        fit(given.build, given.grounding, Targets(given.targets.positives, none))
    with pytest.raises(LabelError, match="no positive fact"):
        fit(given.build, given.grounding, Targets(none, given.targets.negatives))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"objective": "hinge"}, "objective must be one of binary, margin, softmax"),
        ({"optimiser": "sgd"}, "optimiser must be one of adam, adagrad"),
        ({"step": 0}, "step and margin must be greater than 0"),
        ({"step": -1}, "step must be a finite number"),
        ({"step": math.nan}, "step must be a finite number"),
        ({"step": math.inf}, "step must be a finite number"),
        ({"step": "0.1"}, "step must be a finite number"),
        ({"epochs": 0}, "epochs must be a whole number, at least 1"),
        ({"epochs": 2.5}, "epochs must be a whole number"),
        ({"batch": True}, "batch must be a whole number"),
        ({"seed": -1}, "seed must be a whole number, at least 0"),
        ({"validation": 1}, "must be below 1"),
        ({"validation": math.nan}, "validation must be a finite number"),
        ({"sparsity": -0.1}, "sparsity must be a finite number"),
        ({"balanced": "yes"}, "balanced must be True or False"),
    ],
)
def test_an_option_with_a_value_it_cannot_have_is_told(changes, message):
    with pytest.raises(OptionError, match=message):
        FitOptions(**changes)
    with pytest.raises(OptionError, match=message):
        replace(FitOptions(), **changes)


def test_an_empty_history_has_no_best():
    assert History().best is None
    assert History().rows() == []


@pytest.mark.parametrize("objective", ["binary", "margin", "softmax"])
@pytest.mark.parametrize("optimiser", ["adam", "adagrad"])
@pytest.mark.parametrize("step", [1e-12, 1e3, 1e6, 1e12, 1e30])
def test_whatever_the_step_the_network_that_comes_back_holds_numbers(objective, optimiser, step):
    given = problem()
    options = FitOptions(objective=objective, optimiser=optimiser, step=step, epochs=20, restarts=1)
    try:
        network, _ = fit(given.build, given.grounding, given.targets, options)
    except TrainingDivergedError:
        if step <= 1e12:
            raise
        return
    truths = network.truths(given.grounding)
    assert np.isfinite(truths).all()
    assert ((truths >= 0) & (truths <= 1)).all()
    assert all(value.isfinite().all() for value in network.state_dict().values())
