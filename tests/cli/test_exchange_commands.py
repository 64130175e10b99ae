"""export, edit, learn --rules and --facts on the command line."""

import json

import pytest
from tests.completion.toys import families, held_out
from tests.rules.exchange.engines import clingo_facts

from rulewright.rules.store import program_from_json

SETTINGS = "paths = 40\nmined = 100\nfolds = 3\nused_folds = 3\nepochs = 10\nentries = 100000\n"
RULE = "grandparent(X, Y) :- parent(X, A), parent(A, Y)."


def write(folder, name, triples):
    (folder / name).write_text("".join("\t".join(triple) + "\n" for triple in triples))


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graph")
    train, test = held_out(families(8), "grandparent", 4)
    write(folder, "train.txt", train)
    write(folder, "test.txt", test)
    (folder / "settings.toml").write_text(SETTINGS)
    return folder


@pytest.fixture
def graph_run(rulewright, graph, tmp_path):
    done = rulewright("learn", graph, "--settings", graph / "settings.toml", "--threads", 1, "--out", tmp_path / "g")
    assert done.code == 0, done.err
    return tmp_path / "g"


def test_a_template_run_is_exported_in_every_format(rulewright, run, tmp_path):
    done = rulewright("export", run, "--format", "datalog", "--with-facts")
    assert clingo_facts(done.out) == {("ann", "cy"), ("ann", "di"), ("ann", "gus"), ("bob", "eve")}
    assert "'Y'" not in rulewright("export", run, "--format", "prolog").out
    assert json.loads(rulewright("export", run, "--with-facts").out)["facts"][0]["predicate"] == "parent"
    for form in ("text", "latex", "markdown", "anyburl"):
        done = rulewright("export", run, "--format", form, "--out", tmp_path / form)
        assert done.code == 0
        assert "grandparent" in (tmp_path / form).read_text()


@pytest.mark.parametrize("form", ["json", "prolog", "datalog", "anyburl", "text", "latex", "markdown"])
def test_a_graph_run_is_exported_in_every_format(rulewright, graph_run, form):
    done = rulewright("export", graph_run, "--format", form, "--relation", "grandparent", "--top", 3)
    assert done.code == 0, done.err
    assert "grandparent" in done.out


def test_what_export_cannot_do_is_told(rulewright, run):
    assert "did you mean prolog" in rulewright("export", run, "--format", "prolgo").err
    assert "no place for facts" in rulewright("export", run, "--format", "latex", "--with-facts").err


@pytest.mark.parametrize("form", ["anyburl", "text", "json"])
def test_exported_rules_can_be_weighed_again(rulewright, graph, graph_run, tmp_path, form):
    file = tmp_path / ("rules.json" if form == "json" else "rules")
    rulewright("export", graph_run, "--format", form, "--relation", "grandparent", "--out", file)
    arguments = ("learn", graph, "--settings", graph / "settings.toml", "--threads", 1, "--rules", file)
    done = rulewright(*arguments, "--out", tmp_path / "again")
    assert done.code == 0, done.err
    assert "for 1 of 2 relations" in done.err
    assert RULE in rulewright("rules", tmp_path / "again", "--relation", "grandparent").out


def test_rules_that_do_not_fit_are_told_or_by_option_refused(rulewright, graph, tmp_path):
    (tmp_path / "rules.txt").write_text(f"{RULE}\ngrandparent(X, Y) :- parnt(X, Y).\n")
    options = ("--settings", graph / "settings.toml", "--threads", 1, "--rules", tmp_path / "rules.txt")
    arguments = ("learn", graph, *options)
    done = rulewright(*arguments)
    assert done.code == 0
    assert "1 rules do not fit" in done.err
    assert "did you mean parent or grandparent?" in done.err
    assert rulewright(*arguments, "--strict-rules").code == 2


def test_a_template_starts_from_given_rules(rulewright, problem, tmp_path):
    rule = "grandparent(X, Z) :- parent(X, Y), parent(Y, Z)."
    (tmp_path / "rules.txt").write_text(f"0.9  {rule}\ngrandparent(X, Z) :- friend(X, Z).\n")
    done = rulewright("learn", problem, "--rules", tmp_path / "rules.txt")
    assert done.code == 0, done.err
    assert rule in done.out
    assert "the template cannot say them" in done.err


def test_a_graph_run_is_edited_and_evaluated_again(rulewright, graph_run, tmp_path):
    edited = tmp_path / "edited"
    done = rulewright("edit", graph_run, "--relation", "grandparent", "--drop", RULE, "--out", edited)
    assert done.code == 0, done.err
    assert RULE not in rulewright("rules", edited, "--relation", "grandparent").out
    assert RULE in rulewright("rules", graph_run, "--relation", "grandparent").out
    asked = ("g0", "grandparent", "--known")
    assert rulewright("predict", edited, *asked).out != rulewright("predict", graph_run, *asked).out
    assert json.loads(rulewright("evaluate", edited, "--json").out)["queries"] == 16
    pinned = tmp_path / "pinned"
    options = ("--relation", "grandparent", "--pin", RULE, "--weight", 1.5, "--refit", "--out", pinned)
    done = rulewright("edit", edited, *options)
    assert done.code == 0, done.err
    rules = rulewright("rules", pinned, "--relation", "grandparent").out.splitlines()
    assert [line.split()[0] for line in rules if line.endswith(RULE)] == ["1.500"]


def test_a_rule_that_cannot_be_added_says_which_name_is_meant(rulewright, graph_run, tmp_path):
    rule = "grandparent(X, Y) :- parnt(X, A), parent(A, Y)."
    options = ("--relation", "grandparent", "--add", rule, "--weight", 1, "--out", tmp_path / "edited")
    done = rulewright("edit", graph_run, *options)
    assert done.code == 2
    assert "a relation that the data does not have, parnt (did you mean parent" in done.err
    assert not (tmp_path / "edited").exists()


def test_a_template_run_is_edited(rulewright, run, tmp_path):
    rule = "grandparent(X, Z) :- friend(X, Y), parent(Y, Z)."
    done = rulewright("edit", run, "--drop", 1, "--add", rule, "--out", tmp_path / "edited")
    assert done.code == 0, done.err
    assert done.out.strip().endswith(rule)
    assert "grandparent(bob, bob)" in rulewright("predict", tmp_path / "edited").out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "say what to change"),
        (["--drop", "9"], "no rule number 9"),
        (["--drop", "grandparent(X, Z) :- friend(X, Y), friend(Y, Z)."], "there is no rule"),
        (["--pin", "p(X) :- q(X)."], "belong to predicates"),
        (["--add", "grandparent(X, Z) :- friend(X, Y), friend(Y, Z)."], "cannot say just these rules"),
    ],
)
def test_edits_that_cannot_be_are_told(rulewright, run, tmp_path, options, told):
    done = rulewright("edit", run, *options, "--out", tmp_path / "edited")
    assert done.code == 2
    assert told in done.err
    assert not (tmp_path / "edited").exists()


def test_a_graph_run_is_applied_elsewhere(rulewright, graph_run, tmp_path):
    known, hidden = held_out([(f"n{h}", r, f"n{t}") for h, r, t in families(4)], "grandparent", 2)
    other = tmp_path / "other"
    other.mkdir()
    write(other, "train.txt", [*known, ("ng0", "owns", "house")])
    write(other, "test.txt", hidden)
    done = rulewright("evaluate", graph_run, "--facts", other, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["hits@10"] == 1.0
    assert "1 relations are left aside" in done.err
    shown = rulewright("predict", graph_run, "ng0", "grandparent", "--facts", other, "--known").out
    assert {line.split()[1] for line in shown.splitlines()[:4]} == {"nc000", "nc001", "nc010", "nc011"}
    assert (
        "parent(ng0, np00)"
        in rulewright("explain", graph_run, "ng0", "grandparent", "nc000", "--facts", other, "--top", 50).out
    )


def test_a_template_run_is_applied_elsewhere(rulewright, run, tmp_path):
    (tmp_path / "new.pl").write_text("parent(zoe, yan). parent(yan, xi). friend(xi, zoe).")
    assert "grandparent(zoe, xi)" in rulewright("predict", run, "--facts", tmp_path / "new.pl").out


def test_predicates_without_facts_elsewhere_are_told_and_others_must_have_their_arguments(rulewright, run, tmp_path):
    (tmp_path / "new.pl").write_text("parent(zoe, yan). parent(yan, xi). likes(zoe, xi, much).")
    done = rulewright("predict", run, "--facts", tmp_path / "new.pl")
    assert done.code == 0
    assert "grandparent(zoe, xi)" in done.out
    assert "new.pl has no facts of friend" in done.err
    assert "parent(yan, xi)" in rulewright("explain", run, "zoe", "xi", "--facts", tmp_path / "new.pl").out
    for facts, told in (
        ("likes(zoe, yan).", "shares no predicate with the facts of the run"),
        ("parent(zoe, yan, xi). friend(a, b).", "parent has 3 arguments here, and 2 in the facts"),
    ):
        (tmp_path / "wrong.pl").write_text(facts)
        for arguments in (("predict", run), ("explain", run, "zoe", "yan")):
            done = rulewright(*arguments, "--facts", tmp_path / "wrong.pl")
            assert (done.code, done.out) == (2, "")
            assert told in done.err


def test_edit_and_export_speak_to_programs_too(rulewright, run, graph_run, tmp_path):
    assert rulewright("export", run, "--json").out == rulewright("export", run, "--format", "json").out
    options = ("--relation", "grandparent", "--drop", 1, "--json")
    before = json.loads(rulewright("rules", graph_run, "--relation", "grandparent", "--json").out)["grandparent"]
    after = json.loads(rulewright("edit", graph_run, *options, "--out", tmp_path / "edited").out)["grandparent"]
    assert after == before[1:]
    rule = "grandparent(X, Z) :- friend(X, Y), parent(Y, Z)."
    done = rulewright("edit", run, "--drop", 1, "--add", rule, "--out", tmp_path / "other", "--json")
    assert [str(found.rule) for found in program_from_json(json.loads(done.out)).rules] == [rule]
