"""What makes a weighted operator a conjunction: linear constraints on its bias and weights.

An input in [0, 1 - alpha] is low, one in [alpha, 1] is high. The paper ('Generalized Propositional Logic with LNN')
asks of LNN-and, relu1(bias - weights . (1 - x)), that one low input makes it low and all high inputs make it high; at
the extremities of these ranges that is

    weights >= 0,    bias - alpha w_i <= 1 - alpha for every i,    bias - (1 - alpha) sum(w) >= alpha.

Solved once and for all: with n inputs something satisfies them iff alpha > n / (n + 1), and then they form a cone with
one vertex and n + 1 rays, so even a wide conjunction needs no double description (`ConjunctionCone` derives this).
"""

from dataclasses import dataclass
from fractions import Fraction

from rulewright.errors import InfeasibleOperatorError, OptionError
from rulewright.lnn.polyhedron import Generators, Number, Point, exact

Matrix = tuple[Point, ...]


@dataclass(frozen=True)
class ConjunctionCone:
    """{(bias, w) : bias - low_falsity w_i <= low_level for every i,  bias - high_falsity sum(w) >= high_level}.

    These are n + 1 constraints in n + 1 dimensions, so they have one vertex, and one ray for each constraint: the edge
    along which all the others stay tight. With margin = low_falsity - n high_falsity:

        vertex      every w_i = (high_level - low_level) / margin, and bias = low_level + low_falsity w_i
        ray 0       (low_falsity; 1, ..., 1)                                  loosens the last constraint
        ray i       high_falsity (low_falsity; 1, ..., 1) + margin e_i        loosens the i-th; e_i is the weight w_i

    All of these are non-negative where margin > 0, so w >= 0 follows. Where margin <= 0 nothing with w >= 0 satisfies
    the constraints: bias >= high_level + high_falsity sum(w) > low_level + low_falsity min(w) >= bias.

    For LNN-and falsity is 1 - x, and the levels are 1 - alpha and alpha; another norm brings its own (see norms.py).
    """

    arity: int
    low_falsity: Fraction  # how false an input at 1 - alpha is
    high_falsity: Fraction  # how false an input at alpha is
    low_level: Fraction  # what the result may reach at most with one low input
    high_level: Fraction  # what it must reach at least with all inputs high

    @property
    def margin(self) -> Fraction:
        """Positive iff the cone is not empty; the smaller, the steeper the operator has to be."""
        return self.low_falsity - self.arity * self.high_falsity

    @property
    def vertex_weight(self) -> Fraction:
        return (self.high_level - self.low_level) / self.margin

    @property
    def vertex_bias(self) -> Fraction:
        return self.low_level + self.low_falsity * self.vertex_weight


def conjunction_cone(alpha: Number, arity: int) -> ConjunctionCone:
    """The feasible biases and weights of LNN-and.

    Decided on alpha as it is written: in floats, 4 inputs at alpha = 0.8 would pass with weights of 10^15.
    """
    threshold = checked_alpha(alpha, arity)
    cone = ConjunctionCone(arity, threshold, 1 - threshold, 1 - threshold, threshold)
    if cone.margin <= 0:
        raise InfeasibleOperatorError(float(threshold), arity)
    return cone


def conjunction_generators(alpha: Number, arity: int) -> Generators:
    """The vertex and the arity + 1 rays of LNN-and, as (bias, weights), in the order of `ConjunctionCone`."""
    cone = conjunction_cone(alpha, arity)
    vertex = (cone.vertex_bias, *[cone.vertex_weight] * arity)
    shared = (cone.low_falsity, *[Fraction(1)] * arity)
    rays = [shared]
    for axis in range(1, arity + 1):
        rays.append(tuple(cone.high_falsity * x + cone.margin * (i == axis) for i, x in enumerate(shared)))
    return Generators((vertex,), tuple(rays))


def conjunction_system(alpha: Number, arity: int, slack: bool = False) -> tuple[Matrix, Point]:
    """A and b of the paper's A z <= b, with z = (bias, weights), for any alpha in (1/2, 1], feasible or not.

    With `slack`, z = (bias, weights, slacks): a slack for each threshold constraint, in the order of the rows, which
    may be broken by that much; penalise the slacks in the loss. Every alpha is then feasible, at the price of 2^n + 1
    vertices: keep to few inputs.
    """
    threshold, zero, one = checked_alpha(alpha, arity), Fraction(0), Fraction(1)
    rows = [(zero, *along(i, -one, arity)) for i in range(arity)]  # -w_i <= 0
    rows += [(one, *along(i, -threshold, arity)) for i in range(arity)]  # bias - alpha w_i <= 1 - alpha
    rows += [(-one, *[1 - threshold] * arity)]  # (1 - alpha) sum(w) - bias <= -alpha
    bounds = [zero] * arity + [1 - threshold] * arity + [-threshold]
    if slack:
        slacks = arity + 1  # the rows of w >= 0 stand first and have none
        rows = [(*row, *along(number - arity, -one, slacks)) for number, row in enumerate(rows)]
        rows += [(*[zero] * (1 + arity), *along(i, -one, slacks)) for i in range(slacks)]  # -slack_i <= 0
        bounds += [zero] * slacks
    return tuple(rows), tuple(bounds)


def checked_alpha(alpha: Number, arity: int) -> Fraction:
    """Alpha as an exact fraction, if it can separate low from high at all."""
    threshold = exact(alpha)
    if not Fraction(1, 2) < threshold <= 1:
        raise OptionError(f"alpha = {alpha} must lie in (1/2, 1]: low means [0, 1 - alpha] and high [alpha, 1]")
    if arity < 1:
        raise OptionError(f"an operator needs at least one input, not {arity}")
    return threshold


def along(axis: int, value: Fraction, size: int) -> Point:
    """A vector that is zero except on one axis, and zero throughout for an axis it does not have."""
    return tuple(value if i == axis else Fraction(0) for i in range(size))
