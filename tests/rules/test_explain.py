"""The arithmetic gives the network's truth, rules fire as their text says, the named changes do what was said."""

from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.grounding.problems import Problem, problems
from tests.learning_problems import Problem as Task
from tests.learning_problems import comparison, disjunction, grandparent, negation, three_arguments
from tests.rules.networks import network, scramble

from rulewright.errors import InputError
from rulewright.grounding.ground import ground
from rulewright.grounding.plan import plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.learning import Learned, explain, learn
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.program import Program
from rulewright.logic.terms import Atom
from rulewright.rules.arithmetic import formula, raw_value, steps_of
from rulewright.rules.changed_facts import changed
from rulewright.rules.derive import derive
from rulewright.rules.explain import explain_fact
from rulewright.rules.explanation import Explanation, Step
from rulewright.rules.extract import extract

TASKS = {make.__name__: make for make in (grandparent, negation, comparison, disjunction, three_arguments)}


@cache
def learned(name: str) -> Learned:
    task: Task = TASKS[name]()
    return learn(task.kb, task.template, task.labels)


def names(fact: Atom) -> tuple[str, ...]:
    return tuple(term.name for term in fact.terms)


def assert_arithmetic_holds(step: Step) -> None:
    for below in steps_of(step):
        assert below.raw == pytest.approx(raw_value(below), abs=1e-5)
        assert below.value == pytest.approx(min(1.0, max(0.0, below.raw)), abs=1e-5)
        assert below.tied <= below.ways
        assert formula(below)
        if below.kind in ("fact", "absent"):
            assert not below.inputs
        elif below.kind not in ("pred", "attention"):  # which may hold of nothing
            assert below.inputs


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(problems(), st.integers(0, 10_000))
def test_the_arithmetic_of_any_template_gives_the_networks_truth(problem: Problem, seed: int) -> None:
    tried = RuleNetwork(plan(problem.template), 0.99)
    scramble(tried, seed, soft=True)
    grounding = ground(tried.plan, problem.kb, allow_empty=True)
    assume(len(grounding) > 0)
    truths = tried.truths(grounding)
    program = Program(tried.plan.head, (), learned("grandparent").program.tree)  # no rules: the arithmetic alone
    for row in {0, seed % len(grounding), len(grounding) - 1}:
        (fact,) = problem.kb.decode(grounding.roots[row : row + 1])
        found = explain_fact(tried, grounding, problem.kb, program, fact, counterfactual=False)
        assert found.arithmetic is not None
        assert found.arithmetic.value == pytest.approx(float(truths[row]), abs=1e-5)
        assert_arithmetic_holds(found.arithmetic)
        for step in steps_of(found.arithmetic):
            if step.fact is not None and step.fact.source == "facts":
                assert list(names(step.fact.atom)) in [list(f) for f in problem.kb.facts_of(step.fact.atom.predicate)]


@pytest.mark.parametrize("name", TASKS)
def test_the_rules_that_fire_are_those_whose_text_holds(name: str) -> None:
    found = learned(name)
    accepted = set(found.kb.decode(derive(found.program, found.kb)))
    truths = found.truths()
    for fact in [*found.predict()[:4], *[fact for fact, truth in truths.items() if truth < 0.5][:4]]:
        explained = found.explain(fact, counterfactual=False)
        assert bool(explained.parts) == (fact in accepted)
        assert explained.score == truths[fact]
        for part in explained.parts:
            assert part.count >= len(part.witnesses) > 0
            assert part.share == part.truth
            for witness in part.witnesses:
                for shown in witness.facts:
                    there = names(shown.atom) in found.kb.facts_of(shown.atom.predicate)
                    assert there == (shown.source == "facts")


@pytest.mark.parametrize("name", TASKS)
def test_changing_the_named_facts_undoes_the_prediction_and_each_is_needed(name: str) -> None:
    found = learned(name)
    for fact in found.predict()[:6]:
        said = found.explain(fact).counterfactual
        assert said is not None
        assert said.reached
        removed, added = list(said.removed), list(said.added)
        after = found.truths(changed(found.kb, removed, added))
        assert after.get(fact, 0.0) == said.score < found.program.threshold
        assert said.higher == sum(truth > said.score for truth in after.values())
        for place in range(len(removed)):
            fewer = changed(found.kb, removed[:place] + removed[place + 1 :], added)
            assert found.truths(fewer)[fact] >= found.program.threshold


def test_where_a_new_fact_undoes_it_sooner_than_taking_away_that_is_named() -> None:
    kb = KnowledgeBase.of({"u": [("ann",), ("bob",)], "v": [("ann",)], "w": [("bob",)]})
    found = network("S(X) :- P(X), not Q(X). P in {u, v}. Q in {w}.", kb, P=[1.0, 1.0], Q=[1.0])
    grounding = ground(found.plan, kb)
    explained = explain_fact(found, grounding, kb, extract(found), ("ann",))
    assert [str(fact) for fact in explained.parts[0].witnesses[0].facts] == ["u(ann)", "not w(ann)"]
    said = explained.counterfactual
    assert said is not None
    assert (said.reached, said.removed, [str(fact) for fact in said.added]) == (True, (), ["w(ann)"])
    after = changed(kb, said.removed, said.added)
    assert found.truths(ground(found.plan, after, allow_empty=True)).max() == said.score < 0.5


def test_several_ways_are_all_counted_and_have_all_to_go() -> None:
    facts = {"parent": [("a", "b1"), ("a", "b2"), ("b1", "c"), ("b2", "c")]}
    facts |= {name: [("x", "y")] for name in learned("grandparent").kb.relations if name != "parent"}
    explained = explain(learned("grandparent"), ("a", "c"), KnowledgeBase.of(facts))
    (part,) = explained.parts
    assert part.count == 2
    assert explained.arithmetic is not None
    assert any(step.kind == "exists" and step.ways == step.tied == 2 for step in steps_of(explained.arithmetic))
    assert explained.counterfactual is not None
    assert explained.counterfactual.reached
    assert len(explained.counterfactual.removed) == 2


def test_a_fact_that_is_not_predicted_has_nothing_to_undo_and_rivals_above() -> None:
    found = learned("grandparent")
    truths = found.truths()
    low = next(fact for fact, truth in truths.items() if truth < 0.5)
    explained = found.explain(low)
    assert explained.counterfactual is None
    assert explained.rivals[0].higher
    assert explained.rivals[0].differences
    assert set(names(explained.rivals[0].fact)) & set(low)


def test_another_knowledge_base_can_be_asked() -> None:
    found = learned("grandparent")
    others = {name: [("a", "b"), ("b", "c")] for name in found.kb.relations}
    explained = explain(found, ("a", "c"), KnowledgeBase.of(others))
    assert explained.score == pytest.approx(1.0, abs=1e-3)
    assert [str(f) for f in explained.parts[0].facts] == ["parent(a, b)", "parent(b, c)"]


def test_what_cannot_arise_says_why() -> None:
    found = learned("grandparent")
    with pytest.raises(InputError, match="did you mean p1"):
        found.explain(("p0", "p1x"))
    with pytest.raises(InputError, match="2 arguments, not 1"):
        found.explain(("p0",))
    facts = {name: [("a", "b"), ("b", "c")] for name in found.kb.relations}
    with pytest.raises(InputError, match=r"grandparent\(c, a\) cannot arise .* (has no facts|fit together)"):
        explain(found, ("c", "a"), KnowledgeBase.of(facts))


def test_a_network_that_is_being_trained_stays_so() -> None:
    found = learned("grandparent")
    found.network.train()
    fact = next(iter(found.truths()))
    assert isinstance(found.explain(fact), Explanation)
    assert found.network.training
    found.network.eval()


def test_the_program_may_be_any_reading_of_the_network() -> None:
    found = learned("disjunction")
    program = extract(found.network, 0.9)
    fact = found.predict()[0]
    explained = explain_fact(found.network, found.grounding, found.kb, program, fact)
    assert explained.threshold == 0.9
    assert np.isfinite(explained.score)
