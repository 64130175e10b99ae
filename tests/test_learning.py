from dataclasses import replace

import pytest
import torch
from IPython.lib.pretty import pretty
from tests.learning_problems import PROBLEMS, Problem, noisy
from tests.logic.well_formed import EVIL, card

from rulewright.errors import (
    EmptyGroundingError,
    GroundingTooLargeError,
    InfeasibleOperatorError,
    KnowledgeBaseError,
    LabelError,
    OptionError,
    TemplateBindingError,
    TemplateSyntaxError,
    TrainingDivergedError,
)
from rulewright.grounding.ground import GroundingLimits
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.learning import Learned, learn
from rulewright.logic.harmless import harmless
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Variable
from rulewright.template.parser import parse_template
from rulewright.training.fit import FitOptions

X, Y, Z = map(Variable, "XYZ")
GRANDPARENT = PROBLEMS["grandparent"]
QUICK = FitOptions(epochs=2, restarts=1)


def learned_from(problem: Problem, options: FitOptions | None = None, **more) -> Learned:
    return learn(problem.kb, problem.template, problem.labels, options, **more)


def texts(learned: Learned) -> list[str]:
    return sorted(str(found.rule) for found in learned.program.rules)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_rule_behind_the_facts_is_found(name, seed):
    problem = PROBLEMS[name]
    learned = learned_from(problem, FitOptions(seed=seed))
    assert texts(learned) == sorted(problem.rules)
    assert learned.program.complete
    assert learned.program.fidelity.share == 1
    assert all(found.confidence == 1 for found in learned.program.rules)
    assert sorted(learned.predict()) == sorted(problem.labels)


@pytest.mark.parametrize("objective", ["margin", "softmax"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_ranking_losses_find_it_too(name, objective):
    problem = PROBLEMS[name]
    assert texts(learned_from(problem, FitOptions(objective=objective))) == sorted(problem.rules)


@pytest.mark.parametrize("seed", range(3))
def test_the_rule_is_found_among_wrong_labels(seed):
    problem = noisy()
    assert texts(learned_from(problem, FitOptions(seed=seed))) == list(problem.rules)


def test_labels_may_lie_among_the_facts_and_are_kept_from_the_bodies():
    kb = GRANDPARENT.kb.with_relation(
        "grandparent",
        KnowledgeBase.of({"grandparent": GRANDPARENT.labels}, constants=GRANDPARENT.kb.constants)["grandparent"],
    )
    assert texts(learn(kb, GRANDPARENT.template)) == list(GRANDPARENT.rules)
    assert texts(learn(kb, GRANDPARENT.template, "grandparent")) == list(GRANDPARENT.rules)


def test_one_seed_gives_one_result():
    first, second = (learned_from(GRANDPARENT, FitOptions(seed=5)) for _ in range(2))
    assert first.program == second.program
    assert first.truths() == second.truths()


def test_the_number_of_threads_does_not_change_the_rules():
    threads = torch.get_num_threads()
    programs = []
    try:
        for number in (1, 2):
            torch.set_num_threads(number)
            programs.append(learned_from(PROBLEMS["comparison"]).program)
    finally:
        torch.set_num_threads(threads)
    assert [str(program) for program in programs[:1]] == [str(program) for program in programs[1:]]


def test_learning_from_given_rules_starts_from_them():
    wrong = Rule(Atom("g", (X, Z)), (Literal(Atom("likes", (X, Y))), Literal(Atom("knows", (Y, Z)))))
    right = replace(wrong, body=(Literal(Atom("parent", (X, Y))), Literal(Atom("parent", (Y, Z)))))
    started = learned_from(GRANDPARENT, QUICK, rules=[right])
    assert texts(started) == list(GRANDPARENT.rules)
    assert started.history.epochs[0].fitting < 0.2
    assert texts(learned_from(GRANDPARENT, rules=[wrong])) == list(GRANDPARENT.rules)


def test_rules_can_be_held_fixed_and_the_rest_learned():
    wrong = Rule(Atom("g", (X, Z)), (Literal(Atom("likes", (X, Y))), Literal(Atom("knows", (Y, Z)))))
    learned = learned_from(GRANDPARENT, QUICK, rules=[wrong], fixed=["P"])
    mixtures = learned.network.mixtures()
    members = [member.predicate for member in learned.network.plan.steps[0].leaf.members]
    assert mixtures["P"].weights.tolist() == pytest.approx([1.0 if name == "likes" else 0.02 for name in members])
    assert mixtures["Q"].weights.tolist() != pytest.approx([1.0 if name == "knows" else 0.02 for name in members])


def test_constraints_hold_after_training():
    learned = learned_from(PROBLEMS["disjunction"], FitOptions(step=0.5, epochs=40))
    for operator in learned.network.operators.values():
        assert operator.parameter.contains(operator.parameter(), tolerance=1e-6)


def test_what_was_learned_holds_for_other_facts():
    learned = learned_from(GRANDPARENT)
    others = KnowledgeBase.of(
        {"parent": [("u", "v"), ("v", "w")], "likes": [("w", "u")], "knows": [("v", "u")], "employs": [("u", "u")]}
    )
    assert learned.predict(others) == [("u", "w")]
    assert learned.truths(others)["u", "w"] > 0.9
    assert learned.truths(others)["v", "u"] == 0
    assert ("v", "w") not in learned.truths(others)


def test_predictions_are_those_from_the_threshold_on_most_certain_first():
    learned = learned_from(GRANDPARENT)
    truths = learned.truths()
    predicted = learned.predict()
    assert set(predicted) == {fact for fact, truth in truths.items() if truth >= 0.5}
    assert [truths[fact] for fact in predicted] == sorted((truths[fact] for fact in predicted), reverse=True)


def test_the_text_is_that_of_the_program():
    learned = learned_from(GRANDPARENT)
    assert str(learned) == f"1.000  {GRANDPARENT.rules[0]}"


def test_templates_may_come_parsed():
    assert (
        learn(GRANDPARENT.kb, parse_template(GRANDPARENT.template), GRANDPARENT.labels, QUICK).program.rules is not None
    )


def test_the_strongest_losses_may_count_by_kind_where_asked():
    # One predicate explains every positive but is mostly wrong: by number it costs too much, by kind it pays.
    rows = [(f"c{number}",) for number in range(40)]
    kb = KnowledgeBase.of({"wide": rows[:20], "other": rows[20:]})
    labels = rows[:4]
    template = "t(X) :- P(X). P in {wide, other}."
    assert texts(learn(kb, template, labels)) == []
    assert texts(learn(kb, template, labels, FitOptions(balanced=True))) == ["t(X) :- wide(X)."]


def problem_with(kb=GRANDPARENT.kb, template=GRANDPARENT.template, labels=GRANDPARENT.labels, options=QUICK, **more):
    return lambda: learn(kb, template, labels, options, **more)


@pytest.mark.parametrize(
    ("attempt", "error", "message"),
    [
        (lambda: KnowledgeBase.of({}), KnowledgeBaseError, "no facts"),
        (lambda: KnowledgeBase.of({"p": [("a",), ("a", "b")]}), KnowledgeBaseError, "1 and 2 arguments"),
        (lambda: KnowledgeBase.of({"p": [("a",)]}, {"p": [float("nan")]}), KnowledgeBaseError, r"nan.*not in \[0, 1\]"),
        (problem_with(template="t(X :- p(X)."), TemplateSyntaxError, "line 1"),
        (problem_with(template=""), TemplateSyntaxError, "the template is empty"),
        (problem_with(template="t(X) :- P(X, Y). P in {parentt}."), TemplateBindingError, "did you mean parent"),
        (problem_with(template="t(X) :- parent(X)."), TemplateBindingError, "parent has 2 in the knowledge base"),
        (problem_with(template="t(X, Z) :- parent(X, Y)."), TemplateBindingError, "head variable Z .* is bound by no"),
        (
            problem_with(template="t(X) :- r(X). r(X) :- t(X).", labels=None),
            TemplateBindingError,
            "depends on itself",
        ),
        (problem_with(alpha=0.6), InfeasibleOperatorError, r"2 inputs exists at alpha = 0\.6.*Raise alpha"),
        (problem_with(alpha=0.4), OptionError, "alpha"),
        (problem_with(limits=GroundingLimits(rows=50)), GroundingTooLargeError, "raise the limit"),
        (
            problem_with(template="t(X, Z) :- parent(X, Y), likes(Y, Z), X = Y."),
            EmptyGroundingError,
            r"no fact can arise at t\(X, Z\)",
        ),
        (problem_with(labels=[("p0", "nobody")]), LabelError, "cannot arise.*impossible='ignore'"),
        (problem_with(labels=[]), LabelError, "there are no labels"),
        (problem_with(labels=None), LabelError, "no predicate grandparent"),
        (problem_with(unlisted="unknown"), LabelError, "no negative fact"),
        (problem_with(unlisted="maybe"), OptionError, "unlisted must be one of false, unknown, auto"),
        (problem_with(impossible="maybe"), OptionError, "impossible must be one of error, ignore"),
        (problem_with(clamp="soft"), OptionError, "clamp"),
        (problem_with(threshold=0), OptionError, r"threshold must lie in \(0, 1\]"),
        (problem_with(threshold=float("nan")), OptionError, "threshold"),
        (problem_with(fixed=["R"]), OptionError, "cannot fix R"),
        (problem_with(root="g"), TemplateBindingError, "the root g is no clause head"),
        (problem_with(rules=[Rule(Atom("g", (X,)), (Literal(Atom("p", (X,))),))]), OptionError, "does not fit"),
        (problem_with(options=FitOptions(step=1e38)), TrainingDivergedError, "lower the step size"),
    ],
)
def test_what_cannot_work_is_told(attempt, error, message):
    with pytest.raises(error, match=message):
        attempt()


def test_an_alpha_without_operators_is_told_before_any_grounding():
    with pytest.raises(InfeasibleOperatorError):
        problem_with(alpha=0.6, limits=GroundingLimits(rows=1))()


def test_all_mistakes_in_a_template_are_told_together():
    with pytest.raises(TemplateBindingError) as caught:
        problem_with(template="t(X, Z) :- P(X, Y), q(Y). P in {parentt}.")()
    assert len(caught.value.problems) == 3


def test_a_device_that_is_not_there_is_told_before_anything_is_grounded() -> None:
    nothing = GroundingLimits(rows=0)
    with pytest.raises(OptionError, match="device 'warp' cannot be used"):
        learned_from(GRANDPARENT, QUICK, device="warp", limits=nothing)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_gpu_learns_the_same_rules_each_time_and_hands_them_over_on_the_cpu(name: str) -> None:
    here = learned_from(PROBLEMS[name])
    there, again = (learned_from(PROBLEMS[name], device="cuda") for _ in range(2))
    assert texts(there) == texts(here)
    assert there.network.device.type == "cpu"
    for one, other in zip(there.network.parameters(), again.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_a_notebook_shows_rules_and_training_with_hostile_names_as_they_are():
    kb = KnowledgeBase.of({EVIL: [("ann", "bob"), ("bob", "cy")], "likes": [("ann", "cy")]})
    learned = learn(kb, "child(Y, X) :- P(X, Y). P in *.", [("bob", "ann"), ("cy", "bob")])
    shown = card(learned)
    assert "<script>alert(1)</script>" in shown.text
    assert str(learned.history) in shown.text
    assert "polyline" in shown.tags
    assert pretty(learned) == harmless(str(learned))
    assert "<script>alert(1)</script>" in card(learned.explain(("bob", "ann"))).text
