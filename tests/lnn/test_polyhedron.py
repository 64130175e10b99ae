from fractions import Fraction
from itertools import combinations, product
from math import lcm
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import InfeasibleSystemError, InputError, OptionError
from rulewright.lnn.polyhedron import Generators, double_description

BOX = [[1, 0], [-1, 0], [0, 1], [0, -1]]


def fractions(*points):
    return {tuple(map(Fraction, point)) for point in points}


def test_a_box_is_the_hull_of_its_corners():
    box = double_description(BOX, [2, 0, 1, 0])
    assert set(box.vertices) == fractions((0, 0), (2, 0), (0, 1), (2, 1))
    assert box.rays == ()
    assert box.dimension == 2


def test_an_orthant_has_one_vertex_and_its_axes_as_rays():
    orthant = double_description([[-1, 0, 0], [0, -1, 0], [0, 0, -1]], [0, 0, 0])
    assert set(orthant.vertices) == fractions((0, 0, 0))
    assert set(orthant.rays) == fractions((1, 0, 0), (0, 1, 0), (0, 0, 1))


def test_a_line_becomes_two_opposite_rays():
    strip = double_description([[1, 0], [-1, 0]], [1, 0])
    assert set(strip.rays) == fractions((0, 1), (0, -1))
    assert {vertex[0] for vertex in strip.vertices} == {0, 1}


def test_a_half_space_keeps_its_whole_boundary():
    half = double_description([[1, 1]], [3])
    assert len(half.vertices) == 1
    assert sum(half.vertices[0]) == 3
    assert {x + y for x, y in half.rays} == {0, -1}


def test_equalities_leave_a_simplex():
    simplex = double_description([[-1, 0, 0], [0, -1, 0], [0, 0, -1]], [0, 0, 0], equalities=([[1, 1, 1]], [1]))
    assert set(simplex.vertices) == fractions((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert simplex.rays == ()


def test_equalities_alone_leave_a_point_or_a_line():
    point = double_description([], [], equalities=([[1, 1], [1, -1]], [1, 0]))
    assert point == Generators(((Fraction(1, 2), Fraction(1, 2)),), ())
    line = double_description([], [], equalities=([[1, 1]], [1]))
    assert set(line.rays) == fractions((1, -1), (-1, 1))


def test_redundant_and_empty_rows_change_nothing():
    lean = double_description(BOX, [2, 0, 1, 0])
    assert double_description([*BOX, *BOX, [0, 0], [1, 1], [2, 0]], [2, 0, 1, 0, 2, 0, 1, 0, 0, 5, 4]) == lean
    repeated = double_description(BOX, [2, 0, 1, 0], equalities=([[1, 0], [2, 0], [0, 0]], [1, 2, 0]))
    assert set(repeated.vertices) == fractions((1, 0), (1, 1))


@pytest.mark.parametrize("dimension", [2, 3, 4, 5])
def test_a_corner_where_many_faces_meet_is_found_once(dimension):
    faces = list(product((1, -1), repeat=dimension))
    octahedron = double_description(faces, [1] * len(faces))
    axes = [[sign * (i == j) for j in range(dimension)] for i in range(dimension) for sign in (1, -1)]
    assert sorted(octahedron.vertices) == sorted(fractions(*axes))
    assert octahedron.rays == ()


def test_numbers_mean_what_is_written():
    (vertex,) = double_description([[-1]], [-0.8]).vertices
    assert vertex == (Fraction(4, 5),)
    (vertex,) = double_description([["-1/3"]], ["1e-3"]).vertices
    assert vertex == (Fraction(-3, 1000),)
    (vertex,) = double_description(np.array([[-1.0]]), np.array([-0.1])).vertices
    assert vertex == (Fraction(1, 10),)


@pytest.mark.parametrize(
    ("matrix", "bounds", "equalities", "row"),
    [
        ([[1], [-1]], [0, -1], None, "inequality 2"),
        ([[0, 0]], [-1], None, "inequality 1"),
        ([[1, 0]], [5], ([[1, 1], [2, 2]], [1, 3]), "equality 2"),
        ([[1, 0], [-1, -1], [0, 1]], [0, -3, 2], None, "inequality 3"),
    ],
)
def test_contradictions_name_the_row_that_completes_them(matrix, bounds, equalities, row):
    with pytest.raises(InfeasibleSystemError, match=row) as caught:
        double_description(matrix, bounds, equalities)
    assert caught.value.row == row
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize(
    ("matrix", "bounds", "words"),
    [
        ([[1, 2], [3]], [1, 1], r"one entry per variable.*\[1, 2\]"),
        ([], [], "one entry per variable"),
        ([[], []], [1, 1], "at least one"),
        ([[1, 2]], [1, 1], "1 rows and 2 sides"),
        ([[float("nan")]], [1], "not a finite number"),
        ([[1]], ["1/0"], "not a finite number"),
    ],
)
def test_systems_that_make_no_sense_are_explained(matrix, bounds, words):
    with pytest.raises(OptionError, match=words):
        double_description(matrix, bounds)


def solved(rows, sides):
    """The one solution of a square system in fractions, None if there is not exactly one."""
    table = [[Fraction(x) for x in (*row, side)] for row, side in zip(rows, sides, strict=True)]
    for column in range(len(table)):
        pivot = next((r for r in range(column, len(table)) if table[r][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        for other in range(len(table)):
            if other != column and table[other][column]:
                factor = table[other][column] / table[column][column]
                table[other] = [x - factor * y for x, y in zip(table[other], table[column], strict=True)]
    return tuple(row[-1] / row[i] for i, row in enumerate(table))


def times(row, point):
    return sum(Fraction(a) * x for a, x in zip(row, point, strict=True))


def corners(matrix, bounds):
    """Every vertex, by trying all sets of as many active rows as there are dimensions."""
    found = set()
    for active in combinations(range(len(matrix)), len(matrix[0])):
        point = solved([matrix[i] for i in active], [bounds[i] for i in active])
        if point and all(times(row, point) <= side for row, side in zip(matrix, bounds, strict=True)):
            found.add(point)
    return found


small_integers = st.integers(-3, 3)


@st.composite
def pointed_systems(draw):
    """Random rows and a box around the origin, one side of which may be missing."""
    dimension = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(small_integers, min_size=dimension, max_size=dimension), max_size=4))
    walls = [[sign * (i == j) for j in range(dimension)] for i in range(dimension) for sign in (-1, 1)]
    walls = walls[: len(walls) - draw(st.integers(0, 1))]
    bounds = [draw(st.integers(-2, 4)) for _ in rows] + [2] * len(walls)
    return rows + walls, bounds


@settings(deadline=None, max_examples=60)
@given(pointed_systems())
def test_vertices_are_those_of_the_enumeration_of_active_rows(system):
    matrix, bounds = system
    expected = corners(matrix, bounds)
    try:
        found = double_description(matrix, bounds)
    except InfeasibleSystemError:
        assert not expected
        return
    assert set(found.vertices) == expected
    assert len(found.vertices) == len(expected)
    assert all(times(row, ray) <= 0 for ray in found.rays for row in matrix)


@st.composite
def systems(draw):
    """Anything: lines, equalities, contradictions, zero rows."""
    dimension = draw(st.integers(1, 5))
    row = st.lists(small_integers, min_size=dimension, max_size=dimension)
    matrix, equations = draw(st.lists(row, min_size=1, max_size=7)), draw(st.lists(row, max_size=2))
    sides = [draw(st.integers(-2, 4)) for _ in matrix], [draw(st.integers(-1, 1)) for _ in equations]
    return matrix, sides[0], equations, sides[1]


@settings(deadline=None, max_examples=150)
@given(systems())
def test_any_system_describes_the_same_polyhedron_as_the_parma_library(system):
    ppl = pytest.importorskip("ppl")
    matrix, bounds, equations, sides = system
    expected = ppl.C_Polyhedron(len(matrix[0]), "universe")
    for row, side in zip(matrix, bounds, strict=True):
        expected.add_constraint(ppl.Linear_Expression(row, 0) <= side)
    for row, side in zip(equations, sides, strict=True):
        expected.add_constraint(ppl.Linear_Expression(row, 0) == side)
    try:
        found = double_description(matrix, bounds, (equations, sides) if equations else None)
    except InfeasibleSystemError:
        assert expected.is_empty()
        return
    generators = ppl.Generator_System()
    for vertex in found.vertices:
        scale = lcm(*(x.denominator for x in vertex))
        generators.insert(ppl.point(ppl.Linear_Expression([int(x * scale) for x in vertex], 0), scale))
    for ray in found.rays:
        generators.insert(ppl.ray(ppl.Linear_Expression([int(x) for x in ray], 0)))
    assert ppl.C_Polyhedron(generators) == expected
    minimal = expected.minimized_generators()
    assert len(found.vertices) == sum(g.is_point() for g in minimal)
    assert len(found.rays) == sum(g.is_ray() + 2 * g.is_line() for g in minimal)


def test_nine_dimensions_take_no_time():
    start = process_time()
    cube = double_description([[s * (i == j) for j in range(9)] for i in range(9) for s in (1, -1)], [1] * 18)
    assert set(cube.vertices) == fractions(*product((1, -1), repeat=9))
    assert process_time() - start < 5
