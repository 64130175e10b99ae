from fractions import Fraction
from time import process_time

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import InfeasibleOperatorError, OptionError
from rulewright.lnn.constraints import conjunction_system
from rulewright.lnn.norms import WeightedProduct
from rulewright.lnn.operators import And, Attention, Not, Or, PredicateMixture
from rulewright.lnn.parameters import PolyhedralParameter
from rulewright.lnn.polyhedron import double_description


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def operators(arity=3):
    """One of every learnable kind."""
    return [
        And(arity, 0.9, generator=seeded()),
        Or(arity, 0.9, generator=seeded()),
        And(arity, 0.9, norm=WeightedProduct(), generator=seeded()),
        PredicateMixture(arity, generator=seeded()),
        Attention(arity, generator=seeded()),
    ]


def trained(operator, rate=0.5, seed=0, steps=15):
    """The operator after steps along gradients that point somewhere else every time."""
    random, optimiser = seeded(seed), torch.optim.Adam(operator.parameters(), lr=rate)
    for _ in range(steps):
        optimiser.zero_grad()
        values = operator.raw(torch.rand(8, operator.arity, generator=random))
        (values @ torch.randn(8, generator=random)).backward()
        optimiser.step()
    return operator


def test_conjunction_is_the_papers_formula():
    operator = And(3, 0.9, generator=seeded()).eval()
    x = torch.rand(20, 3, generator=seeded(), dtype=torch.float64)
    raw = operator.bias - ((1 - x) * operator.weights).sum(-1)
    assert torch.allclose(operator.raw(x), raw)
    assert torch.allclose(operator(x), raw.clamp(0, 1))


def test_disjunction_is_the_conjunction_by_de_morgan():
    conjunction, disjunction = And(3, 0.9, generator=seeded()).eval(), Or(3, 0.9, generator=seeded()).eval()
    x = torch.rand(20, 3, generator=seeded())
    assert torch.allclose(disjunction(x), 1 - conjunction(1 - x))
    papers = 1 - (disjunction.bias - (x * disjunction.weights).sum(-1)).clamp(0, 1)
    assert torch.allclose(disjunction(x).double(), papers)
    assert torch.equal(disjunction.weights, conjunction.weights)
    assert torch.equal(disjunction.bias, conjunction.bias)


def test_negation_swaps_true_and_false():
    x = torch.tensor([[0.0], [0.25], [1.0]])
    assert Not()(x).tolist() == [1.0, 0.75, 0.0]
    assert torch.equal(Not()(1 - x), 1 - Not()(x))
    with pytest.raises(OptionError, match=r"Not needs inputs \(..., 1\)"):
        Not()(torch.ones(2, 3))


def test_mixture_starts_with_bias_1_and_weights_around_a_half_or_what_is_asked():
    mixture = PredicateMixture(4, generator=seeded())
    assert mixture.bias == 1
    assert ((mixture.weights - 0.5).abs() <= 0.05).all()
    assert len(set(mixture.weights.tolist())) == 4
    assert ((PredicateMixture(4, start=0.2).weights - 0.2).abs() <= 0.05).all()


def test_mixture_is_the_papers_formula():
    mixture = PredicateMixture(4, generator=seeded()).eval()
    mixture.parameter.right_inverse([1.2, 0.0, 0.5, 0.9, 0.1])
    x = torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]])
    assert torch.allclose(mixture(x), torch.tensor([0.0, 0.3, 1.0, 0.0]))
    assert torch.allclose(mixture.raw(x), torch.tensor([-0.2, 0.3, 1.2, -0.1]))


def test_attention_weights_sum_to_one_and_their_mean_is_the_truth():
    attention = Attention(4, generator=seeded()).eval()
    assert attention.weights.sum().item() == pytest.approx(1)
    assert attention.bias == 1
    x = torch.rand(9, 4, generator=seeded())
    assert torch.allclose(attention(x), x @ attention.weights)


@pytest.mark.parametrize("mixture", [PredicateMixture(5, generator=seeded()), Attention(5, generator=seeded())])
def test_a_mixture_can_be_settled_from_sums_made_elsewhere(mixture):
    x = torch.rand(6, 5, generator=seeded())
    total = (x * mixture.weights).sum(-1)
    for mode in (True, False):
        mixture.train(mode)
        assert torch.allclose(mixture.total(x), total)
        assert torch.allclose(mixture.settle(total), mixture(x))
        assert torch.allclose(mixture.raw_total(total), mixture.raw(x))


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 4), st.integers(0, 99), st.sampled_from([0.01, 0.5, 5.0]), st.booleans())
def test_truth_grows_with_every_input_after_any_training(kind, seed, rate, train):
    operator = trained(operators()[kind], rate, seed).train(train)
    low = torch.rand(30, 3, generator=seeded(seed))
    high = low + (1 - low) * torch.rand(30, 3, generator=seeded(seed + 1)) * torch.eye(3)[torch.arange(30) % 3]
    low_truth, high_truth = operator(low), operator(high)
    assert (high_truth >= low_truth - 1e-6 * (1 + low_truth.abs())).all()
    if not train:
        assert ((low_truth >= 0) & (low_truth <= 1)).all()


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 4), st.integers(0, 99))
def test_weights_and_bias_are_never_negative(kind, seed):
    operator = trained(operators()[kind], rate=5.0, seed=seed)
    assert (operator.weights >= 0).all()
    assert operator.bias >= 0


@pytest.mark.parametrize("operator", operators(), ids=lambda operator: type(operator).__name__)
@pytest.mark.parametrize("shape", [(3,), (5, 3), (2, 4, 3), (0, 3), (2, 0, 3)])
def test_any_batch_shape_and_dtype_goes_through(operator, shape):
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        truth = operator(torch.rand(shape).to(dtype))
        assert truth.shape == shape[:-1]
        assert truth.dtype == dtype
    assert operator(torch.randint(0, 2, shape)).dtype == torch.float32
    assert operator(torch.randint(0, 2, shape).bool()).dtype == torch.float32


@pytest.mark.parametrize("operator", operators(), ids=lambda operator: type(operator).__name__)
def test_operators_stay_on_the_device_of_their_inputs(operator):
    elsewhere = torch.rand(4, 3, device="meta")  # a device with shapes and no numbers: mixing devices would raise
    assert operator.to("meta")(elsewhere).device.type == "meta"


@pytest.mark.parametrize("operator", operators(), ids=lambda operator: type(operator).__name__)
def test_single_precision_is_to_be_trusted(operator):
    operator = trained(operator).eval()
    x = torch.rand(200, 3, generator=seeded(), dtype=torch.float64)
    assert torch.allclose(operator(x.float()).double(), operator(x), atol=2e-6, rtol=0)


@pytest.mark.parametrize("operator", operators(), ids=lambda operator: type(operator).__name__)
def test_gradients_are_those_of_finite_differences(operator):
    operator = operator.double()
    x = (torch.rand(4, 3, generator=seeded(), dtype=torch.float64) * 0.2 + 0.75).requires_grad_()
    names = [name for name, _ in operator.named_parameters()]

    def truth(x, *values):
        return torch.func.functional_call(operator, dict(zip(names, values, strict=True)), (x,))

    assert torch.autograd.gradcheck(truth, (x, *operator.parameters()))


@pytest.mark.parametrize("kind", [0, 1, 2, 3, 4])
def test_state_goes_round(kind):
    one, other = trained(operators()[kind]), operators()[kind]
    x = torch.rand(10, 3, generator=seeded())
    assert not torch.equal(one(x), other(x))
    other.load_state_dict(one.state_dict())
    assert torch.equal(one(x), other(x))


def test_fixed_operators_are_the_unlearned_connectives():
    conjunction = And(2, 0.95, fixed=True)
    assert [round(x, 3) for x in (conjunction.bias.item(), *conjunction.weights.tolist())] == [1.056, 1.059, 1.059]
    mixture, attention = PredicateMixture(3, fixed=True).eval(), Attention(4, fixed=True)
    assert mixture(torch.tensor([[0, 0, 0], [0, 1, 1]])).tolist() == [0, 1]
    assert attention.weights.tolist() == [0.25] * 4
    assert not any(p.requires_grad for fixed in (conjunction, mixture, attention) for p in fixed.parameters())


def test_an_operator_of_wide_arity_is_quick_and_keeps_its_shape():
    start = process_time()
    operator = And(200, alpha=0.999, generator=seeded())
    x = torch.rand(1000, 200, generator=seeded())
    operator(x).sum().backward()
    assert process_time() - start < 1
    operator.eval()
    assert operator(torch.full((200,), 0.999)) >= 0.999 - 1e-5
    assert (operator(1 - 0.999 * torch.eye(200)) <= 0.001 + 1e-5).all()


def test_slack_lets_a_conjunction_exist_at_any_alpha_and_says_what_it_costs():
    with pytest.raises(InfeasibleOperatorError):
        And(3, 0.7)
    system = double_description(*conjunction_system(0.7, 3, slack=True))
    operator = And(3, 0.7, parameter=PolyhedralParameter(system, generator=seeded()))
    optimiser = torch.optim.Adam(operator.parameters(), lr=0.1)
    for _ in range(150):
        optimiser.zero_grad()
        operator.slacks.sum().backward()
        optimiser.step()
    least = min(sum(vertex[4:]) for vertex in system.vertices)
    assert operator.slacks.sum().item() == pytest.approx(float(least), rel=0.1)
    one_low, high = 1 - 0.7 * torch.eye(3, dtype=torch.float64), torch.full((3,), 0.7, dtype=torch.float64)
    assert (operator.raw(one_low) <= 0.3 + operator.slacks[:3] + 1e-6).all()
    assert operator.raw(high) >= 0.7 - operator.slacks[3] - 1e-6
    assert And(2).slacks.shape == (0,)


def test_constraints_of_ones_own_can_tie_weights_together():
    matrix, bounds = conjunction_system(0.9, 2)
    tied = double_description(matrix, bounds, equalities=([[0, 1, -1]], [0]))  # w_1 = w_2
    operator = trained(And(2, 0.9, parameter=PolyhedralParameter(tied, generator=seeded())))
    assert operator.weights[0].item() == pytest.approx(operator.weights[1].item())
    with pytest.raises(OptionError, match="a bias and 3 weights"):
        And(3, 0.9, parameter=PolyhedralParameter(tied))


def test_mixtures_can_start_from_given_weights():
    mixture, attention = PredicateMixture(3, generator=seeded()), Attention(3, generator=seeded())
    weights = torch.tensor([1.0, 0.0, 3.0])
    for operator in (mixture, attention):
        operator.start_from(weights)
    assert mixture.weights.tolist() == [1.0, 0.0, 3.0]
    assert mixture.bias == 1
    assert torch.allclose(attention.weights, weights / 4, atol=1e-6)
    for operator in (mixture, attention):
        with pytest.raises(OptionError, match="expected 3 numbers"):
            operator.start_from(torch.ones(5))


def test_mixture_weights_become_exactly_zero_and_can_return():
    mixture = PredicateMixture(3, generator=seeded())
    x = torch.eye(3)
    optimiser = torch.optim.Adam(mixture.parameters(), lr=0.02)
    for target in (torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0])):
        for _ in range(200):
            optimiser.zero_grad()
            (mixture(x) - target).square().sum().backward()
            optimiser.step()
        assert torch.allclose(mixture.eval()(x), target, atol=0.05)
        mixture.train()
    assert mixture.weights[1] > 0.5
    assert (mixture.weights == 0).any()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: And(4, 0.8), "4 inputs"),
        (lambda: Or(4, 0.8), "4/5"),
        (lambda: And(0, 0.9), "at least one input"),
        (lambda: PredicateMixture(0), "at least one input"),
        (lambda: And(2, 0.4), "alpha"),
        (lambda: And(2, clamp="soft"), "clamp"),
        (lambda: PredicateMixture(2, activation="tanh"), "activation"),
        (lambda: And(3)(torch.ones(5, 2)), r"And needs inputs \(..., 3\), not \(5, 2\)"),
    ],
)
def test_mistakes_are_explained(make, words):
    with pytest.raises((OptionError, InfeasibleOperatorError), match=words):
        make()


def test_alpha_is_taken_as_written():
    vertex = And(2, 0.7, fixed=True).weights
    for written in ("0.7", "7/10", Fraction(7, 10)):
        assert torch.equal(And(2, written, fixed=True).weights, vertex)


def test_operators_describe_themselves():
    assert "3, alpha=0.9, norm=WeightedLukasiewicz, clamp='leaky'" in repr(operators()[0])
    assert "PredicateMixture(\n  3, clamp='leaky'" in repr(operators()[3])


@pytest.mark.parametrize("size", [1e6, 1e12, 1e20, 1e30])
def test_extreme_parameters_give_truths_and_gradients_that_are_numbers(size):
    x = torch.tensor([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.5], [0.95, 0.05, 1.0]])
    for operator in (*operators(), Or(3, 0.9, norm=WeightedProduct()), And(3, 0.9, activation="softplus")):
        with torch.no_grad():
            for parameter in operator.parameters():
                parameter.fill_(size)
        operator.train()(x).sum().backward()
        assert all(parameter.grad.isfinite().all() for parameter in operator.parameters())
        truths = operator.eval()(x)
        assert truths.isfinite().all()
        assert ((truths >= 0) & (truths <= 1)).all()


@settings(deadline=None, max_examples=25)
@given(
    st.integers(1, 8),
    st.sampled_from([Fraction(1), Fraction(1, 10), Fraction(1, 10**9)]),
    st.sampled_from([0.0, 0.1, 100.0, 1e5]),
    st.sampled_from([And, Or]),
    st.integers(0, 99),
)
def test_the_truth_table_holds_to_a_millionth_in_float32_up_to_the_bound_of_alpha(arity, part, scale, kind, seed):
    """At the corners of the table, which are read as written: 0 and 1 are exact in float32, alpha is not."""
    bound = Fraction(arity, arity + 1)
    alpha = bound + (1 - bound) * part
    operator = kind(arity, alpha).eval()
    with torch.no_grad():
        operator.parameter.raw_ray_scales.copy_(scale * torch.rand(arity + 1, generator=seeded(seed)))
    corners = torch.ones(arity + 1, arity)
    corners[range(arity), range(arity)] = 0
    values = operator(corners if kind is And else 1 - corners)
    assert values.dtype == torch.float32
    one_false, none_false = (values[:-1], values[-1]) if kind is And else (1 - values[:-1], 1 - values[-1])
    assert (one_false <= 1 - float(alpha) + 1e-6).all()
    assert none_false >= float(alpha) - 1e-6
    thresholds = torch.full((arity,), float(alpha), dtype=torch.float64)
    all_high = operator(thresholds) if kind is And else 1 - operator(1 - thresholds)
    assert all_high >= float(alpha) - 1e-6
