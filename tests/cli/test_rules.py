import json

from rulewright.rules.store import program_from_json


def test_it_prints_the_rules_and_the_network(rulewright, run):
    done = rulewright("rules", run)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].endswith("grandparent(X, Z) :- parent(X, Y), parent(Y, Z).")
    assert "grandparent(X, Z) = best of" in lines
    assert any("parent(X, Y)" in line and "─" in line for line in lines)


def test_the_network_may_be_left_out(rulewright, run):
    assert "best of" not in rulewright("rules", run, "--no-tree").out


def test_only_so_many_rules_are_shown(rulewright, run):
    for none in (0, -3):
        done = rulewright("rules", run, "--top", none)
        assert (done.code, done.out) == (2, "")
    assert "parent(Y, Z)" in rulewright("rules", run, "--top", 1).out


def test_a_template_has_rules_about_its_head_alone(rulewright, run):
    assert "parent(Y, Z)" in rulewright("rules", run, "--relation", "grandparent").out
    for command in ("rules", "export"):
        done = rulewright(command, run, "--relation", "parent")
        assert (done.code, done.out) == (2, "")
        assert "about its head, grandparent, and none about parent" in done.err


def test_for_programs_it_prints_the_program(rulewright, run):
    done = rulewright("rules", run, "--json")
    program = program_from_json(json.loads(done.out))
    assert str(program.rules[0].rule) == "grandparent(X, Z) :- parent(X, Y), parent(Y, Z)."
    assert done.err == ""


def test_a_folder_without_a_run_is_told(rulewright, tmp_path):
    done = rulewright("rules", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "is not a run folder" in done.err
