import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.grounding.problems import Problem, problems

from rulewright.grounding.ground import ground
from rulewright.grounding.lineage import Aligned, Grounding, Groups, Memberships
from rulewright.grounding.plan import inputs_of, plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.vocabulary import Vocabulary
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template

Tree = tuple[object, ...]
Cut = tuple[Grounding, list[int]]


def trees(grounding: Grounding) -> list[Tree]:
    """For each head fact everything that it rests on, down to members and their truths: (fact, inputs)."""
    found: list[list[Tree]] = []
    for step, facts, lineage in zip(grounding.plan.steps, grounding.facts, grounding.lineage, strict=True):
        inputs = [found[view.step] for view in inputs_of(step)]
        assert len(facts) == len(lineage)
        found.append([(tuple(fact), below(lineage, row, inputs)) for row, fact in enumerate(facts.tolist())])
    return found[-1]


def below(lineage: Memberships | Aligned | Groups, row: int, inputs: list[list[Tree]]) -> Tree:
    match lineage:
        case Memberships(offsets, members, truth):
            run = slice(offsets[row], offsets[row + 1])
            return tuple(zip(members[run].tolist(), truth[run].tolist(), strict=True))
        case Aligned(rows):
            return tuple(None if at < 0 else trees[at] for trees, at in zip(inputs, rows[:, row].tolist(), strict=True))
        case Groups(offsets, rows):
            return tuple(inputs[0][at] for at in rows[offsets[row] : offsets[row + 1]].tolist())


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    """A grounding, and some rows of it in any order, perhaps one of them twice."""
    problem = draw(problems())
    grounding = ground(plan(problem.template), problem.kb, allow_empty=True)
    assume(len(grounding))
    return grounding, draw(st.lists(st.integers(0, len(grounding) - 1), max_size=5))


@given(cuts())
@settings(max_examples=120, deadline=None)
def test_taken_heads_come_in_the_order_asked_for_and_rest_on_the_same(cut: Cut) -> None:
    whole, rows = cut
    everything = trees(whole)
    assert trees(whole.take(np.array(rows, dtype=np.int64))) == [everything[row] for row in rows]


@given(cuts())
@settings(max_examples=60, deadline=None)
def test_what_is_taken_is_the_lineage_and_nothing_else(cut: Cut) -> None:
    whole, rows = cut
    part = whole.take(np.array(rows, dtype=np.int64))
    reached = [set() for _ in whole.facts]
    reached[-1] = set(rows)
    for place in reversed(range(len(whole.facts))):
        step, lineage = whole.plan.steps[place], whole.lineage[place]
        for number, view in enumerate(inputs_of(step)):
            for row in reached[place]:
                match lineage:
                    case Aligned(inputs):
                        reached[view.step] |= {int(inputs[number, row])} - {-1}
                    case Groups(offsets, inputs):
                        reached[view.step] |= set(inputs[offsets[row] : offsets[row + 1]].tolist())
    assert [len(facts) for facts in part.facts[:-1]] == [len(kept) for kept in reached[:-1]]
    for kept, facts, few in zip(reached[:-1], whole.facts, part.facts, strict=False):
        assert few.tolist() == facts[sorted(kept)].tolist()


@given(cuts())
@settings(max_examples=40, deadline=None)
def test_a_cut_can_be_cut_again(cut: Cut) -> None:
    whole, rows = cut
    part = whole.take(np.array(rows, dtype=np.int64))
    backwards = np.arange(len(part))[::-1]
    assert trees(part.take(backwards)) == trees(part)[::-1]


@given(cuts())
@settings(max_examples=40, deadline=None)
def test_every_head_is_found_in_its_row(cut: Cut) -> None:
    whole, rows = cut
    assert whole.rows_of(whole.roots[rows]).tolist() == rows


def test_lineage_leads_back_to_the_facts_that_made_a_fact() -> None:
    facts = {"A": {("1", "2"): 1.0, ("1", "5"): 1.0}, "B": {("1", "2"): 0.5}, "C": {("2", "5"): 1.0}}
    problem = Problem(
        facts, "S(X, Z) :- R(X, Z) ; O(X, Z). R(X, Z) :- P(X, Y), Q(Y, Z). P in {A, B}. Q in {C}. O in {A, B}."
    )
    grounding = ground(plan(problem.template), problem.kb)
    one, two, five = problem.kb.encode([("1", "2", "5")]).tolist()[0]
    p1 = ((one, two), ((0, 1.0), (1, 0.5)))
    pq1 = ((one, five, two), (p1, ((two, five), ((0, 1.0),))))
    r1 = ((one, five), (pq1,))
    o2 = ((one, five), ((0, 1.0),))
    assert trees(grounding) == [((one, two), (None, p1)), ((one, five), (r1, o2))]


def chain(entities: int, edges: int) -> Grounding:
    rng = np.random.default_rng(0)
    kb = KnowledgeBase(Vocabulary(map(str, range(entities))), {"e": Relation.of(rng.integers(0, entities, (edges, 2)))})
    return ground(plan(bind(parse_template("S(X, Z) :- e(X, Y), e(Y, Z)."), kb)), kb)


def test_a_small_cut_of_a_large_grounding_costs_what_it_holds() -> None:
    whole = chain(20_000, 100_000)
    assert len(whole) > 400_000
    tracemalloc.start()
    part = whole.take(np.arange(0, len(whole), 10_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(map(len, part.facts)) < 1000
    assert peak < 200_000, "no table of the whole was copied"


@pytest.mark.parametrize("share", [1, 3, 20, 1000])
def test_large_and_small_cuts_are_renumbered_alike(share: int) -> None:
    whole = chain(300, 1000)
    part = whole.take(np.arange(0, len(whole), share))
    assert trees(part) == trees(whole)[::share]


def test_a_grounding_prints_its_steps_with_their_sizes() -> None:
    lines = str(chain(30, 40)).splitlines()
    assert lines[0] == "0: e = union of e: 40 facts"
    assert len(lines) == 3
