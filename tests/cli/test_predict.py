import json

import pytest


def test_it_lists_head_facts_most_certain_first(rulewright, run):
    lines = rulewright("predict", run).out.splitlines()
    truths = [float(line.split()[0]) for line in lines]
    assert truths == sorted(truths, reverse=True)
    assert sorted(line.split(maxsplit=1)[1] for line in lines[:4]) == [
        "grandparent(ann, cy)",
        "grandparent(ann, di)",
        "grandparent(ann, gus)",
        "grandparent(bob, eve)",
    ]
    assert truths[3] > 0.9 > 0.1 > truths[4]


def test_it_answers_about_given_first_arguments(rulewright, run):
    lines = rulewright("predict", run, "ann", "--top", 3).out.splitlines()
    assert len(lines) == 3
    assert all("grandparent(ann, " in line for line in lines)


def test_it_may_be_asked_as_a_knowledge_graph_is(rulewright, run):
    assert rulewright("predict", run, "ann", "grandparent").out == rulewright("predict", run, "ann").out


def test_for_programs_it_prints_a_list(rulewright, run):
    found = json.loads(rulewright("predict", run, "bob", "--json", "--top", 1).out)
    (answer,) = found
    assert answer["predicate"] == "grandparent"
    assert answer["arguments"] == ["bob", "eve"]
    assert answer["truth"] > 0.9


def test_where_nothing_can_arise_it_says_so(rulewright, run):
    done = rulewright("predict", run, "eve", "eve")
    assert done.code == 0
    assert done.out == "no fact of grandparent can arise for eve, eve\n"
    assert json.loads(rulewright("predict", run, "eve", "eve", "--json").out) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nobody"], "unknown constant nobody"),
        (["ann", "grandparnt"], "unknown constant grandparnt (did you mean grandparent?)"),
        (["ann", "cy", "di"], "grandparent(X, Z) has 2 arguments, not 3: ann, cy, di"),
        (["--known"], "--known goes with a knowledge graph"),
        (["--top", "0"], "greater than or equal to 1"),
    ],
)
def test_what_nobody_can_answer_is_a_mistake(rulewright, run, words, told):
    for arguments in (words, [*words, "--json"]):
        done = rulewright("predict", run, *arguments)
        assert (done.code, done.out) == (2, "")
        assert told in done.err


def test_a_broken_run_is_told(rulewright, run):
    (run / "weights.safetensors").write_bytes(b"")
    done = rulewright("predict", run)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: cannot read")
