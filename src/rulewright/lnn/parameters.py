"""Parameters that satisfy their constraints whatever an optimiser does to them.

The paper ('Learning Constrained Activations') folds a system A z <= b into the network: z is a convex combination of
vertices plus a non-negative combination of rays, and only the raw numbers behind the combination are trained. The
training loop never learns that z is constrained. Each class here is such a set, with the same verbs:

    parameter()                    the current z, in the set by construction
    parameter.right_inverse(z)     set the raw numbers so that parameter() is z, or the nearest point of the set
    parameter.contains(z)          whether z lies in the set
    parameter.sample(generator)    some point of the set, at random

In the words of the paper's theorem: vertices Gamma, vertex_weights lambda, rays Upsilon, ray_scales mu. Points are
computed in float64 whatever the raw numbers are kept in: the constraints are small differences of large numbers where
alpha is close to its bound, and float32 would lose them.
"""

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import nnls
from torch import Tensor, nn

from rulewright.errors import OptionError
from rulewright.lnn.constraints import ConjunctionCone
from rulewright.lnn.nonnegative import Activation, nonnegative, raw_of
from rulewright.lnn.polyhedron import Generators

INITIAL_SCALE = 0.1  # ray scales start between 0 and this, so that they differ and can move
ROUNDING = 4 * float(np.finfo(np.float64).eps)  # of one term of a sum, relative to the largest
SMALLEST_WEIGHT = 1e-8  # stands for a vertex weight of zero, which softmax cannot reach


class PolyhedralParameter(nn.Module):
    """A point of any polyhedron, given by its vertices and rays (see `polyhedron.double_description`).

    Ray scales start small, random and positive, vertex weights equal. A `fixed` parameter is not trained and starts
    without rays, at the mean of the vertices. `generator` seeds the start.
    """

    vertices: Tensor  # (n_vertices, dimension)
    rays: Tensor  # (n_rays, dimension), each of length 1

    def __init__(
        self,
        generators: Generators,
        *,
        activation: Activation = "rectify",
        fixed: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.dimension, self.activation = generators.dimension, activation
        vertices = torch.tensor([[float(x) for x in v] for v in generators.vertices], dtype=torch.float64)
        rays = torch.tensor([[float(x) for x in r] for r in generators.rays], dtype=torch.float64)
        rays = rays.reshape(-1, self.dimension)
        self.register_buffer("vertices", vertices)
        self.register_buffer("rays", rays / rays.norm(dim=1, keepdim=True))
        self.vertex_logits = nn.Parameter(torch.zeros(len(vertices)), requires_grad=not fixed)
        self.raw_ray_scales = initial(len(rays), activation, fixed, generator)

    @property
    def vertex_weights(self) -> Tensor:
        return wide(self.vertex_logits).softmax(0)

    @property
    def ray_scales(self) -> Tensor:
        return nonnegative(wide(self.raw_ray_scales), self.activation)

    def forward(self) -> Tensor:
        """The current point, (dimension,)."""
        return self.vertex_weights @ self.vertices + self.ray_scales @ self.rays

    def right_inverse(self, z: Tensor | Sequence[float]) -> None:
        weights, scales = self._nearest(vector(z, self.dimension))
        assign(self.vertex_logits, weights.clamp_min(SMALLEST_WEIGHT).log())
        assign(self.raw_ray_scales, raw_of(scales, self.activation))

    def contains(self, z: Tensor | Sequence[float], tolerance: float = 1e-6) -> bool:
        """Whether no coordinate of z is further than the tolerance from the nearest point of the polyhedron."""
        point = vector(z, self.dimension)
        weights, scales = self._nearest(point)
        nearest = weights @ self.vertices.cpu() + scales @ self.rays.cpu()
        return bool((point - nearest).abs().max() <= tolerance)

    def sample(self, generator: torch.Generator | None = None) -> Tensor:
        """Vertex weights uniform over the simplex, ray scales exponential with mean 1."""
        weights = exponential(len(self.vertices), generator)
        scales = exponential(len(self.rays), generator)
        return weights / weights.sum() @ self.vertices.cpu() + scales @ self.rays.cpu()

    def _nearest(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """The vertex weights and ray scales of the nearest point, by non-negative least squares.

        A heavy extra row asks the vertex weights to sum to 1; dividing by the sum removes what little it missed.
        """
        vertices, rays = self.vertices.cpu().numpy(), self.rays.cpu().numpy()
        heavy = 1e3 * max(1.0, float(np.abs(vertices).max()), float(z.abs().max()))
        sums = heavy * np.concatenate([np.ones(len(vertices)), np.zeros(len(rays))])
        columns = np.vstack([np.concatenate([vertices, rays]).T, sums])
        solution = least_squares(columns, np.append(z.numpy(), heavy))
        weights, scales = solution[: len(vertices)], solution[len(vertices) :]
        return weights / weights.sum(), scales

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "PolyhedralParameter":
        """Vertices and rays follow to another device, but stay exact when the module is cast to a smaller dtype."""
        precise = dict(self.named_buffers(recurse=False))
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        for name, buffer in precise.items():
            setattr(self, name, buffer.to(getattr(self, name).device))
        return self

    def extra_repr(self) -> str:
        return f"{self.dimension}, vertices={len(self.vertices)}, rays={len(self.rays)}, activation={self.activation!r}"


class ConjunctionParameter(nn.Module):
    """Bias and weights (bias, w_1, ..., w_n) of a conjunction, in O(n) time and memory.

    The same point as PolyhedralParameter gives for `conjunction_generators`, from the same raw ray scales, without ever
    writing down the n + 1 rays: ray i is a multiple of ray 0 plus a step along w_i (see `ConjunctionCone`). A `fixed`
    one sits at the vertex.
    """

    def __init__(
        self,
        cone: ConjunctionCone,
        *,
        activation: Activation = "rectify",
        fixed: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.cone, self.activation = cone, activation
        self.dimension = cone.arity + 1
        self._low, self._high = float(cone.low_falsity), float(cone.high_falsity)
        self._margin, self._vertex_weight = float(cone.margin), float(cone.vertex_weight)
        self._shared_norm = sqrt(self._low**2 + cone.arity)
        others = (self._high * self._low) ** 2 + (cone.arity - 1) * self._high**2
        self._own_norm = sqrt(others + (self._high + self._margin) ** 2)
        self.raw_ray_scales = initial(self.dimension, activation, fixed, generator)

    @property
    def ray_scales(self) -> Tensor:
        """(arity + 1,): how far along ray 0, which is shared by all inputs, and along each input's own ray."""
        return nonnegative(wide(self.raw_ray_scales), self.activation)

    def forward(self) -> Tensor:
        """The current (bias, weights), (arity + 1,)."""
        return self._point(self.ray_scales)

    def right_inverse(self, z: Tensor | Sequence[float]) -> None:
        point = vector(z, self.dimension)
        slack = self._slack(point)
        if slack.min() < -1e-9 * (1 + point.abs().max()):  # beyond rounding: not in the cone
            rays = torch.stack([self._point(axis) for axis in torch.eye(self.dimension, dtype=torch.float64)])
            vertex = self._point(torch.zeros(self.dimension, dtype=torch.float64))
            scales = least_squares((rays - vertex).T.numpy(), (point - vertex).numpy())
        else:  # ray 0 loosens only the last constraint, ray i only the i-th: each slack tells one scale
            own = slack[:-1] / (self._low * self._margin) * self._own_norm
            scales = torch.cat([slack[-1:] / self._margin * self._shared_norm, own])
        assign(self.raw_ray_scales, raw_of(scales.clamp_min(0), self.activation))

    def contains(self, z: Tensor | Sequence[float], tolerance: float = 1e-6) -> bool:
        """Whether z breaks no constraint by more than the tolerance, and what float64 rounds off at the size of z."""
        point = vector(z, self.dimension)
        rounding = ROUNDING * self.dimension * float(point.abs().max())
        return bool(self._slack(point).min() >= -tolerance - rounding)

    def sample(self, generator: torch.Generator | None = None) -> Tensor:
        """Ray scales exponential with mean 1."""
        return self._point(exponential(self.dimension, generator))

    def _point(self, scales: Tensor) -> Tensor:
        own = scales[1:] / self._own_norm
        shared = self._vertex_weight + scales[:1] / self._shared_norm + self._high * own.sum()
        return torch.cat([float(self.cone.low_level) + self._low * shared, shared + self._margin * own])

    def _slack(self, z: Tensor) -> Tensor:
        """By how much z satisfies each constraint: the arity low ones, then the high one."""
        bias, weights = z[:1], z[1:]
        low = float(self.cone.low_level) - bias + self._low * weights
        high = bias - self._high * weights.sum() - float(self.cone.high_level)
        return torch.cat([low, high])

    def extra_repr(self) -> str:
        return f"arity={self.cone.arity}, activation={self.activation!r}"


class OrthantParameter(nn.Module):
    """A point with no negative coordinate, e.g. the bias and weights of LNN-pred, starting at `start`."""

    def __init__(self, start: Tensor, *, activation: Activation = "rectify", fixed: bool = False) -> None:
        super().__init__()
        self.dimension, self.activation = len(start), activation
        self.raw = nn.Parameter(raw_of(start, activation), requires_grad=not fixed)

    def forward(self) -> Tensor:
        """The current point, (dimension,)."""
        return nonnegative(self.raw, self.activation)  # no difference of large numbers here: the raw dtype will do

    def right_inverse(self, z: Tensor | Sequence[float]) -> None:
        assign(self.raw, raw_of(vector(z, self.dimension), self.activation))

    def contains(self, z: Tensor | Sequence[float], tolerance: float = 1e-6) -> bool:
        """Whether no coordinate of z is more than the tolerance below zero."""
        return bool(vector(z, self.dimension).min() >= -tolerance)

    def sample(self, generator: torch.Generator | None = None) -> Tensor:
        """Coordinates exponential with mean 1."""
        return exponential(self.dimension, generator)

    def extra_repr(self) -> str:
        return f"{self.dimension}, activation={self.activation!r}"


def wide(raw: Tensor) -> Tensor:
    """The raw numbers in float64, or in float32 on Apple's GPUs, which have nothing wider."""
    return raw.to(torch.float32 if raw.device.type == "mps" else torch.float64)


def initial(count: int, activation: Activation, fixed: bool, generator: torch.Generator | None) -> nn.Parameter:
    """Raw ray scales: small, random and positive, or zero if they are never to move."""
    scales = torch.zeros(count) if fixed else small(count, generator)
    return nn.Parameter(raw_of(scales, activation), requires_grad=not fixed)


def small(count: int, generator: torch.Generator | None) -> Tensor:
    """Random numbers in (0, INITIAL_SCALE]."""
    return INITIAL_SCALE * (1 - torch.rand(count, generator=generator))


def exponential(count: int, generator: torch.Generator | None) -> Tensor:
    """Random numbers, exponential with mean 1."""
    return torch.empty(count, dtype=torch.float64).exponential_(generator=generator)


def vector(z: Tensor | Sequence[float], dimension: int) -> Tensor:
    """The numbers as one float64 vector on the CPU."""
    point = torch.as_tensor(z, dtype=torch.float64).detach().cpu()
    if point.shape != (dimension,):
        raise OptionError(f"expected {dimension} numbers in one vector, got the shape {tuple(point.shape)}")
    return point


def assign(parameter: nn.Parameter, raw: Tensor) -> None:
    """New values for a parameter that keeps its dtype, its device and its place in the optimiser."""
    with torch.no_grad():
        parameter.copy_(raw)


def least_squares(columns: NDArray[np.float64], target: NDArray[np.float64]) -> Tensor:
    """The non-negative combination of the columns that comes nearest to the target."""
    solution, _ = nnls(columns, target)
    return torch.from_numpy(solution)
