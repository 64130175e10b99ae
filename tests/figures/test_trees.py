"""A rule tree says what the program says, and no box or weight lies on another."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from matplotlib.transforms import Bbox

from rulewright import figures
from rulewright.errors import OptionError
from rulewright.figures.layout import MOST_BOXES
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.learning import learn
from rulewright.logic.node import Edge, Node


def predicate(label: str, negated: bool = False) -> Node:
    return Node("predicate", label, negated=negated)


def leaf(label: str, **weights: float) -> Node:
    return Node("pred", label, 1.0, tuple(Edge(weight, predicate(f"{name}(X)")) for name, weight in weights.items()))


# The paper's rule for Countries-S2.
COUNTRIES = Node(
    "and",
    "locIn(X, Z)",
    1.056,
    (
        Edge(1.059, leaf("P(X, Y)", ngbrOf=1.228, locIn=0.002)),
        Edge(1.059, leaf("Q(Y, Z)", ngbrOf=0.04, locIn=1.186)),
    ),
)


def words(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_text()]


def boxes(ax: Axes) -> list[Bbox]:
    """In inches, which are the data's unit."""
    return [patch.get_path().get_extents(patch.get_patch_transform()) for patch in ax.patches if is_box(patch)]


def is_box(patch: object) -> bool:
    return isinstance(patch, FancyBboxPatch)


def clear_of_each_other(boxes: list[Bbox]) -> bool:
    shrunk = [Bbox.from_extents(b.x0 + 1e-6, b.y0 + 1e-6, b.x1 - 1e-6, b.y1 - 1e-6) for b in boxes]
    return not any(one.overlaps(other) for one, other in combinations(shrunk, 2))


def text_boxes(ax: Axes) -> list[Bbox]:
    """Where the texts come out, in inches."""
    figure = ax.get_figure()
    figure.draw_without_rendering()
    back = ax.transData.inverted()
    return [text.get_window_extent().transformed(back) for text in ax.texts if text.get_text()]


def test_every_node_weight_and_bias_of_the_papers_rule_is_there() -> None:
    ax = figures.rule_tree(COUNTRIES, smallest=0)
    assert sorted(words(ax)) == sorted(
        ["locIn(X, Z)\nLNN-∧ (1.056)", "P(X, Y)\nLNN-pred (1.000)", "Q(Y, Z)\nLNN-pred (1.000)"]
        + ["1.059", "1.059", "1.228", "0.002", "0.040", "1.186"]
        + ["ngbrOf(X)", "locIn(X)"] * 2
    )
    assert len(boxes(ax)) == 7


def test_the_root_stands_on_top_and_predicates_below_in_their_colours() -> None:
    ax = figures.rule_tree(COUNTRIES)
    heights = {text.get_text().split("\n")[0]: text.get_position()[1] for text in ax.texts}
    assert heights["locIn(X, Z)"] > heights["P(X, Y)"] == heights["Q(Y, Z)"] > heights["ngbrOf(X)"]
    colours = {patch.get_facecolor()[:3] for patch in ax.patches if is_box(patch)}
    assert len(colours) == 4  # with that of '1 more'


def test_weights_below_the_smallest_and_beyond_the_most_are_counted_in_a_box_of_their_own() -> None:
    node = leaf("P(X)", a=0.9, b=0.001, c=0.5, d=0.7)
    assert words(figures.rule_tree(node))[0] == "P(X)\nLNN-pred (1.000)"
    assert {"a(X)", "c(X)", "d(X)", "… 1 more"} < set(words(figures.rule_tree(node)))
    few = set(words(figures.rule_tree(node, most=2)))
    assert {"a(X)", "d(X)", "… 2 more"} < few
    assert "c(X)" not in few


def test_predicates_that_a_rule_does_without_are_told_from_those_of_little_weight() -> None:
    assert "2 of weight 0" in words(figures.rule_tree(leaf("P(X)", a=1.0, b=0.0, c=0.0)))
    assert "… 2 more" in words(figures.rule_tree(leaf("P(X)", a=1.0, b=0.0, c=0.001)))


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (predicate("p(X)", negated=True), "¬ p(X)"),
        (Node("or", "S(X)", 1.5, (Edge(1.0, predicate("p(X)")),)), "S(X)\nLNN-∨ (1.500)"),
        (Node("and", "S(X)", None, (Edge(None, predicate("p(X)")),), "product"), "S(X)\nproduct ∧"),
        (Node("and", "S(X)", None, (Edge(None, predicate("p(X)")),), "lukasiewicz"), "S(X)\nŁukasiewicz ∧"),
        (Node("exists", "S(X)", None, (Edge(None, predicate("p(X)")),)), "S(X)\nbest of"),
        (Node("attention", "S(X)", None, (Edge(1.0, predicate("p(X)")),), "attention"), "S(X)\nattention"),
        (Node("not", "not p(X)", None, (Edge(None, predicate("p(X)")),)), "¬"),
    ],
)
def test_a_box_says_what_its_node_is(node: Node, text: str) -> None:
    assert text in words(figures.rule_tree(node))


def test_an_edge_without_a_weight_has_an_arrow_and_no_number() -> None:
    ax = figures.rule_tree(Node("exists", "S(X)", None, (Edge(None, predicate("p(X)")),)))
    assert words(ax) == ["S(X)\nbest of", "p(X)"]
    assert len([text for text in ax.texts if not text.get_text()]) == 1  # matplotlib's arrows are texts


def test_predicates_stand_in_a_column_where_a_row_would_be_wider_than_a_page() -> None:
    few, many = leaf("P(X)", a=1, b=1), leaf("P(X)", **{"quite_a_long_name_" + c: 1.0 for c in "abcde"})
    assert len({text.get_position()[1] for text in figures.rule_tree(few).texts if "(X)" in text.get_text()}) == 2
    column = figures.rule_tree(many)
    assert len({text.get_position()[1] for text in column.texts if "_name_" in text.get_text()}) == 5
    assert column.get_figure().get_figwidth() < 7


def test_names_from_data_are_neither_mathematics_nor_control() -> None:
    ax = figures.rule_tree(leaf("P(X)", **{r"$\frac{a}{b}$": 1.0, "\x1b[31mred": 0.5}))
    assert {r"$\frac{a}{b}$(X)", r"\x1b[31mred(X)"} < set(words(ax))
    assert not any(text.get_parse_math() for text in ax.texts if text.get_text())
    ax.get_figure().draw_without_rendering()


labels = st.text(st.characters(codec="latin-1"), min_size=1, max_size=60)
weights = st.none() | st.floats(0, 99)
nodes = st.recursive(
    st.builds(Node, st.just("predicate"), labels),
    lambda below: st.builds(
        Node,
        st.sampled_from(["pred", "and", "or", "exists", "attention", "not"]),
        labels,
        weights,
        st.lists(st.builds(Edge, weights, below), min_size=1, max_size=4).map(tuple),
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=40)
@given(nodes)
def test_in_any_tree_no_box_and_no_weight_lies_on_another_and_every_text_fits_its_box(node: Node) -> None:
    ax = figures.rule_tree(node, smallest=0)
    drawn, texts = boxes(ax), text_boxes(ax)
    assert clear_of_each_other(drawn)
    inside = [text for text in texts if any(contains(box, text) for box in drawn)]
    outside = [text for text in texts if text not in inside]
    assert len(inside) == len(drawn)
    assert clear_of_each_other([*drawn, *outside])


def contains(box: Bbox, text: Bbox) -> bool:
    return box.x0 <= text.x0 and text.x1 <= box.x1 and box.y0 <= text.y0 + 0.02 and text.y1 - 0.02 <= box.y1


def test_letters_have_9_points_and_the_figure_is_as_large_as_the_tree_needs() -> None:
    ax = figures.rule_tree(COUNTRIES)
    assert {text.get_fontsize() for text in ax.texts if text.get_text()} == {9.0}
    page = Bbox.from_extents(*(bound for pair in zip(ax.get_xlim(), ax.get_ylim(), strict=True) for bound in pair))
    assert (page.width, page.height) == pytest.approx(tuple(ax.get_figure().get_size_inches()))
    assert all(page.x0 < box.x0 and box.x1 < page.x1 and page.y0 < box.y0 and box.y1 < page.y1 for box in boxes(ax))


def test_on_small_axes_the_letters_shrink_with_the_boxes() -> None:
    mine = Figure(figsize=(2, 2)).add_axes((0, 0, 1, 1))
    assert figures.rule_tree(COUNTRIES, mine) is mine
    scale = mine.texts[0].get_fontsize() / 9
    assert 0.2 < scale < 1
    inch = mine.transData.transform((1, 0))[0] - mine.transData.transform((0, 0))[0]
    mine.get_figure().draw_without_rendering()
    inch = mine.transData.transform((1, 0))[0] - mine.transData.transform((0, 0))[0]
    assert inch / mine.get_figure().dpi == pytest.approx(scale)


def test_a_tree_with_more_boxes_than_anyone_could_read_is_refused() -> None:
    wide = Node("or", "S(X)", 1.0, tuple(Edge(1.0, predicate("p(X)")) for _ in range(MOST_BOXES)))
    with pytest.raises(OptionError, match="251 boxes"):
        figures.rule_tree(wide)


def test_a_learned_program_is_drawn_as_it_was_learned() -> None:
    kb = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy")], "likes": [("ann", "cy")]})
    learned = learn(kb, "child(Y, X) :- P(X, Y). P in *.", [("bob", "ann"), ("cy", "bob")])
    shown = words(figures.rule_tree(learned.program, smallest=0))
    assert {"parent(X, Y)", "likes(X, Y)"} < set(shown)
    assert f"{learned.network.mixtures()['P'].weights.max():.3f}" in shown
