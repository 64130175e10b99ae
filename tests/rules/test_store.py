import json
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import RunFolderError
from rulewright.logic.program import Edge, Fidelity, LearnedRule, Node, Program
from rulewright.logic.rule import Comparison, Literal, Rule
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.rules.store import FORMAT, program_from_json, program_to_json

NAMES = st.text(max_size=6)
TERMS = st.builds(Variable, NAMES) | st.builds(Constant, NAMES)
ATOMS = st.builds(Atom, NAMES, st.tuples(TERMS) | st.tuples(TERMS, TERMS))
PARTS = st.builds(Literal, ATOMS, st.booleans()) | st.builds(
    Comparison, TERMS, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), TERMS
)
RULES = st.builds(Rule, ATOMS, st.lists(PARTS, max_size=3).map(tuple))
NUMBERS = st.floats(-10, 10)
LEARNED = st.builds(LearnedRule, RULES, NUMBERS, st.none() | st.integers(0, 9), st.none() | st.floats(0, 1))
LEAVES = st.builds(Node, st.just("predicate"), NAMES, st.none(), st.just(()), st.just("lnn"), st.booleans())
NODES = st.recursive(
    LEAVES,
    lambda below: st.builds(
        Node,
        st.sampled_from(["pred", "attention", "and", "or", "not", "exists"]),
        NAMES,
        st.none() | NUMBERS,
        st.lists(st.builds(Edge, st.none() | NUMBERS, below), max_size=3).map(tuple),
        st.sampled_from(["lnn", "product"]),
    ),
    max_leaves=6,
)
PROGRAMS = st.builds(
    Program,
    ATOMS,
    st.lists(LEARNED, max_size=3).map(tuple),
    NODES,
    st.floats(0, 1),
    st.lists(RULES, max_size=2).map(tuple),
    st.booleans(),
    st.none() | st.builds(Fidelity, st.integers(0, 9), st.integers(0, 9)),
)

SMALL = Program(
    Atom("t", (Variable("X"),)),
    (LearnedRule(Rule(Atom("t", (Variable("X"),)), (Literal(Atom("p", (Variable("X"),))),)), 1.0),),
    Node("pred", "P(X)", 1.0, (Edge(1.0, Node("predicate", "p(X)")),)),
)


@given(PROGRAMS)
def test_a_program_comes_back_without_loss(program):
    assert program_from_json(json.loads(json.dumps(program_to_json(program)))) == program


def test_the_json_shows_each_rule_as_text():
    assert [entry["text"] for entry in program_to_json(SMALL)["rules"]] == ["t(X) :- p(X)."]


@pytest.mark.parametrize("document", [None, [], 7, "text", {}, {"format": FORMAT}, {"format": "x"}, {"format": None}])
def test_what_is_no_program_is_refused(document):
    with pytest.raises(RunFolderError, match="not a program that Rulewright wrote"):
        program_from_json(document)


def test_a_later_format_is_told_apart():
    with pytest.raises(RunFolderError, match=r"format 99.*upgrade"):
        program_from_json({**program_to_json(SMALL), "format": 99})


def paths(document, at=()):
    """Every place in a document."""
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield (*at, key)
            yield from paths(document[key], (*at, key))


def changed(document, path, value):
    copy = json.loads(json.dumps(document))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if value is KeyError:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return copy


@pytest.mark.parametrize("value", [None, {}, [], "x", -1, float("inf"), [None], KeyError], ids=repr)
def test_whatever_is_broken_ends_in_a_program_or_a_clear_error(value):
    document = program_to_json(replace(SMALL, fidelity=Fidelity(3, 2), auxiliaries=(SMALL.rules[0].rule,)))
    for path in paths(document):
        with suppress(RunFolderError):
            assert isinstance(program_from_json(changed(document, path, value)), Program)


def test_huge_nesting_is_refused():
    document = program_to_json(SMALL)
    for _ in range(5_000):
        document["tree"] = {**document["tree"], "inputs": [{"weight": 1.0, "node": document["tree"]}]}
    with pytest.raises(RunFolderError, match="nodes deep"):
        program_from_json(document)


def test_an_unknown_kind_of_node_is_refused():
    document = program_to_json(SMALL)
    document["tree"]["kind"] = "xor"
    with pytest.raises(RunFolderError):
        program_from_json(document)
