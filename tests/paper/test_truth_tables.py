"""The paper's 'Generalized Propositional Logic with LNN': its truth tables (a), (b) and what its plots show."""

from fractions import Fraction
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.lnn.norms import LukasiewiczAnd, ProductAnd
from rulewright.lnn.operators import And, Not, Or
from rulewright.training.truth_table import CONJUNCTION, DISJUNCTION, fit_truth_table

TRUTH_TABLE = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
ROUNDING = 1e-6


@st.composite
def feasible(draw):
    """An arity, any alpha at which a conjunction of so many inputs exists, and a seed."""
    arity = draw(st.integers(2, 5))
    bound = Fraction(arity, arity + 1)
    part = draw(st.fractions(0, 1, max_denominator=100).filter(bool))
    return arity, bound + (1 - bound) * part, draw(st.integers(0, 999))


def drawn(kind, arity, alpha, seed):
    """An operator with parameters from anywhere in its polyhedron."""
    operator = kind(arity, alpha).eval()
    operator.parameter.right_inverse(operator.parameter.sample(torch.Generator().manual_seed(seed)))
    return operator


def combinations(values, arity):
    """All inputs made of these values, (n, arity)."""
    return torch.tensor(list(product(values, repeat=arity)), dtype=torch.float64)


def some_low(arity, alpha):
    """The upper rows of table (b) at their extremities: inputs of which at least one is in [0, 1 - alpha]."""
    return combinations([0.0, 1 - alpha, 1.0], arity)[:-1]  # the last is all ones


def all_high(arity, alpha):
    """The last row of table (b) at its extremities."""
    return combinations([alpha, 1.0], arity)


@settings(deadline=None, max_examples=40)
@given(feasible())
def test_conjunction_is_low_when_any_input_is_low_and_high_when_all_are_high(case):
    arity, exact, seed = case
    operator, alpha = drawn(And, arity, exact, seed), float(exact)
    assert (operator(some_low(arity, alpha)) <= 1 - alpha + ROUNDING).all()
    assert (operator(all_high(arity, alpha)) >= alpha - ROUNDING).all()


@settings(deadline=None, max_examples=40)
@given(feasible())
def test_disjunction_is_high_when_any_input_is_high_and_low_when_all_are_low(case):
    arity, exact, seed = case
    operator, alpha = drawn(Or, arity, exact, seed), float(exact)
    assert (operator(1 - some_low(arity, alpha)) >= alpha - ROUNDING).all()
    assert (operator(1 - all_high(arity, alpha)) <= 1 - alpha + ROUNDING).all()


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 999), st.integers(2, 5))
def test_at_alpha_1_connectives_are_boolean_on_booleans(seed, arity):
    booleans = combinations([0.0, 1.0], arity)
    assert torch.equal(drawn(And, arity, 1, seed)(booleans), booleans.prod(-1))
    assert torch.equal(drawn(Or, arity, 1, seed)(booleans), booleans.amax(-1))


def fitted(kind, alpha, targets):
    """The operator after training on the four rows of table (a)."""
    return fit_truth_table(kind(2, alpha, generator=torch.Generator().manual_seed(0)), targets)


@pytest.mark.parametrize("alpha", [0.7, 0.9])
def test_conjunction_fitted_to_the_boolean_table_looks_like_a_conjunction(alpha):
    truth = fitted(And, alpha, CONJUNCTION)(TRUTH_TABLE)
    assert (truth[:3] <= 1 - alpha).all()
    assert truth[3] >= alpha
    assert torch.allclose(truth, torch.tensor(CONJUNCTION), atol=0.02)


@pytest.mark.parametrize("alpha", [0.7, 0.9])
def test_disjunction_fitted_to_the_boolean_table_looks_like_a_disjunction(alpha):
    truth = fitted(Or, alpha, DISJUNCTION)(TRUTH_TABLE)
    assert truth[0] <= 1 - alpha
    assert (truth[1:] >= alpha).all()
    assert torch.allclose(truth, torch.tensor(DISJUNCTION), atol=0.02)


def test_a_larger_alpha_lets_the_conjunction_rise_later():
    # Plots (c) and (d): the region without constraints grows with alpha, so the curve can rise later.
    middle = torch.tensor([0.75, 0.75])
    early, late = (fitted(And, alpha, CONJUNCTION)(middle) for alpha in (0.7, 0.9))
    assert late < early


def test_lukasiewicz_stays_at_0_until_the_diagonal_and_product_lies_above_it():
    # Plots (a) and (b).
    x = torch.rand(500, 2, generator=torch.Generator().manual_seed(0))
    lukasiewicz, product_norm = LukasiewiczAnd().eval()(x), ProductAnd().eval()(x)
    below = x.sum(-1) <= 1
    assert (lukasiewicz[below] == 0).all()
    assert torch.allclose(lukasiewicz[~below], x[~below].sum(-1) - 1, atol=1e-6)
    assert (product_norm >= lukasiewicz - 1e-6).all()


def test_negation_is_one_minus_the_truth():
    assert Not().eval()(TRUTH_TABLE[:, 1:]).tolist() == [1.0, 0.0, 1.0, 0.0]
