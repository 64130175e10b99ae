"""Names are found while they are typed, and shown so that nothing in them hides."""

from rulewright.web.names import BRIEF, LONGEST, Names, brief, brief_rule, shown
from rulewright.web.skins import breakable


def test_names_that_begin_with_the_part_come_first_then_words_then_the_rest() -> None:
    names = Names.of(["cat food", "tomcat", "big cat", "Cat", "dog"])
    assert [names.names[number] for number in names.suggested("cat")] == ["cat food", "Cat", "big cat", "tomcat"]


def test_case_does_not_matter_in_any_script() -> None:
    names = Names.of(["STRASSE", "Ängstlich"])
    assert [names.names[number] for number in names.suggested("straße")] == ["STRASSE"]
    assert [names.names[number] for number in names.suggested("ÄNG")] == ["Ängstlich"]


def test_suggestions_end_somewhere_and_an_empty_part_gives_the_first() -> None:
    assert Names.of([f"n{number}" for number in range(99)]).suggested("", 3) == [0, 1, 2]


def test_relations_have_both_directions_under_their_numbers() -> None:
    assert list(Names.directed(["a", "b"]).names) == ["a", "a^-1", "b", "b^-1"]


def test_what_would_hide_is_written_out() -> None:
    assert shown("a\u202eb\nc\x00") == "a\\u202eb\\nc\\x00"
    assert shown("") == "(empty name)"
    assert shown("שלום") == "שלום"


def test_a_long_name_keeps_its_beginning_and_its_end() -> None:
    text = shown("a" * 9000 + "the end")
    assert len(text) <= LONGEST + 1
    assert text.startswith("aaa")
    assert text.endswith("the end")


LONG = "/award/award_nominee/award_nominations./award/award_nomination/award_nominee"


def test_a_long_path_is_brief_at_a_border_and_others_stay() -> None:
    assert brief(LONG) == "…/award_nomination/award_nominee"
    assert len(brief("/a" * 400)) <= BRIEF
    for name in ("/film/film/genre", "word" * 50, LONG[:40]):
        assert brief(name) == name
    assert brief_rule(f"'{LONG}'(X, Y) :- 'it\\'s'(X, Y).") == f"'{brief(LONG)}'(X, Y) :- 'it\\'s'(X, Y)."


def test_a_long_name_may_break_between_its_parts_and_says_the_same() -> None:
    text = str(breakable(LONG + "<b>"))
    assert "/<wbr>award_<wbr>nominee" in text
    assert text.replace("<wbr>", "") == LONG + "&lt;b&gt;"
    assert str(breakable("short_name")) == "short_name"
