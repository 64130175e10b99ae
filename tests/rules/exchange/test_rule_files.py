"""Rules of other tools, in and out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import FactFormatError, InputError, TemplateSyntaxError
from rulewright.kb.text_file import ReadLimits
from rulewright.logic.rated import RatedRule
from rulewright.logic.rule import Literal, Rule
from rulewright.logic.terms import Atom, Constant, Variable
from rulewright.rules.exchange.amie import read_amie
from rulewright.rules.exchange.anyburl import anyburl_rule, read_anyburl, to_anyburl
from rulewright.rules.exchange.reading import read_rules
from rulewright.rules.exchange.rule_text import parse_rules, to_rule_text

ANYBURL = """\
123\t98\t0.797\tgrandparent(X,Y) <= parent(X,A), parent(A,Y)
40\t38\t0.95\tspeaks(X,french) <= /people/lives_in(X,Nice,_the_(old)_town)
10\t5\t0.5\tspeaks(X,english) <=
"""
AMIE = """\
Rule\tHead Coverage\tStd Confidence\tPCA Confidence\tPositive Examples\tBody size
?a  <parent>  ?f  ?f  <parent>  ?b   => ?a  <grandparent>  ?b\t0.5\t0.8\t0.9\t98\t123\t?a
?a likes ?b => ?b likes ?a\t0,25\t0,5\t0,5\t5\t10

Mining done in 3 s
"""


def written(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


def test_anyburl_is_read_with_its_figures(tmp_path):
    first, second, third = read_rules(written(tmp_path, "rules", ANYBURL))
    assert str(first.rule) == "grandparent(X, Y) :- parent(X, A), parent(A, Y)."
    assert (first.predicted, first.correct, first.confidence, first.weight) == (123, 98, 0.797, None)
    assert second.rule.body[0].atom.terms == (Variable("X"), Constant("Nice,_the_(old)_town"))
    assert third.rule.body == ()


def test_anyburl_that_is_written_is_what_was_read(tmp_path):
    assert "".join(to_anyburl(read_anyburl(written(tmp_path, "rules", ANYBURL)))).replace("<= \n", "<=\n") == ANYBURL


@pytest.mark.parametrize("line", ["1\t1\t0.5\tr(X,Y) <= s X", "r(X,Y) <= s(X,Y)", "1\t1\t0.5e.\tr(X,Y) <= s(X,Y)"])
def test_a_line_that_is_no_rule_of_anyburl_is_told_with_its_place(tmp_path, line):
    with pytest.raises(FactFormatError, match=":2:"):
        list(read_anyburl(written(tmp_path, "rules", f"1\t1\t0.5\tr(X,Y) <= s(X,Y)\n{line}\n")))


NAMES = st.text("aB (),\t.<=é", min_size=1, max_size=6)
TERMS = st.one_of(NAMES.map(Constant), st.sampled_from("XYAB").map(Variable))
ATOMS = st.builds(Atom, NAMES, st.tuples(TERMS, TERMS))


@given(ATOMS, st.lists(ATOMS, min_size=1, max_size=3))
def test_what_anyburl_can_say_reads_back_up_to_the_names_of_variables(tmp_path_factory, head, body):
    rule = Rule(head, tuple(map(Literal, body)))
    text = anyburl_rule(rule)
    if text is not None:
        path = written(tmp_path_factory.mktemp("rules"), "rules", f"1\t1\t1.0\t{text}\n")
        (found,) = read_anyburl(path)
        assert anyburl_rule(found.rule) == text
        names = [t.name for a in (head, *body) for t in a.terms if isinstance(t, Constant)]
        assert names == [t.name for a in (found.rule.head, *(p.atom for p in found.rule.body)) for t in a.terms
                         if isinstance(t, Constant)]  # fmt: skip


def test_what_anyburl_cannot_say_is_left_out_and_told():
    rules = [RatedRule(rule.rule) for rule in parse_rules("r(X, Y) :- not s(X, Y). r(X, Y) :- s(X, Y), t(X).")]
    left_out: list[RatedRule] = []
    assert list(to_anyburl(rules, left_out)) == []
    assert left_out == rules


def test_amie_is_read_with_its_figures(tmp_path):
    first, second = read_rules(written(tmp_path, "rules", AMIE))
    assert str(first.rule) == "'<grandparent>'(A, B) :- '<parent>'(A, F), '<parent>'(F, B)."
    assert (first.predicted, first.correct, first.confidence) == (123, 98, 0.8)
    assert (str(second.rule), second.confidence) == ("likes(B, A) :- likes(A, B).", 0.5)


def test_the_datalog_notation_of_amie_says_the_same(tmp_path):
    text = AMIE.replace("?a  <parent>  ?f  ?f  <parent>  ?b   => ?a  <grandparent>  ?b",
                        "grandparent(?a, ?b) <= parent(?a, ?f), parent(?f, ?b)")  # fmt: skip
    text = text.replace(
        "?a likes ?b => ?b likes ?a", "speaks(?a, French, (old)) <= lives in(?a, Nice), likes(Nice, ?a)"
    )
    first, second = read_rules(written(tmp_path, "rules", text))
    assert str(first.rule) == "grandparent(A, B) :- parent(A, F), parent(F, B)."
    assert (first.predicted, first.correct, first.confidence) == (123, 98, 0.8)
    assert str(second.rule) == "speaks(A, 'French, (old)') :- 'lives in'(A, 'Nice'), likes('Nice', A)."
    assert (second.predicted, second.correct) == (10, 5)


@pytest.mark.parametrize("text", ["r(?a, ?b) <= s(?a ?b)", "r(?a, ?b) <=", "r(?a, ?b), t(?a, ?b) <= s(?a, ?b)"])
def test_what_is_no_rule_in_that_notation_is_told(tmp_path, text):
    with pytest.raises(FactFormatError, match=":1:"):
        list(read_amie(written(tmp_path, "rules", f"{text}\t0.5\t0.5\t0.5\t1\t1\n")))


def test_a_comparison_in_our_own_text_is_no_arrow(tmp_path):
    text = "g(X, Y) :- p(X, M), p(Y, N),\n  'why?'(M, N), M <= N.\n"
    assert len(list(read_rules(written(tmp_path, "rules.txt", text)))) == 1


def test_amie_out_of_triples_is_told(tmp_path):
    with pytest.raises(FactFormatError, match=r":1:.*triples"):
        list(read_amie(written(tmp_path, "rules", "?a likes => ?b likes ?a\n")))


def test_our_own_text_is_read_with_weights_and_over_lines(tmp_path):
    text = "% mine\n 0.812  g(X, Z) :- p(X, Y),\n   p(Y, Z).\ng(X, Y) :- q(X, Y), not r(Y), X < Y.\n"
    first, second = read_rules(written(tmp_path, "rules.txt", text))
    assert (str(first), str(second)) == ("0.812  g(X, Z) :- p(X, Y), p(Y, Z).", "g(X, Y) :- q(X, Y), not r(Y), X < Y.")


def test_our_own_text_reads_back():
    rules = parse_rules("0.25  'a b'(X, Y) :- 'it\\'s'^-1(X, Z), s(Z, Y, 'C'), not t(Z), X != Y.")
    assert parse_rules("".join(to_rule_text(rules))) == rules


def test_many_lines_are_read_some_thousand_at_a_time(tmp_path):
    path = written(tmp_path, "rules.txt", "".join(f"r{n}(X, Y) :- s(X, Y).\n" for n in range(2500)) + "r(X, Y :- s.\n")
    found = read_rules(path)
    assert [str(next(found).rule) for _ in range(2000)][-1] == "r1999(X, Y) :- s(X, Y)."
    with pytest.raises(TemplateSyntaxError):
        list(found)


@pytest.mark.parametrize("text", ["P in {a}. r(X) :- P(X).", "r(X) :- a(X) ; b(X).", "r(X) :- not (a(X), b(X))."])
def test_what_belongs_to_templates_is_told(text):
    with pytest.raises(InputError, match="line 1"):
        parse_rules(text)


def test_json_that_is_none_of_ours_is_told(tmp_path):
    with pytest.raises(InputError, match="holds no rules"):
        list(read_rules(written(tmp_path, "rules.json", "[1]")))


HEAD = '"head": {"predicate": "r", "terms": [{"variable": "X"}, {"variable": "Y"}]}'
COMPARED = '{"left": {"variable": "X"}, "operator": "~", "right": {"variable": "Y"}}'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rules", "9" * 5000 + "\t1\t0.5\tr(X,Y) <= s(X,Y)\n"),
        ("rules", "1\t1\t1e999\tr(X,Y) <= s(X,Y)\n"),
        ("rules", "?a s ?b => ?a r ?b\t0.5\t0.5\t0.5\tnan\tnan\n"),
        ("rules", "?a s ?b => ?a r ?b\t0.5\t0.5\t0.5\t1e999\t9\n"),
        ("rules", "1e999  r(X, Y) :- s(X, Y)."),
        ("rules.json", f'{{"rules": [{{"predicted": 1e999, "rule": {{{HEAD}, "body": []}}}}]}}'),
        ("rules.json", f'{{"rules": [{{"rule": {{{HEAD}, "body": [{COMPARED}]}}}}]}}'),
        ("rules.json", "[" * 100_000),
        ("rules.json", '{"rules": [{"weight": ' + "9" * 5000 + "}]}"),
    ],
    ids=lambda text: text[:20],
)
def test_figures_and_comparisons_that_are_none_are_told(tmp_path, name, text):
    with pytest.raises(InputError) as told:
        list(read_rules(written(tmp_path, name, text)))
    assert len(str(told.value)) < 1000


def test_a_file_of_rules_has_a_largest_size(tmp_path):
    path = written(tmp_path, "rules.json", '{"rules": []}')
    with path.open("r+b") as file:
        file.truncate(2 << 30)  # a hole: it takes no room on the disk
    with pytest.raises(InputError, match="more than 1,073,741,824 bytes"):
        list(read_rules(path))
    with pytest.raises(InputError, match="more than 10 bytes"):
        list(read_rules(written(tmp_path, "rules.txt", "r(X, Y) :- s(X, Y)."), ReadLimits(file_bytes=10)))
