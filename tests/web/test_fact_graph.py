"""The drawing holds every chosen fact once, in order, and no box covers another."""

from itertools import combinations

from rulewright.logic.terms import Atom, Constant
from rulewright.rules.explanation import Part, SourcedFact, Witness
from rulewright.web.fact_graph import BOX_HEIGHT, BOX_WIDTH, WALKS, fact_graph


def fact(text: str) -> Atom:
    start, predicate, end = text.split()
    return Atom(predicate, (Constant(start), Constant(end)))


def part(*walks: list[str], share: float = 1.0, kind: str = "path") -> Part:
    ways = tuple(Witness(tuple(SourcedFact(fact(text)) for text in walk)) for walk in walks)
    return Part("rule", 1.0, share, kind, ways, len(ways))


ASKED = fact("ann grandparent cy")


def drawn(*parts: Part) -> dict:
    found = fact_graph("ann", "cy", ASKED, parts)
    assert found is not None
    return found


def test_the_head_is_left_the_answer_right_and_what_is_between_between() -> None:
    places = {node["name"]: node["x"] for node in drawn(part(["ann parent bob", "bob parent cy"]))["nodes"]}
    assert places["ann"] < places["bob"] < places["cy"]


def test_an_arrow_points_as_the_fact_does_not_as_the_walk() -> None:
    (edge,) = drawn(part(["cy child ann"]))["edges"]
    start = float(edge["path"][1:].split()[0])
    assert start > 500
    assert edge["title"] == "child(cy, ann)"


def test_a_fact_of_two_walks_is_drawn_once_at_the_stronger_ones_width() -> None:
    walks = part(["ann parent bob", "bob parent cy"], share=2.0), part(["ann parent bob", "bob likes cy"], share=1.0)
    edges = {edge["title"]: edge["width"] for edge in drawn(*walks)["edges"]}
    assert sorted(edges) == ["likes(bob, cy)", "parent(ann, bob)", "parent(bob, cy)"]
    assert edges["parent(ann, bob)"] == edges["parent(bob, cy)"] > edges["likes(bob, cy)"]


def test_boxes_do_not_cover_each_other() -> None:
    two = [[f"ann r{n} m{n}", f"m{n} s cy"] for n in range(3)]
    three = [[f"ann r{n} k{n}", f"k{n} s l{n}", f"l{n} t cy"] for n in range(3)]
    nodes = drawn(part(*three), part(*two))["nodes"]
    assert len(nodes) == 2 + 3 + 6
    for one, other in combinations(nodes, 2):
        assert abs(one["x"] - other["x"]) >= BOX_WIDTH or abs(one["y"] - other["y"]) >= BOX_HEIGHT


def test_only_the_strongest_walks_are_drawn_and_none_that_speak_against() -> None:
    many = [part([f"ann r{n} cy"]) for n in range(WALKS + 5)]
    assert len(drawn(*many)["edges"]) == WALKS
    assert fact_graph("ann", "cy", ASKED, [part(["ann r cy"], share=-1.0)]) is None
    assert fact_graph("ann", "cy", ASKED, []) is None


def test_long_names_are_cut_in_the_box_and_whole_in_the_title() -> None:
    name = "n" * 300
    found = drawn(part([f"ann r {name}", f"{name} r cy"]))
    box = next(node for node in found["nodes"] if node["name"] == name)
    assert len(box["text"]) < 30
    assert found["height"] > 0


def test_a_fact_about_one_thing_alone_can_be_drawn() -> None:
    found = fact_graph("ann", "ann", fact("ann likes ann"), [part(["ann knows ann"])])
    assert found is not None
    assert len(found["nodes"]) == 1
