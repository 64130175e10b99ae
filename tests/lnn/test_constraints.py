from fractions import Fraction
from math import gcd, lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import InfeasibleOperatorError, InfeasibleSystemError, OptionError
from rulewright.lnn.constraints import conjunction_cone, conjunction_generators, conjunction_system
from rulewright.lnn.polyhedron import double_description


def directions(rays):
    """Rays up to their length, as coprime integers."""
    whole = [[int(x * lcm(*(y.denominator for y in ray))) for x in ray] for ray in rays]
    return {tuple(x // gcd(*ray) for x in ray) for ray in whole}


def times(row, point):
    return sum(a * x for a, x in zip(row, point, strict=True))


@st.composite
def feasible(draw, widest=5):
    """An alpha in (n / (n + 1), 1], often close to either end, and n."""
    arity = draw(st.integers(1, widest))
    bound = Fraction(arity, arity + 1)
    part = draw(st.fractions(0, 1, max_denominator=50).filter(bool) | st.just(Fraction(1, 10**6)))
    return bound + (1 - bound) * part, arity


@settings(deadline=None, max_examples=40)
@given(feasible())
def test_closed_form_is_the_double_description_of_the_papers_constraints(case):
    alpha, arity = case
    closed, general = conjunction_generators(alpha, arity), double_description(*conjunction_system(alpha, arity))
    assert closed.vertices == general.vertices
    assert len(closed.rays) == arity + 1
    assert directions(closed.rays) == directions(general.rays)


def test_closed_form_agrees_with_the_parma_library():
    ppl = pytest.importorskip("ppl")
    for alpha, arity in [("0.7", 2), ("0.95", 3), ("0.9", 6), ("1", 4), ("0.8889", 8)]:
        polyhedron = ppl.C_Polyhedron(arity + 1, "universe")
        for row, bound in zip(*conjunction_system(alpha, arity), strict=True):
            scale = lcm(*(x.denominator for x in (*row, bound)))
            linear = ppl.Linear_Expression([int(x * scale) for x in row], 0)
            polyhedron.add_constraint(linear <= int(bound * scale))
        minimal = list(polyhedron.minimized_generators())
        (point,) = [g for g in minimal if g.is_point()]
        vertex = tuple(Fraction(int(x), int(point.divisor())) for x in point.coefficients())
        rays = {tuple(map(int, g.coefficients())) for g in minimal if g.is_ray()}
        closed = conjunction_generators(alpha, arity)
        assert (closed.vertices, directions(closed.rays)) == ((vertex,), rays)


@pytest.mark.parametrize(
    ("alpha", "arity", "bias", "weight"),
    [(0.95, 2, 1.056, 1.059), (0.95, 3, 1.119, 1.125), (0.8, 2, 1.4, 1.5)],
)
def test_the_vertex_is_what_the_paper_prints_as_learned(alpha, arity, bias, weight):
    (vertex,) = conjunction_generators(alpha, arity).vertices
    assert round(float(vertex[0]), 3) == bias
    assert [round(float(w), 3) for w in vertex[1:]] == [weight] * arity


def test_rays_are_those_of_the_derivation():
    _, *own = conjunction_generators(0.9, 3).rays
    assert own[1] == (Fraction("0.09"), Fraction("0.1"), Fraction("0.7"), Fraction("0.1"))


def test_boolean_alpha_asks_for_the_boolean_table_only():
    generators = conjunction_generators(1, 2)
    assert generators.vertices == ((1, 1, 1),)
    assert set(generators.rays) == {(1, 1, 1), (0, 1, 0), (0, 0, 1)}


@pytest.mark.parametrize("arity", range(2, 30))
def test_feasibility_ends_exactly_at_n_over_n_plus_1(arity):
    bound = Fraction(arity, arity + 1)
    with pytest.raises(InfeasibleOperatorError, match=f"{arity}/{arity + 1}"):
        conjunction_cone(bound, arity)
    assert conjunction_cone(bound + Fraction(1, 10**12), arity).margin > 0


def test_decimals_are_taken_as_written_where_floats_would_err():
    assert 4 * (1 - 0.8) < 0.8  # the trap: in floats four inputs at 0.8 look feasible
    with pytest.raises(InfeasibleOperatorError) as caught:
        conjunction_generators(0.8, 4)
    assert (caught.value.alpha, caught.value.arity) == (0.8, 4)
    with pytest.raises(InfeasibleSystemError):
        double_description(*conjunction_system(0.8, 4))
    assert conjunction_generators(0.80001, 4).dimension == 5


@pytest.mark.parametrize("alpha", [0.5, 0.3, 1.01, -1, "1/2", float("inf"), "high"])
def test_alpha_must_separate_low_from_high(alpha):
    with pytest.raises(OptionError):
        conjunction_system(alpha, 2)
    with pytest.raises(OptionError):
        conjunction_generators(alpha, 2)


def test_an_operator_has_inputs():
    with pytest.raises(OptionError, match="at least one input"):
        conjunction_generators(0.9, 0)


def test_the_system_is_the_papers_row_by_row():
    matrix, bounds = conjunction_system(0.8, 2)
    low, high = Fraction("0.2"), Fraction("0.8")
    assert matrix == ((0, -1, 0), (0, 0, -1), (1, -high, 0), (1, 0, -high), (-1, low, low))
    assert bounds == (0, 0, low, low, -high)


@pytest.mark.parametrize(("arity", "vertices", "rays"), [(1, 3, 6), (2, 5, 14), (3, 9, 28), (4, 17, 58)])
def test_slack_has_two_to_the_n_plus_one_vertices(arity, vertices, rays):
    generators = double_description(*conjunction_system(0.95, arity, slack=True))
    assert (len(generators.vertices), len(generators.rays)) == (vertices, rays)
    assert generators.dimension == 2 * arity + 2


def test_slack_makes_an_infeasible_alpha_feasible_by_what_is_missing():
    matrix, bounds = conjunction_system(0.6, 2, slack=True)
    plain, limits = conjunction_system(0.6, 2)
    generators = double_description(matrix, bounds)
    for vertex in generators.vertices:
        point, slacks = vertex[:3], vertex[3:]
        assert all(slack >= 0 for slack in slacks)
        broken = [times(row, point) - limit for row, limit in zip(plain, limits, strict=True)]
        assert all(miss <= 0 for miss in broken[:2])  # w >= 0 has no slack
        assert all(miss <= slack for miss, slack in zip(broken[2:], slacks, strict=True))
    assert all(sum(vertex[3:]) > 0 for vertex in generators.vertices)


@settings(deadline=None, max_examples=25)
@given(feasible(widest=40), st.data())
def test_every_combination_of_vertex_and_rays_keeps_the_constraints(case, data):
    alpha, arity = case
    generators = conjunction_generators(alpha, arity)
    scales = data.draw(st.lists(st.integers(0, 9), min_size=arity + 1, max_size=arity + 1))
    point = [
        generators.vertices[0][i] + sum(s * ray[i] for s, ray in zip(scales, generators.rays, strict=True))
        for i in range(arity + 1)
    ]
    matrix, bounds = conjunction_system(alpha, arity)
    assert all(times(row, point) <= bound for row, bound in zip(matrix, bounds, strict=True))
