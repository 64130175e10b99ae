"""Programs as Prolog and Datalog: other engines derive from them exactly what the text accepts."""

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.rules.exchange.engines import clingo_facts, needs_prolog, prolog, prolog_facts
from tests.rules.networks import planned, random_facts, scramble
from tests.rules.test_extract import TEMPLATES

from rulewright.cli.problem import read_problem
from rulewright.errors import InputError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.vocabulary import Vocabulary
from rulewright.learning import learn
from rulewright.lnn.network import RuleNetwork
from rulewright.logic.node import Node
from rulewright.logic.program import LearnedRule, Program
from rulewright.rules.derive import derive
from rulewright.rules.exchange.datalog import to_datalog
from rulewright.rules.exchange.prolog import to_prolog
from rulewright.rules.exchange.prolog_text import FIXED
from rulewright.rules.exchange.rule_text import parse_rules
from rulewright.rules.extract import extract

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
NAMES = [
    "ann",
    "Bob",
    "it's",
    "a\\b",
    "tab and\nline",
    "é ü",
    "\u202e",
    "X",
    "_x",
    "",
    "2",
    "2.0",
    "-3",
    "+2",
    "1e1",
    ".5",
]


def program_of(text: str) -> Program:
    rules = [rated.rule for rated in parse_rules(text)]
    return Program(rules[0].head, tuple(LearnedRule(rule, 1.0) for rule in rules), Node("pred", "P"))


def accepted(program: Program, kb: KnowledgeBase) -> set[tuple[str, ...]]:
    return set(kb.decode(derive(program, kb)))


def as_prolog(program: Program, kb: KnowledgeBase) -> str:
    return "".join(to_prolog(program, kb, with_facts=True))


def as_datalog(program: Program, kb: KnowledgeBase) -> str:
    return "".join(to_datalog(program, kb, with_facts=True))


@needs_prolog
@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in EXAMPLES.glob("*/template.rules")), ids=lambda f: f.name
)
def test_an_example_derives_what_its_network_accepts(folder, tmp_path):
    problem = read_problem(folder, None, None)
    learned = learn(problem.kb, problem.template, problem.labels)
    head, expected = learned.program.head, set(learned.predict())
    assert expected
    text = as_prolog(learned.program, learned.kb)
    assert prolog_facts(text, head.predicate, len(head.terms), tmp_path) == expected
    assert clingo_facts(as_datalog(learned.program, learned.kb)) == expected


def scrambled(place: int) -> tuple[Program, KnowledgeBase]:
    kb = random_facts(place)
    network = RuleNetwork(planned(TEMPLATES[place], kb))
    scramble(network, place, soft=bool(place % 2))
    return extract(network, most=1000), kb


@needs_prolog
@pytest.mark.parametrize("place", range(len(TEMPLATES)))
def test_prolog_derives_what_the_text_of_any_template_accepts(place, tmp_path):
    program, kb = scrambled(place)
    assert prolog_facts(as_prolog(program, kb), "S", len(program.head.terms), tmp_path) == accepted(program, kb)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, len(TEMPLATES) - 1), st.integers(0, 10**6), st.booleans())
def test_clingo_derives_what_the_text_of_any_template_accepts(place, seed, soft):
    kb = random_facts(seed)
    network = RuleNetwork(planned(TEMPLATES[place], kb))
    scramble(network, seed, soft)
    program = extract(network, most=1000)
    assert clingo_facts(as_datalog(program, kb)) == accepted(program, kb)


HOSTILE = KnowledgeBase.of(
    {
        "has 'friend'": list(itertools.pairwise(NAMES)),
        "has_friend": [(name, name) for name in NAMES],
        "film/country": [(name,) for name in NAMES],
        "<": [("ann", "X")],
        "write": [("Bob", "ann")],
        "not": [("ann",)],
        "Großes\n": [("ann",)],
    }
)
HOSTILE_RULES = r"""
t(X, Y) :- 'has \'friend\''(X, Y), 'film/country'(Y), has_friend(X, X).
t(X, Y) :- '<'(X, Y).
t(X, Y) :- write(X, Y), 'not'(Y), 'Großes\n'(Y).
t(X, Y) :- 'has \'friend\''^-1(X, Y), X != 'it\'s'.
"""


@needs_prolog
def test_hostile_names_come_through_prolog(tmp_path):
    program = program_of(HOSTILE_RULES)
    shown = prolog(
        as_prolog(program, HOSTILE), "forall(t(X, Y), (atom_codes(X, A), atom_codes(Y, B), writeq(A-B), nl))", tmp_path
    )
    codes = {f"{list(map(ord, a))}-{list(map(ord, b))}".replace(" ", "") for a, b in accepted(program, HOSTILE)}
    assert set(shown) == codes


def test_hostile_names_come_through_clingo():
    program = program_of(HOSTILE_RULES)
    assert clingo_facts(as_datalog(program, HOSTILE)) == accepted(program, HOSTILE)


ORDERED = [
    "2",
    "10",
    "2.0",
    "-1",
    "+3",
    ".5",
    "1.",
    "1e1",
    "1e999",
    "-0.0",
    "007",
    "ann",
    "Bob",
    "Ö",
    "z",
    "",
    "1_0",
    "0x1A",
]


@needs_prolog
def test_prolog_and_clingo_compare_constants_as_grounding_does(tmp_path):
    kb = KnowledgeBase.of({"p": [(name,) for name in ORDERED]})
    for operator in ("<", "<=", ">", ">=", "=", "!="):
        program = program_of(f"t(X, Y) :- p(X), p(Y), X {operator} Y.")
        expected = accepted(program, kb)
        assert prolog_facts(as_prolog(program, kb), "t", 2, tmp_path) == expected
        assert clingo_facts(as_datalog(program, kb)) == expected


@needs_prolog
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text("0123456789+-.eEaZé_ ", max_size=6), min_size=12, max_size=12, unique=True))
def test_prolog_orders_any_spelling_as_the_vocabulary_does(tmp_path, names):
    kb = KnowledgeBase.of({"p": [(name,) for name in names]})
    order = Vocabulary(names).order()
    expected = {(a, b) for i, a in enumerate(names) for j, b in enumerate(names) if order[i] < order[j]}
    text = as_prolog(program_of("t(X, Y) :- p(X), p(Y), X < Y."), kb)
    assert prolog_facts(text, "t", 2, tmp_path) == expected


@needs_prolog
def test_what_prolog_keeps_for_itself_gets_another_name(tmp_path):
    words = [*sorted(FIXED), "print", "member", "append", "plus", "succ", "time", "select", "last", "sumlist", ";", "!"]
    kb = KnowledgeBase.of({word: [("a", "b")] for word in words})
    rules = "\n".join(f"t('{word}', X, Y) :- '{word}'(X, Y)." for word in words)
    program = program_of(rules)
    text = as_prolog(program, kb)
    assert prolog_facts(text, "t", 3, tmp_path) == {(word, "a", "b") for word in words}


def test_a_head_with_the_name_of_facts_derives_under_another():
    kb = KnowledgeBase.of({"p": [("a", "b"), ("b", "c"), ("c", "d")]})
    text = "".join(to_prolog(program_of("p(X, Z) :- p(X, Y), p(Y, Z)."), kb))
    assert "'p derived'(X, Z) :- p(X, Y), p(Y, Z)." in text
    assert clingo_facts(as_datalog(program_of("p(X, Z) :- p(X, Y), p(Y, Z)."), kb)) == {("a", "c"), ("b", "d")}


def test_facts_count_from_one_half_on():
    kb = KnowledgeBase.of({"p": [("a",), ("b",)]}, truth={"p": [0.4, 0.6]})
    assert clingo_facts(as_datalog(program_of("t(X) :- p(X)."), kb)) == {("b",)}
    assert "% p(a). % truth 0.4\np(b). % truth 0.6" in as_prolog(program_of("t(X) :- p(X)."), kb)


def test_datalog_without_facts_cannot_rank_constants_and_says_so():
    with pytest.raises(InputError, match="table of their ranks"):
        list(to_datalog(program_of("t(X) :- p(X, Y), Y < 3.")))
