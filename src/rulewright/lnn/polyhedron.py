"""From linear constraints to vertices and rays, exactly.

The Minkowski-Weyl theorem (paper, 'Learning Constrained Activations'): every set {z : A z <= b} is also
{sum of convex weights times vertices + non-negative scales times rays}. The second form needs no constraint solver:
whatever weights and scales come out of a gradient step, the point satisfies A z <= b.

The translation is the double-description method of Motzkin et al. (1953), in integers, so nothing is rounded:

1. z becomes the direction (z, 1) of a cone in one dimension more; A z <= b becomes b t - A z >= 0, with t >= 0.
2. The cone starts as the whole space, spanned by lines, and every row cuts it: a line that leaves the half-space
   becomes a ray, and each pair of adjacent rays on either side of the cut leaves a new ray on it.
3. Rays with t > 0 are vertices z / t, rays with t = 0 stay rays; a line that survives is two opposite rays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from rulewright.errors import InfeasibleSystemError, OptionError

Number = int | float | str | Fraction
Point = tuple[Fraction, ...]
Direction = tuple[int, ...]  # coprime integers


@dataclass(frozen=True)
class Generators:
    """A polyhedron as the hull of its vertices plus the cone of its rays.

    Of a polyhedron that contains a line, which has no corner, `vertices` holds one point of every minimal face.
    """

    vertices: tuple[Point, ...]  # at least one
    rays: tuple[Point, ...]

    @property
    def dimension(self) -> int:
        return len(self.vertices[0])


@dataclass(frozen=True)
class Ray:
    """An edge of the cone. `tight` has one bit for every row that holds with equality along it."""

    direction: Direction
    tight: int


@dataclass(frozen=True)
class Cone:
    """The rows met so far, as lines and extreme rays; `equations` counts the equalities that lowered its dimension."""

    lines: tuple[Direction, ...]
    rays: tuple[Ray, ...] = ()
    equations: int = 0

    @property
    def holds_a_point(self) -> bool:
        return any(ray.direction[-1] > 0 for ray in self.rays)


def double_description(
    A: Iterable[Iterable[Number]],  # noqa: N803 - the paper's letters
    b: Iterable[Number],
    equalities: tuple[Iterable[Iterable[Number]], Iterable[Number]] | None = None,
) -> Generators:
    """The vertices and rays of {z : A z <= b}, and A_eq z = b_eq where `equalities` are given.

    Numbers are read as they are written: 0.8 means 4/5, and "1/3" may be given as text. Rows may be redundant. Raises
    InfeasibleSystemError when nothing satisfies them all.
    """
    inequations = homogeneous(A, b, "inequality")
    equations = homogeneous(*equalities, "equality") if equalities else []
    sizes = {len(row) for row in (*inequations, *equations)}
    if len(sizes) != 1 or sizes == {1}:
        lengths = sorted(size - 1 for size in sizes)
        raise OptionError(f"the rows of A must all have one entry per variable, at least one; they have {lengths}")
    size = sizes.pop()
    cone = Cone(lines=tuple(unit(size, axis) for axis in range(size)))
    cone = met(cone, unit(size, size - 1), bit=1)  # t >= 0
    for number, row in enumerate(equations, start=1):
        cone = met(cone, row, bit=0)
        if not cone.holds_a_point:
            raise InfeasibleSystemError(f"equality {number}")
    for number, row in enumerate(inequations, start=1):
        cone = met(cone, row, bit=1 << number)
        if not cone.holds_a_point:
            raise InfeasibleSystemError(f"inequality {number}")
    return generators_of(cone)


def met(cone: Cone, row: Direction, bit: int) -> Cone:
    """The cone within the half-space row . y >= 0; bit 0 stands for the hyperplane row . y = 0."""
    for line in cone.lines:
        if dot(row, line):
            return cut_along(cone, row, bit, line)
    return cut_across(cone, row, bit)


def cut_along(cone: Cone, row: Direction, bit: int, line: Direction) -> Cone:
    """A cut that some line crosses: slid along this line, all other generators come to lie on the hyperplane."""
    inward = line if dot(row, line) > 0 else opposite(line)
    height = dot(row, inward)

    def slid(direction: Direction) -> Direction:
        return combined(height, direction, -dot(row, direction), inward)

    lines = tuple(slid(other) for other in cone.lines if other is not line)
    rays = [Ray(slid(ray.direction), ray.tight | bit) for ray in cone.rays]
    if bit:  # the line has been tight at every row before this one, or it would have been cut there
        return Cone(lines, (*rays, Ray(inward, bit - 1)), cone.equations)
    return Cone(lines, tuple(rays), cone.equations + 1)


def cut_across(cone: Cone, row: Direction, bit: int) -> Cone:
    """A cut that no line crosses: rays on the wrong side go, adjacent pairs astride it leave a ray on it."""
    heights = [dot(row, ray.direction) for ray in cone.rays]
    inside = [(ray, height) for ray, height in zip(cone.rays, heights, strict=True) if height > 0]
    outside = [(ray, height) for ray, height in zip(cone.rays, heights, strict=True) if height < 0]
    on = [Ray(ray.direction, ray.tight | bit) for ray, height in zip(cone.rays, heights, strict=True) if height == 0]
    # Two adjacent rays span a face of dimension two, so the rows tight at both leave two dimensions free.
    needed = len(row) - len(cone.lines) - cone.equations - 2
    for above, height in inside:
        for below, depth in outside:
            common = above.tight & below.tight
            if common.bit_count() >= needed and adjacent(above, below, common, cone.rays):
                on.append(Ray(combined(height, below.direction, -depth, above.direction), common | bit))
    if bit:
        return Cone(cone.lines, (*(ray for ray, _ in inside), *on), cone.equations)
    cut = 1 if inside or outside else 0
    return Cone(cone.lines, tuple(on), cone.equations + cut)


def adjacent(one: Ray, other: Ray, common: int, rays: Sequence[Ray]) -> bool:
    """Whether no third ray lies on every facet that the two share."""
    return all(third.tight & common != common or third is one or third is other for third in rays)


def generators_of(cone: Cone) -> Generators:
    """The slice t = 1 of the cone, in a fixed order."""
    vertices = {tuple(Fraction(x, t) for x in z) for *z, t in (ray.direction for ray in cone.rays) if t > 0}
    flat = [ray.direction for ray in cone.rays if ray.direction[-1] == 0]
    flat += [either for line in cone.lines for either in (line, opposite(line))]
    rays = {tuple(map(Fraction, direction[:-1])) for direction in flat}
    return Generators(tuple(sorted(vertices)), tuple(sorted(rays)))


def homogeneous(matrix: Iterable[Iterable[Number]], bounds: Iterable[Number], kind: str) -> list[Direction]:
    """Each row a z <= b as the integer row (-a, b), which is to have a non-negative product with (z, 1)."""
    rows, sides = [[exact(x) for x in row] for row in matrix], [exact(x) for x in bounds]
    if len(rows) != len(sides):
        raise OptionError(f"every {kind} needs one right-hand side; there are {len(rows)} rows and {len(sides)} sides")
    return [integral([*(-x for x in row), side]) for row, side in zip(rows, sides, strict=True)]


def exact(number: Number) -> Fraction:
    """The number as it is written: the float 0.8 is the fraction 4/5, not the nearest binary one."""
    try:
        return number if isinstance(number, Fraction) else Fraction(str(number))
    except (ValueError, ZeroDivisionError) as cause:
        raise OptionError(f"{number!r} is not a finite number; write 3, 0.8 or '1/3'") from cause


def integral(row: Sequence[Fraction]) -> Direction:
    """The same row in whole numbers."""
    scale = lcm(*(x.denominator for x in row))
    return primitive([int(x * scale) for x in row])


def combined(p: int, a: Direction, q: int, b: Direction) -> Direction:
    """The direction of p a + q b."""
    return primitive([p * x + q * y for x, y in zip(a, b, strict=True)])


def primitive(row: Sequence[int]) -> Direction:
    """The same direction with coprime entries, which keeps the integers small."""
    divisor = gcd(*row) or 1
    return tuple(x // divisor for x in row)


def dot(a: Direction, b: Direction) -> int:
    """The scalar product."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def unit(size: int, axis: int) -> Direction:
    """A direction along one axis."""
    return tuple(int(i == axis) for i in range(size))


def opposite(direction: Direction) -> Direction:
    """The same line, read the other way."""
    return tuple(-x for x in direction)
