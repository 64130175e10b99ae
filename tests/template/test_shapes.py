import pytest

from rulewright.errors import OptionError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.template.binding import bind
from rulewright.template.bound import BoundLeaf
from rulewright.template.parser import parse_template
from rulewright.template.shapes import chain, chain_up_to, pair
from rulewright.template.syntax import Pattern, Template

KB = KnowledgeBase.of({"a": [(1, 2)], "b": [(2, 3)], "target": [(1, 3)], "red": [(1,)], "round": [(1,)]})


def members(template: Template, kb: KnowledgeBase = KB) -> dict[str, list[str]]:
    nodes = bind(template, kb).nodes
    return {node.name: list(map(str, node.members)) for node in nodes if isinstance(node, BoundLeaf)}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (chain(1), "target(X0, X1) :- P1(X0, X1). P1 in {*, *^-1}."),
        (
            chain(3, "T", ["a", "b*"], inverses=False),
            """T(X0, X3) :- P1(X0, X1), P2(X1, X2), P3(X2, X3).
            P1 in {a, b*}. P2 in {a, b*}. P3 in {a, b*}.""",
        ),
        (
            chain(2, domain=["a", "b^-1"], excluded=["target"]),
            """target(X0, X2) :- P1(X0, X1), P2(X1, X2).
            P1 in {a, a^-1, b^-1} except {target, target^-1}.
            P2 in {a, a^-1, b^-1} except {target, target^-1}.""",
        ),
        (chain_up_to(1, "T"), "T(X0, X1) :- P1_1(X0, X1). P1_1 in {*, *^-1}."),
        (
            chain_up_to(3, inverses=False),
            """target(X0, X3) :- P1_1(X0, X3) ; P2_1(X0, X1), P2_2(X1, X3) ; P3_1(X0, X1), P3_2(X1, X2), P3_3(X2, X3).
            P1_1 in *. P2_1 in *. P2_2 in *. P3_1 in *. P3_2 in *. P3_3 in *.""",
        ),
        (pair(), "target(X, Y) :- P(X, Y), Q(X, Y). P in *. Q in *."),
        (pair("S", ["a"], ["b*"], inverses=True), "S(X, Y) :- P(X, Y), Q(X, Y). P in {a, a^-1}. Q in {b*, b*^-1}."),
        (pair("S", ["red"], variables=["Cell"]), "S(Cell) :- P(Cell), Q(Cell). P in {red}. Q in *."),
    ],
)
def test_a_shape_is_the_template_one_would_write(template: Template, text: str) -> None:
    assert template == parse_template(text)
    assert parse_template(str(template)) == template


def test_every_shape_binds() -> None:
    both_ways = ["a", "b", "target", "a^-1", "b^-1", "target^-1"]
    assert members(chain(2)) == {"P1": both_ways, "P2": both_ways}
    assert members(chain_up_to(2)) == {"P1_1": both_ways, "P2_1": both_ways, "P2_2": both_ways}
    assert members(pair(variables=["X"])) == {"P": ["red", "round"], "Q": ["red", "round"]}


def test_inverses_that_are_relations_already_are_not_taken_twice() -> None:
    assert members(chain(1, domain=["a"]), KB.with_inverses()) == {"P1": ["a", "a^-1"]}
    assert len(members(chain(1), KB.with_inverses())["P1"]) == 6


def test_excluded_predicates_leave_with_their_inverses_whether_they_have_facts_or_not() -> None:
    expected = {"P1": ["a", "b", "a^-1", "b^-1"]}
    assert members(chain(1, excluded=["target"])) == expected
    assert members(chain(1, excluded=["target"]), KB.without("target")) == expected


def test_domains_take_patterns_and_a_single_name() -> None:
    assert members(chain(1, domain=[Pattern("a", negated=True)], inverses=False)) == {"P1": ["not a"]}
    assert chain(1, domain="abc") == chain(1, domain=["abc"])


@pytest.mark.parametrize("n", [0, -1])
def test_a_chain_has_at_least_one_step(n: int) -> None:
    for shape in (chain, chain_up_to):
        with pytest.raises(OptionError, match=f"at least one step, and {n} was asked for"):
            shape(n)


def test_the_head_cannot_have_the_name_of_a_choice() -> None:
    with pytest.raises(OptionError, match="the head cannot be called P2"):
        chain(2, "P2")


def test_a_domain_names_something() -> None:
    with pytest.raises(OptionError, match="nothing to choose from for P1"):
        chain(1, domain=[])


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ((), "distinct variables"),
        (("X", "X"), "distinct variables"),
        (("x",), "'x' is no variable"),
        (("X", "_"), "'_' is no variable"),
        (("X Y",), "'X Y' is no variable"),
    ],
)
def test_a_pair_needs_distinct_variables(variables: tuple[str, ...], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        pair(variables=variables)


def test_only_pairs_over_two_variables_have_inverses() -> None:
    with pytest.raises(OptionError, match="only binary predicates have inverses"):
        pair(variables=["X"], inverses=True)
