from fractions import Fraction
from time import process_time

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import OptionError
from rulewright.lnn.constraints import conjunction_cone, conjunction_generators, conjunction_system
from rulewright.lnn.parameters import ConjunctionParameter, OrthantParameter, PolyhedralParameter
from rulewright.lnn.polyhedron import double_description

SIMPLEX = double_description([[-1, 0, 0], [0, -1, 0], [0, 0, -1]], [0, 0, 0], equalities=([[1, 1, 1]], [1]))
WEDGE = double_description([[-1, 0], [0, -1], [-1, -1]], [0, 0, -1])  # x, y >= 0, x + y >= 1


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def conjunction(alpha=0.9, arity=3, **options):
    return ConjunctionParameter(conjunction_cone(alpha, arity), **{"generator": seeded(), **options})


def violation(z, alpha, arity, **options):
    """By how much z breaks the worst of the paper's constraints, reckoned in float64."""
    matrix, bounds = conjunction_system(alpha, arity, **options)
    matrix = torch.tensor([[float(x) for x in row] for row in matrix], dtype=torch.float64)
    return (matrix @ z.double() - torch.tensor([float(x) for x in bounds], dtype=torch.float64)).max().item()


@pytest.mark.parametrize("activation", ["rectify", "softplus"])
@pytest.mark.parametrize(("alpha", "arity"), [(0.7, 2), (0.95, 1), (0.9, 5), (1, 3), (0.801, 4)])
def test_conjunction_is_the_polyhedron_of_its_generators(alpha, arity, activation):
    quick = conjunction(alpha, arity, activation=activation)
    general = PolyhedralParameter(conjunction_generators(alpha, arity), activation=activation)
    general.raw_ray_scales.data.copy_(quick.raw_ray_scales)
    assert torch.allclose(quick(), general(), rtol=1e-12)
    weighting = torch.randn(arity + 1, generator=seeded(), dtype=torch.float64)
    for parameter in (quick, general):
        (parameter() @ weighting).backward()
    assert torch.allclose(quick.raw_ray_scales.grad, general.raw_ray_scales.grad, rtol=1e-4, atol=1e-5)


@st.composite
def trainings(draw):
    """A conjunction and a rough training of it; alpha may be within a millionth of its bound."""
    arity = draw(st.integers(1, 6))
    bound = Fraction(arity, arity + 1)
    part = draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**6)]))
    optimiser = draw(st.sampled_from([torch.optim.SGD, torch.optim.Adam, torch.optim.Adagrad]))
    return (
        bound + (1 - bound) * part,
        arity,
        optimiser,
        draw(st.sampled_from([0.01, 1.0, 10.0])),
        draw(st.integers(0, 99)),
    )


def roughly_train(parameter, optimiser, rate, seed, steps=20):
    """Steps along gradients that point somewhere else every time."""
    directions, steps_of = seeded(seed), optimiser(parameter.parameters(), lr=rate)
    for _ in range(steps):
        steps_of.zero_grad()
        (parameter() @ torch.randn(parameter.dimension, generator=directions, dtype=torch.float64)).backward()
        steps_of.step()


@settings(deadline=None, max_examples=30)
@given(trainings(), st.sampled_from(["rectify", "softplus"]))
def test_constraints_hold_after_any_training_in_float32(training, activation):
    alpha, arity, *how = training
    parameter = conjunction(alpha, arity, activation=activation)
    assert parameter.raw_ray_scales.dtype == torch.float32
    roughly_train(parameter, *how)
    assert violation(parameter(), alpha, arity) <= 1e-6
    assert parameter.contains(parameter())


@pytest.mark.parametrize("optimiser", [torch.optim.SGD, torch.optim.Adam, torch.optim.Adagrad])
@pytest.mark.parametrize(("alpha", "arity"), [("0.95", 2), ("0.666666668", 2), (1, 4), ("0.833333334", 5)])
def test_constraints_hold_after_thousands_of_large_steps(alpha, arity, optimiser):
    parameter = conjunction(alpha, arity)
    roughly_train(parameter, optimiser, 10.0, seed=1, steps=2000)
    assert parameter().isfinite().all()
    assert violation(parameter(), alpha, arity) <= 1e-6
    assert parameter.contains(parameter())


@pytest.mark.parametrize("scale", [1e6, 1e12, 1e30])
@pytest.mark.parametrize("activation", ["rectify", "softplus"])
def test_a_point_far_out_is_in_the_set_up_to_what_float64_rounds_off(scale, activation):
    parameter = conjunction("0.800000001", 4, activation=activation)
    with torch.no_grad():
        parameter.raw_ray_scales.mul_(scale)
    assert parameter().isfinite().all()
    assert parameter.contains(parameter())
    assert not parameter.contains(-parameter())


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 99), st.sampled_from([0.01, 1.0, 10.0]))
def test_constraints_with_slack_hold_after_any_training(seed, rate):
    parameter = PolyhedralParameter(double_description(*conjunction_system(0.6, 2, slack=True)), generator=seeded(seed))
    roughly_train(parameter, torch.optim.Adam, rate, seed)
    assert violation(parameter(), 0.6, 2, slack=True) <= 1e-6


def test_equalities_hold_after_training():
    parameter = PolyhedralParameter(SIMPLEX)
    roughly_train(parameter, torch.optim.Adam, 1.0, seed=3)
    assert parameter().sum().item() == pytest.approx(1, abs=1e-12)
    assert parameter().min() >= 0


def test_ray_scales_start_small_positive_and_seeded():
    scales = conjunction(arity=8).ray_scales
    assert (scales > 0).all()
    assert (scales <= 0.1).all()
    assert len(scales.unique()) == 9
    assert torch.equal(scales, conjunction(arity=8).ray_scales)
    assert not torch.equal(scales, conjunction(arity=8, generator=seeded(1)).ray_scales)


@pytest.mark.parametrize("activation", ["rectify", "softplus"])
def test_ray_scales_grow_when_the_loss_asks_for_a_steeper_operator(activation):
    parameter = conjunction(activation=activation)
    before = parameter.ray_scales.detach()
    optimiser = torch.optim.Adam(parameter.parameters(), lr=0.05)
    for _ in range(100):
        optimiser.zero_grad()
        (-parameter().sum()).backward()
        optimiser.step()
    assert (parameter.ray_scales > before + 1).all()


def test_ray_scales_reach_exactly_zero_and_come_back():
    parameter = conjunction()
    vertex = torch.tensor([float(x) for x in conjunction_generators(0.9, 3).vertices[0]], dtype=torch.float64)
    optimiser = torch.optim.Adam(parameter.parameters(), lr=0.02)

    def steps(sign, count):
        for _ in range(count):
            optimiser.zero_grad()
            (sign * parameter().sum()).backward()
            optimiser.step()

    steps(+1, 60)
    assert (parameter.ray_scales == 0).all()
    assert torch.allclose(parameter(), vertex, rtol=0, atol=1e-12)
    steps(-1, 120)
    assert (parameter.ray_scales > 0.1).all()


def test_one_vertex_is_given_up_for_a_better_one():
    parameter = PolyhedralParameter(SIMPLEX)
    optimiser = torch.optim.Adam(parameter.parameters(), lr=0.2)
    for _ in range(100):
        optimiser.zero_grad()
        (1 - parameter()[2]).backward()
        optimiser.step()
    assert parameter()[2] > 0.99


@pytest.mark.parametrize("activation", ["rectify", "softplus"])
@pytest.mark.parametrize(
    "make",
    [
        conjunction,
        lambda **options: PolyhedralParameter(conjunction_generators(0.9, 3), **options),
        lambda **options: PolyhedralParameter(SIMPLEX, **options),
        lambda **options: PolyhedralParameter(WEDGE, **options),
        lambda **options: OrthantParameter(torch.ones(4), **options),
    ],
)
def test_right_inverse_of_a_sample_gives_the_sample_back(make, activation):
    parameter = make(activation=activation)
    for seed in range(5):
        z = parameter.sample(seeded(seed))
        assert parameter.contains(z, 1e-9)
        parameter.right_inverse(z)
        assert torch.allclose(parameter().double(), z.double(), rtol=1e-5, atol=1e-5)
    assert torch.equal(parameter.sample(seeded(7)), parameter.sample(seeded(7)))


@pytest.mark.parametrize("make", [conjunction, lambda: PolyhedralParameter(conjunction_generators(0.9, 3))])
def test_right_inverse_of_a_stranger_gives_the_nearest_point(make):
    parameter, stranger = make(), torch.tensor([0.2, 1.5, 0.1, 3.0], dtype=torch.float64)
    assert not parameter.contains(stranger)
    parameter.right_inverse(stranger)
    nearest = parameter().detach()
    assert violation(nearest, 0.9, 3) <= 1e-9
    # Nearest in a convex set: no other point of it lies at an acute angle, seen from there.
    for seed in range(50):
        assert (parameter.sample(seeded(seed)) - nearest) @ (stranger - nearest) <= 1e-5


def test_contains_tells_inside_from_outside_by_the_tolerance():
    for parameter in (PolyhedralParameter(WEDGE), OrthantParameter(torch.ones(2))):
        assert parameter.contains([0.5, 2.0])
        assert not parameter.contains([2.0, -0.1])
        assert parameter.contains([2.0, -0.1], tolerance=0.2)
    assert not PolyhedralParameter(WEDGE).contains([0.2, 0.2])
    vertex = [float(x) for x in conjunction_generators(0.9, 3).vertices[0]]
    assert conjunction().contains(vertex)
    assert not conjunction().contains([vertex[0] + 1e-4, *vertex[1:]])
    assert conjunction().contains([vertex[0] + 1e-4, *vertex[1:]], tolerance=1e-3)


@pytest.mark.parametrize("parameter", [conjunction(), PolyhedralParameter(SIMPLEX), OrthantParameter(torch.ones(3))])
def test_points_of_another_dimension_are_refused(parameter):
    with pytest.raises(OptionError, match=f"expected {parameter.dimension} numbers"):
        parameter.right_inverse(torch.ones(7))
    with pytest.raises(OptionError, match=r"shape \(2, 2\)"):
        parameter.contains([[1.0, 2.0], [3.0, 4.0]])


def test_a_fixed_conjunction_sits_at_the_vertex_and_is_not_trained():
    parameter = conjunction(0.95, 2, fixed=True)
    assert [round(x, 3) for x in parameter().tolist()] == [1.056, 1.059, 1.059]
    assert not any(p.requires_grad for p in parameter.parameters())
    assert not any(p.requires_grad for p in PolyhedralParameter(SIMPLEX, fixed=True).parameters())
    assert not any(p.requires_grad for p in OrthantParameter(torch.ones(2), fixed=True).parameters())


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: conjunction(generator=seeded(seed)),
        lambda seed: PolyhedralParameter(WEDGE, generator=seeded(seed)),
        lambda seed: OrthantParameter(torch.rand(3, generator=seeded(seed))),
    ],
)
def test_state_goes_round(make):
    one, other = make(1), make(2)
    assert not torch.equal(one(), other())
    other.load_state_dict(one.state_dict())
    assert torch.equal(one(), other())


def test_a_polyhedron_saves_its_vertices_and_rays():
    assert set(PolyhedralParameter(WEDGE).state_dict()) == {"vertices", "rays", "vertex_logits", "raw_ray_scales"}


def test_casting_the_module_does_not_blur_its_constraints():
    parameter = PolyhedralParameter(conjunction_generators(0.801, 4)).half()
    assert parameter.raw_ray_scales.dtype == torch.float16
    assert parameter.vertices.dtype == parameter().dtype == torch.float64
    assert violation(parameter(), 0.801, 4) <= 1e-9
    assert violation(conjunction(0.801, 4).to(torch.bfloat16)(), 0.801, 4) <= 1e-9
    assert PolyhedralParameter(WEDGE).to("meta").vertices.device.type == "meta"


@pytest.mark.parametrize("parameter", [conjunction(), PolyhedralParameter(WEDGE)])
def test_gradients_are_those_of_finite_differences(parameter):
    parameter = parameter.double()
    names = [name for name, _ in parameter.named_parameters()]

    def point(*values):
        return torch.func.functional_call(parameter, dict(zip(names, values, strict=True)), ())

    assert torch.autograd.gradcheck(point, tuple(parameter.parameters()))


def test_a_wide_conjunction_costs_no_square():
    start = process_time()
    parameter = conjunction("0.999999", 200_000)
    parameter().sum().backward()
    assert parameter.raw_ray_scales.grad.shape == (200_001,)
    assert process_time() - start < 1  # its rays, written out, would fill 300 GB


def test_parameters_describe_themselves():
    assert "arity=3" in repr(conjunction())
    assert "2, vertices=2, rays=2, activation='rectify'" in repr(PolyhedralParameter(WEDGE))
    assert "2, activation='softplus'" in repr(OrthantParameter(torch.ones(2), activation="softplus"))
