"""An explanation's parts are the terms of the score, its facts are facts, and taking facts away does what it says."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.completion.toys import dataset_of, families, held_out, quick

from rulewright.completion.complete import complete
from rulewright.completion.explain import explain
from rulewright.completion.model import CompletionModel
from rulewright.completion.question import Question
from rulewright.errors import InputError
from rulewright.logic.terms import Atom
from rulewright.paths.graph import build_graph
from rulewright.rules.explanation import Explanation


@pytest.fixture
def model(nations: CompletionModel) -> CompletionModel:
    return nations


def asked(model: CompletionModel, count: int) -> list[tuple[str, str, str]]:
    """Random questions in both directions, known facts among them."""
    names, relations = model.entities.names, model.relations.names
    rng = np.random.default_rng(0)
    found = []
    for _ in range(count):
        head, tail = (names[int(n)] for n in rng.integers(len(names), size=2))
        relation = relations[int(rng.integers(len(relations)))] + ("^-1" if rng.random() < 0.5 else "")
        found.append((head, relation, tail))
    return found


def coded(model: CompletionModel, fact: Atom) -> tuple[int, int, int]:
    head, tail = (model.entity_id(term.name) for term in fact.terms)
    return head, model.relation_id(fact.predicate) >> 1, tail


def rescored(model: CompletionModel, question: tuple[str, str, str], gone: list[tuple[int, int, int]]) -> np.ndarray:
    """Every entity's score where some facts are not there, by a graph built anew."""
    kept = np.array([triple for triple in model.triples.tolist() if tuple(triple) not in gone])
    fewer = replace(model, triples=kept)
    assert len(fewer.graph) == len(build_graph(kept, len(model.entities), len(model.relations)))
    return fewer.scorer(model.relation_id(question[1])).scores(model.entity_id(question[0]))


def test_the_parts_add_up_to_the_score(model: CompletionModel) -> None:
    scored = 0
    for question in asked(model, 40):
        found = explain(model, *question)
        assert sum(part.share for part in found.parts) == pytest.approx(found.score, abs=1e-4)
        scored += found.score != 0
    assert scored > 5


def test_every_rule_is_a_part_of_its_own(model: CompletionModel) -> None:
    kinds = set()
    for question in asked(model, 40):
        parts = explain(model, *question).parts
        assert len({part.rule for part in parts}) == len(parts)
        assert [part.share for part in parts] == sorted((part.share for part in parts), reverse=True)
        kinds |= {part.kind for part in parts}
    assert "path" in kinds
    assert ("constant" in kinds) == any(mixture.columns[1:3].max() > 0 for mixture in model.mixtures.values())


def test_every_fact_shown_is_a_fact_and_the_ways_are_counted(model: CompletionModel) -> None:
    known = {tuple(triple) for triple in model.triples.tolist()}
    shown = 0
    for question in asked(model, 30):
        for part in explain(model, *question, witnesses=4).parts:
            assert len(part.witnesses) == min(part.count, 4)
            assert len(set(part.witnesses)) == len(part.witnesses)
            for witness in part.witnesses:
                assert {coded(model, fact.atom) for fact in witness.facts} <= known
                atoms = [fact.atom for fact in witness.facts]
                assert all(set(a.terms) & set(b.terms) for a, b in pairwise(atoms))
                shown += 1
    assert shown > 0


def test_ways_of_the_first_rules_alone_leave_everything_else_as_it_is(model: CompletionModel) -> None:
    shorter = 0
    for question in asked(model, 20):
        whole, brief = explain(model, *question).parts, explain(model, *question, detailed=3).parts
        assert brief[:3] == whole[:3]
        assert [replace(part, witnesses=()) for part in brief] == [replace(part, witnesses=()) for part in whole]
        shorter += brief != whole
    assert shorter > 0


def test_a_known_fact_is_set_aside(model: CompletionModel) -> None:
    names, relations = model.entities.names, model.relations.names
    for head, relation, tail in model.triples[::211].tolist():
        question = (names[head], relations[relation], names[tail])
        found = explain(model, *question)
        assert found.known
        assert found.score == rescored(model, question, [(head, relation, tail)])[tail]
        assert all(found.fact not in (f.atom for f in w.facts) for part in found.parts for w in part.witnesses)
        backwards = explain(model, question[2], question[1] + "^-1", question[0])
        assert (backwards.known, backwards.fact) == (True, found.fact)


def test_the_place_is_that_among_answers_not_yet_known(model: CompletionModel) -> None:
    for head, relation, tail in asked(model, 20):
        found = explain(model, head, relation, tail, rivals=50)
        gone = [coded(model, found.fact)] if found.known else []
        scores = rescored(model, (head, relation, tail), gone)
        known = set(model.graph.tails_of(model.entity_id(head), model.relation_id(relation)).tolist())
        own = scores[model.entity_id(tail)]
        free = [score for place, score in enumerate(scores) if place not in known - {model.entity_id(tail)}]
        assert (found.higher, found.equal) == (sum(s > own for s in free), sum(s == own for s in free))
        assert sum(rival.higher for rival in found.rivals) == found.higher
        assert [r.score for r in found.rivals] == sorted((r.score for r in found.rivals), reverse=True)


def test_the_differences_to_a_rival_add_up(model: CompletionModel) -> None:
    met = 0
    for question in asked(model, 20):
        found = explain(model, *question, rivals=1)
        assert len(found.rivals) <= 2
        for rival in found.rivals:
            apart = sum(entry.there - entry.here for entry in rival.differences) + rival.rest
            assert apart == pytest.approx(rival.difference, abs=1e-4)
            met += 1
    assert met > 0


def falls(model: CompletionModel, question: tuple[str, str, str], found: Explanation, facts: set[Atom]) -> bool:
    """Whether the counterfactual's promise holds for some facts, scored anew."""
    aside = [coded(model, found.fact)] if found.known else []
    head, relation, tail = (model.entity_id(question[0]), model.relation_id(question[1]), model.entity_id(question[2]))
    scores = rescored(model, question, [*aside, *(coded(model, fact) for fact in facts)])
    known = set(model.graph.tails_of(head, relation).tolist()) - {tail}
    above = sum(score > scores[tail] for place, score in enumerate(scores) if place not in known)
    return bool(above > found.higher or scores[tail] <= 0)


def test_removing_the_named_facts_does_what_was_said_and_each_is_needed(model: CompletionModel) -> None:
    reached = 0
    for question in asked(model, 12):
        found = explain(model, *question, counterfactual=True)
        said = found.counterfactual
        assert (said is None) == (found.score <= 0)
        if said is None:
            continue
        aside = [coded(model, found.fact)] if found.known else []
        gone = [*aside, *(coded(model, fact) for fact in said.removed)]
        assert said.score == rescored(model, question, gone)[model.entity_id(question[2])]
        assert falls(model, question, found, set(said.removed)) == said.reached
        assert not said.added
        if said.reached:
            assert not any(falls(model, question, found, set(said.removed) - {fact}) for fact in said.removed)
            reached += 1
    assert reached > 0


def test_the_one_fact_that_matters_is_named() -> None:
    train, test = held_out(families(), "grandparent", 9)
    model = complete(dataset_of(train, test=test), quick())
    head, relation, tail = test[0]
    found = explain(model, head, relation, tail, counterfactual=True)
    assert found.counterfactual is not None
    assert found.counterfactual.reached
    assert {str(fact) for fact in found.counterfactual.removed} <= {
        str(fact.atom) for part in found.parts for witness in part.witnesses for fact in witness.facts
    }
    assert len(found.counterfactual.removed) == 1


def test_an_answer_without_a_reason_has_no_parts_and_nothing_to_take_away() -> None:
    model = complete(dataset_of([*families(4), ("lone", "other", "wolf")]), quick())
    found = explain(model, "lone", "grandparent", "wolf", counterfactual=True)
    assert (found.score, found.parts, found.counterfactual) == (0, (), None)


def test_who_is_a_candidate_does_not_change_with_the_facts() -> None:
    model = complete(dataset_of(families(4)), quick())
    question = Question.of(model, 0, model.entity_id("g0"), model.entity_id("c000"))
    fewer = question.without([(model.entity_id("g0"), 0, model.entity_id("p00"))])
    assert (fewer.candidates == question.candidates).all()
    assert len(fewer.graph) == len(question.graph) - 2  # in both directions


def test_an_unknown_name_is_answered_with_the_nearest(model: CompletionModel) -> None:
    with pytest.raises(InputError, match="did you mean"):
        explain(model, model.entities.names[0] + "x", model.relations.names[0], model.entities.names[1])
