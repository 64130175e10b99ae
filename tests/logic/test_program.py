from rulewright.logic.node import Edge, Node
from rulewright.logic.program import Fidelity, LearnedRule, Program
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Variable

X = Variable("X")
HEAD = Atom("t", (X,))


def rule(predicate: str) -> Rule:
    return Rule(HEAD, (Literal(Atom(predicate, (X,))),))


def test_a_program_prints_its_rules_with_their_truth_then_its_auxiliaries():
    aside = Rule(Atom("Q holds", (X,)), (Literal(Atom("q", (X,))),))
    rules = (LearnedRule(rule("p"), 0.95), LearnedRule(rule("r"), 0.5))
    program = Program(HEAD, rules, Node("pred", "P(X)"), auxiliaries=(aside,))
    assert str(program).splitlines() == [
        "0.950  t(X) :- p(X).",
        "0.500  t(X) :- r(X).",
        "       'Q holds'(X) :- q(X).",
    ]


def test_a_program_without_rules_says_so():
    assert str(Program(HEAD, (), Node("pred", "P(X)"), threshold=0.7)) == "(no rule for t(X) passes 0.7)"


def test_fidelity_is_the_share_of_agreeing_facts_and_whole_where_there_are_none():
    assert Fidelity(4, 3).share == 0.75
    assert Fidelity(0, 0).share == 1


def test_a_tree_is_a_value():
    leaf = Node("predicate", "p(X)")
    assert Node("pred", "P(X)", 1.0, (Edge(0.5, leaf),)) == Node("pred", "P(X)", 1.0, (Edge(0.5, leaf),))
