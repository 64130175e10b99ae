import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import Problem, TemplateBindingError, TemplateSyntaxError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.template.binding import bind
from rulewright.template.bound import BoundLeaf, BoundRule, BoundTemplate, Member, OperatorChoice
from rulewright.template.parser import parse_template
from rulewright.template.syntax import Clause, Not, Pattern, Template, Use, predicates_of

KB = KnowledgeBase.of(
    {
        "A": [(1, 2), (1, 5)],
        "B": [(1, 2)],
        "C": [(2, 5)],
        "HasObstacleN": [(1,), (2,)],
        "HasObstacleS": [(5,)],
        "HasTarget": [("ann",)],
        "between": [(1, 2, 5)],
        "/film/film": [(1, 2)],
        "odd*name": [(1,)],
    }
)
UNARY = ("HasObstacleN", "HasObstacleS", "HasTarget", "odd*name")
BINARY = ("A", "B", "C", "/film/film")


def bound(text: str, kb: KnowledgeBase = KB, root: str | None = None) -> BoundTemplate:
    return bind(parse_template(text), kb, root)


def problems(text: str, kb: KnowledgeBase = KB, root: str | None = None) -> tuple[Problem, ...]:
    with pytest.raises(TemplateBindingError) as caught:
        bound(text, kb, root)
    return caught.value.problems


def problem(text: str, kb: KnowledgeBase = KB, root: str | None = None) -> Problem:
    (only,) = problems(text, kb, root)
    return only


def leaf(text: str, name: str = "P", kb: KnowledgeBase = KB) -> BoundLeaf:
    found = next(node for node in bound(text, kb).nodes if node.name == name)
    assert isinstance(found, BoundLeaf)
    return found


def rule(text: str, name: str = "S") -> BoundRule:
    found = next(node for node in bound(text).nodes if node.name == name)
    assert isinstance(found, BoundRule)
    return found


def members(text: str, kb: KnowledgeBase = KB) -> list[str]:
    return [str(member) for member in leaf(text, kb=kb).members]


# What a template becomes


def test_the_paper_s_running_example_binds_children_first() -> None:
    text = "S(X, Z) :- R(X, Z) ; O(X, Z). R(X, Z) :- P(X, Y), Q(Y, Z). P in {A, B}. Q in {C}. O in {A, B}."
    x, z = Variable("X"), Variable("Z")
    template = parse_template(text)
    both = (Member("A"), Member("B"))
    assert bind(template, KB) == BoundTemplate(
        (
            BoundLeaf("P", 2, both),
            BoundLeaf("Q", 2, (Member("C"),)),
            BoundRule("R", (x, z), template.clauses[1].body),
            BoundLeaf("O", 2, both),
            BoundRule("S", (x, z), template.clauses[0].body),
        ),
        template,
    )
    assert bind(template, KB).template is template


def test_every_node_comes_after_what_it_uses_and_is_there_once() -> None:
    template = bound("S(X) :- R(X), Q(X). Q(X) :- R(X), P(X). R(X) :- P(X). P in *.")
    assert [node.name for node in template.nodes] == ["P", "R", "Q", "S"]


def test_a_predicate_used_by_name_is_a_leaf_shared_by_all_its_uses() -> None:
    template = bound("S(X) :- A(X, Y), A(Y, X), A^-1(X, Y), '/film/film'^-1(X, Y).")
    assert template.nodes[:-1] == (
        BoundLeaf("A", 2, (Member("A"),)),
        BoundLeaf("A^-1", 2, (Member("A^-1"),)),
        BoundLeaf("/film/film^-1", 2, (Member("/film/film^-1"),)),
    )


def test_a_name_of_the_template_hides_the_predicate_but_not_from_domains() -> None:
    template = bound("B(X, Y) :- A(X, Y). A in {A, B}.")
    assert template.nodes[0] == BoundLeaf("A", 2, (Member("A"), Member("B")))
    assert template.root.name == "B"


def test_a_glob_takes_all_predicates_of_the_arity_of_its_uses() -> None:
    assert members("S(X) :- P(X). P in *.") == [*UNARY]
    assert members("S(X) :- P(X, Y). P in *.") == [*BINARY]
    assert members("S(X) :- P(X, Y, Z). P in *.") == ["between"]
    assert members("S(X) :- P(X). P in HasObstacle?.") == ["HasObstacleN", "HasObstacleS"]


def test_a_glob_takes_inverses_only_when_it_says_so() -> None:
    assert members("S(X) :- P(X, Y). P in {*^-1, C}.") == ["A^-1", "B^-1", "C^-1", "/film/film^-1", "C"]
    assert members("S(X) :- P(X, Y). P in {/f*^-1}.") == ["/film/film^-1"]


def test_inverses_that_are_relations_are_predicates_like_any_other() -> None:
    kb = KnowledgeBase.of({"a": [(1, 2)], "t": [(1,)]}).with_inverses()
    assert members("S(X) :- P(X, Y). P in {*}.", kb) == ["a", "a^-1"]
    assert members("S(X) :- P(X, Y). P in {*^-1}.", kb) == ["a^-1"]
    assert members("S(X) :- P(X, Y). P in {*^-1, *}.", kb) == ["a^-1", "a"]
    assert members("S(X) :- P(X, Y). P in {*^-1}.", kb.without("a")) == ["a^-1"]


def test_stars_in_quotes_and_brackets_in_globs_mean_themselves() -> None:
    assert members("S(X) :- P(X). P in {'odd*name'}.") == ["odd*name"]
    kb = KnowledgeBase.of({"a": [(1,)], "x.y": [(1,)], "xzy": [(1,)], "a\nb": [(1,)]})
    assert members("S(X) :- P(X). P in {x.y*}.", kb) == ["x.y"]
    assert members("S(X) :- P(X). P in {a?b}.", kb) == ["a\nb"]


def test_members_are_distinct_and_keep_their_order() -> None:
    assert members("S(X) :- P(X, Y). P in {C, *, not A, A, not A} over {B}.") == [
        *("C", "A", "B", "/film/film"),
        "not A",
    ]


def test_except_removes_members_negated_or_not() -> None:
    assert members("S(X) :- P(X, Y). P in {*, not A} except {A, /*}.") == ["B", "C"]


def test_except_may_name_a_head_without_facts() -> None:
    assert members("S(X, Y) :- P(X, Y). P in {A, B, A^-1} except {S, S^-1, B}.") == ["A", "A^-1"]


def test_universes_become_exact_names() -> None:
    assert leaf("S(X) :- P(X). P in {not HasTarget} over {HasOb*, HasObstacleN}.").universe == (
        "HasObstacleN",
        "HasObstacleS",
    )
    body = rule("S(X, Y) :- not P(X, Y, X) over {*^-1, A}. P in *.").body
    assert isinstance(body, Not)
    names = ("A^-1", "B^-1", "C^-1", "/film/film^-1", "A")
    assert body.universe == tuple(Pattern(name, exact=True) for name in names)


def test_options_choose_operators() -> None:
    template = bound(
        """S(X) @product @fixed :- P(X), R(X).   S(X) @fixed :- Q(X).
        R(X) @lukasiewicz :- HasTarget(X).
        P in * @attention.  Q in * @lnn @alpha(1)."""
    )
    assert {node.name: node.operator for node in template.nodes} == {
        "S": OperatorChoice("product", fixed=True),
        "R": OperatorChoice("lukasiewicz"),
        "P": OperatorChoice("attention"),
        "Q": OperatorChoice("lnn", alpha=1.0),
        "HasTarget": OperatorChoice(),
    }


def test_several_clauses_of_a_head_become_one_disjunction_over_the_first_head_s_variables() -> None:
    found = rule("S(X, Y) :- A(X, Y). S(Y, Z) :- B(Z, X), C(X, Y). S(X, Y) :- A(X, Z), B(Z, Y) ; C(X, Y).")
    assert found.head == (Variable("X"), Variable("Y"))
    assert str(found.body) == "A(X, Y) ; B(Y, X_2), C(X_2, X) ; (A(X, Z), B(Z, Y) ; C(X, Y))"


def test_the_root_may_be_named() -> None:
    text = "S(X) :- R(X). R(X) :- P(X). P in *."
    assert bound(text, root="S").root.name == "S"
    assert bound(text).root.name == "S"


def test_a_chain_of_very_many_clauses_needs_no_deep_stack() -> None:
    x = (Variable("X"),)
    clauses = [Clause(Atom(f"R{n}", x), Use(Atom(f"R{n + 1}", x))) for n in range(3000)]
    last = Clause(Atom("R3000", x), Use(Atom("HasTarget", x)))
    assert len(bind(Template((*clauses, last)), KB).nodes) == 3002


def test_rules_from_elsewhere_may_name_constants_that_these_facts_lack() -> None:
    atom = Atom("A", (Variable("X"), Constant("nowhere")))
    assert bind(Template((Clause(Atom("S", (Variable("X"),)), Use(atom)),)), KB).root.name == "S"


# What can be wrong


def test_all_problems_come_together_in_the_order_of_the_text() -> None:
    found = problems("S(X, X) :- Foo(X), A(X).\nP in {Q, A} @alpha.\nR(X) :- R(X).")
    assert [(p.line, p.column) for p in found] == [(1, 1), (1, 12), (1, 20), (2, 1), (2, 7), (2, 13), (3, 1), (3, 9)]


def test_the_error_shows_every_line_with_a_caret() -> None:
    with pytest.raises(TemplateBindingError) as caught:
        bound("S(X) :- HasTargt(X),\n  a(X).")
    assert str(caught.value) == (
        "line 1, column 9: HasTargt is no clause, no domain and no predicate of the knowledge base "
        "(did you mean HasTarget?)\n  S(X) :- HasTargt(X),\n          ^\n"
        "line 2, column 3: a is no clause, no domain and no predicate of the knowledge base\n    a(X).\n    ^"
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        # names
        ("S(X) :- P(X).", 1, 9, "knowledge base; to let it stand for a choice, declare P in {...}."),
        ("S(X) :- HasTarge(X).", 1, 9, "HasTarge is no clause, no domain and no predicate of the knowledge base (did"),
        ("S(X) :- between^-1(X, Y).", 1, 9, "between has 3 arguments, and only binary predicates have an inverse"),
        ("S(X) :- P^-1(X, Y), P(X, Y). P in *.", 1, 9, "P is defined here and has no inverse; write P(Y, X) instead"),
        ("S(X) :- A(X, an).", 1, 9, "the knowledge base has no constant an (did you mean ann?); A(X, an) can never"),
        ("S(X) :- P(X). P in *. P in {HasTarget}.", 1, 23, "P is declared twice; list all in one domain"),
        ("S(X) :- A(X, Y). S in *.", 1, 18, "S is both a clause head and a domain"),
        ("S^-1(X, Y) :- A(X, Y).", 1, 1, "S^-1 cannot be defined: ^-1 is for predicates of facts"),
        ("S(X) :- A(X, Y).\nP in *.", 2, 1, "P is declared but no clause uses it"),
        # heads
        ("S(X, a) :- A(X, Y).", 1, 1, "a in S(X, a) is a constant; write a variable there, and compare it in the body"),
        ("S(X, X) :- A(X, Y).", 1, 1, "X stands twice in S(X, X); write another variable there, and an = between it"),
        ("S(X) :- A(X, Y). S(X, Y) :- A(X, Y).", 1, 18, "S has 2 arguments here and 1 in its first clause"),
        # arities
        ("S(X) :- A(X).", 1, 9, "A(X) has 1 argument, but A has 2 in the knowledge base"),
        ("S(X) :- A^-1(X).", 1, 9, "A^-1(X) has 1 argument, but A^-1 has 2 in the knowledge base"),
        ("S(X) :- R(X, X). R(X) :- HasTarget(X).", 1, 9, "R(X, X) has 2 arguments, but its clause has 1"),
        ("S(X) :- P(X), P(X, Y). P in {HasTarget}.", 1, 15, "P(X, Y) has 2 arguments, but its first use has 1"),
        ("S(X) :- P(X). P in {HasTarget, A}.", 1, 32, "A has 2 arguments, but P is used with 1 argument"),
        ("S(X) :- P(X). P in {*} except {A}.", 1, 32, "A has 2 arguments, but P is used with 1 argument"),
        # domains
        ("S(X) :- P(X). P in {HasTarge}.", 1, 21, "unknown predicate HasTarge (did you mean HasTarget?)"),
        ("S(X) :- P(X). P in {between^-1, HasTarget}.", 1, 21, "only binary predicates have an inverse"),
        ("S(X) :- P(X). P in {HasTarget, b*}.", 1, 32, "b* matches no predicate with 1 argument, and P is used with 1"),
        ("S(X) :- P(X). P in *^-1.", 1, 20, "*^-1 matches no predicate with 1 argument"),
        ("S(X) :- P(X). P in Has* except {H*}.", 1, 15, "except leaves no member for P"),
        ("S(X) :- P(X). P in * except {HasTarge}.", 1, 30, "unknown predicate HasTarge (did you mean HasTarget?)"),
        ("S(X) :- P(X). P in * except {not HasTarget}.", 1, 30, "after except come plain names and globs; not cannot"),
        ("S(X) :- P(X). P in * over {HasTarget}.", 1, 28, "over is for negated members, and P has none"),
        ("S(X) :- P(X). P in {not HasTarget} over {A}.", 1, 42, "A has 2 arguments, but P is used with 1 argument"),
        ("S(X) :- P(X). P in {S, HasTarget}.", 1, 21, "unknown predicate S"),
        # universes of negations
        ("S(X) :- not A(X, Y) over {HasTarget}.", 1, 27, "HasTarget has 1 argument, but the negated formula has 2 var"),
        ("S(X) :- not A(X, Y) over {Has*}.", 1, 27, "Has* matches no predicate with 2 arguments, and the negated for"),
        ("S(X) :- not A(X, X) over {B}.", 1, 27, "B has 2 arguments, but the negated formula has 1 variable (X)"),
        ("S(X) :- not (A(X, Y), A(Y, Z)) over {B}.", 1, 38, "but the negated formula has 3 variables (X, Y, Z)"),
        ("S(X) :- not A(X, Y) over {Q}.", 1, 27, "unknown predicate Q"),
        ("S(X) :- not A(X, Y) over {not B}.", 1, 27, "after over come plain names and globs; not cannot stand there"),
        # options
        ("S(X) @alfa(0.9) :- A(X, Y).", 1, 6, "unknown option @alfa (did you mean alpha?); the options are @lnn"),
        ("S(X) @alpha(0.5) :- A(X, Y).", 1, 6, "alpha must lie in (1/2, 1], and 0.5 does not"),
        ("S(X) @alpha(1.1) :- A(X, Y).", 1, 6, "alpha must lie in (1/2, 1], and 1.1 does not"),
        ("S(X) @alpha(1e999) :- A(X, Y).", 1, 6, "alpha must lie in (1/2, 1], and inf does not"),
        ("S(X) @alpha :- A(X, Y).", 1, 6, "@alpha needs a value, e.g. @alpha(0.9)"),
        ("S(X) @fixed(1) :- A(X, Y).", 1, 6, "@fixed takes no value"),
        ("S(X) @attention :- A(X, Y).", 1, 6, "a clause cannot have @attention; it can have @lnn or @product or"),
        ("S(X) :- P(X). P in * @product.", 1, 22, "a domain cannot have @product; it can have @lnn or @attention"),
        ("S(X) :- P(X). P in * @lukasiewicz.", 1, 22, "a domain cannot have @lukasiewicz"),
        ("S(X) @product @lnn :- A(X, Y).", 1, 15, "@product and @lnn contradict each other on one node"),
        ("S(X) @alpha(0.9) :- A(X, Y). S(X) @alpha(0.8) :- A(X, Y).", 1, 35, "@alpha(0.9) and @alpha(0.8) contradict"),
        ("S(X) @alpha(0.9) @product :- A(X, Y).", 1, 18, "contradict each other: only LNN operators have an alpha"),
        ("S(X) :- P(X). P in * @attention @alpha(0.9).", 1, 33, "@attention and @alpha(0.9) contradict each other"),
        # roots and cycles
        ("P in *.", 1, 1, "the template has no clause; write one, e.g."),
        (
            "S(X) :- A(X, Y).\nT(X) :- A(X, Y).",
            2,
            1,
            "S and T are heads that no clause uses, so each could be the root",
        ),
        ("S(X) :- A(X, Y). V(X) :- V(X).", 1, 18, "S and V are heads that no clause uses"),
        ("S(X) :- S(X).", 1, 9, "S depends on itself: S -> S; rules cannot be recursive"),
        (
            "S(X) :- R(X). R(X) :-\n A(X, Y), S(Y).",
            2,
            11,
            "S depends on itself: S -> R -> S; rules cannot be recursive",
        ),
        (
            "A(X, Y) :- A(Y, X).",
            1,
            12,
            "A means the clause, not the facts: rename the head, or reach the facts through",
        ),
        ("S(X) :- R(X). R(X) :- Q(X). Q(X) :- R(X).", 1, 37, "R depends on itself: R -> Q -> R"),
    ],
)
def test_a_problem_says_what_is_wrong_and_points_at_it(text: str, line: int, column: int, message: str) -> None:
    matching = [p for p in problems(text) if message in p.message]
    assert [(p.line, p.column) for p in matching] == [(line, column)]


@pytest.mark.parametrize(
    "text",
    [
        "S(X) :- A(X).",
        "S(X) :- S(X).",
        "S(X) :- R(X). R(X) :- Q(X). Q(X) :- R(X).",
        "S(X) :- P(X). P in {HasTarget, A}.",
        "S(X) :- HasTarget(X), (A(X, Y) ; HasTarget(X)), Y < X.",
        "S(X, Y) :- HasTarget(X), (A(X, Y) ; HasTarget(X)).",
        "S(X) :- A(X, Y). S in *.",
    ],
)
def test_one_mistake_makes_one_problem(text: str) -> None:
    assert len(problems(text)) == 1


def test_a_root_that_is_no_head_gets_the_nearest_one() -> None:
    assert problem("Target(X) :- A(X, Y).", root="Targt").message == (
        "the root Targt is no clause head (did you mean Target?)"
    )


def test_what_the_named_root_does_not_reach_is_reported() -> None:
    found = problem("S(X) :- R(X). R(X) :- A(X, Y).\nT(X) :- R(X).", root="S")
    assert (found.line, found.column) == (2, 1)
    assert "T is not used by the root S, directly or through other clauses" in found.message


def test_two_separate_cycles_are_both_shown() -> None:
    found = problems("S(X) :- R(X), Q(X). R(X) :- R(X). Q(X) :- Q(X).")
    assert [p.message.partition(";")[0] for p in found] == [
        "R depends on itself: R -> R",
        "Q depends on itself: Q -> Q",
    ]


def test_a_template_without_text_still_says_what_is_wrong() -> None:
    clause = Clause(Atom("S", (Variable("X"),)), Use(Atom("Foo", (Variable("X"),))))
    with pytest.raises(TemplateBindingError, match=r"^Foo is no clause, no domain"):
        bind(Template((clause,)), KB)


pieces = [
    "S(X) :- ",
    "T(X,Y) :- ",
    "P in ",
    "A(X,Y)",
    "P(X)",
    "S(X)",
    "T(Y,_)",
    "HasTarget(1)",
    "X < Y",
    "X = 1",
    "{",
    "}",
]
words = [
    *pieces,
    "not ",
    "(",
    ")",
    " ; ",
    ", ",
    ".",
    ". ",
    " over ",
    " except ",
    "*",
    "A^-1",
    "@alpha(0.7)",
    "@product",
]


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(words), max_size=20).map("".join), st.sampled_from([None, "S", "T"]))
def test_any_text_binds_or_fails_as_the_user_s_mistake(text: str, root: str | None) -> None:
    binds_or_fails(text, root)


bodies = st.recursive(
    st.sampled_from(["A(X, Y)", "B(Y, Z)", "P(X)", "Q(Y, _)", "R(X)", "X < Y", "X = 1", "C^-1(Z, X)", "Foo(X, 1)"]),
    lambda parts: (
        st.tuples(parts, st.sampled_from([", ", " ; "]), parts).map(lambda found: f"({''.join(found)})")
        | parts.map("not ({})".format)
        | parts.map("not ({}) over {{*}}".format)
    ),
    max_leaves=5,
)
heads = st.sampled_from(["S(X)", "S(Y) @product", "S(X, Y)", "R(X)", "R(Z)"])
domains = st.sampled_from(["P in *.", "Q in {*, *^-1} except {A}.", "P in {not Has*} over {Has*}.", "Q in not A."])
statements = st.tuples(heads, bodies).map(lambda found: f"{found[0]} :- {found[1]}.") | domains


@settings(deadline=None, max_examples=300)
@given(st.lists(statements, min_size=1, max_size=5).map(" ".join), st.sampled_from([None, "S"]))
def test_any_template_binds_or_fails_as_the_user_s_mistake(text: str, root: str | None) -> None:
    binds_or_fails(text, root)


def binds_or_fails(text: str, root: str | None) -> None:
    found: tuple[Problem, ...] = ()
    nodes: tuple[BoundLeaf | BoundRule, ...] = ()
    try:
        nodes = bound(text, root=root).nodes
    except TemplateSyntaxError:
        return
    except TemplateBindingError as error:
        found = error.problems
    assert bool(nodes) != bool(found)
    lines = text.split("\n")
    assert all(p.line == 0 or 1 <= p.column <= len(lines[p.line - 1]) for p in found)
    seen: set[str] = set()
    for node in nodes:
        if isinstance(node, BoundRule):
            assert set(predicates_of(node.body)) <= seen
        seen.add(node.name)
    assert len(seen) == len(nodes)
