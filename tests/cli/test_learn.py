import json

import pytest

RULE = "grandparent(X, Z) :- parent(X, Y), parent(Y, Z)."


def test_it_prints_the_rules_of_a_problem(rulewright, problem):
    done = rulewright("learn", problem)
    assert done.code == 0
    first, last = done.out.splitlines()
    assert first.endswith(RULE)
    assert first.split()[:4] == ["1.000", "100.0%", "of", "4"]
    assert last.startswith("the text agrees with the network on 100.00%")
    assert done.err == ""


def test_for_programs_it_prints_json_and_nothing_else(rulewright, problem, tmp_path):
    done = rulewright("learn", problem, "--json", "--out", tmp_path / "run")
    document = json.loads(done.out)
    assert [entry["text"] for entry in document["rules"]] == [RULE]
    assert done.out.isascii()
    assert "run written to" in done.err


def test_it_writes_a_run_that_the_other_commands_read(rulewright, problem, tmp_path):
    done = rulewright("learn", problem, "--out", tmp_path / "runs" / "first")
    assert str(tmp_path / "runs" / "first") in done.err
    assert RULE in rulewright("rules", tmp_path / "runs" / "first").out


def test_one_seed_gives_one_output(rulewright, problem):
    first, second = (rulewright("learn", problem, "--seed", 7, "--json") for _ in range(2))
    assert first == second


def test_a_file_of_facts_has_its_template_beside_it_or_named(rulewright, problem, tmp_path):
    assert RULE in rulewright("learn", problem / "facts.pl").out
    template = (problem / "template.rules").rename(tmp_path / "shape.txt")
    labels = (problem / "labels.pl").rename(tmp_path / "true.pl")
    done = rulewright("learn", problem / "facts.pl", "--template", template, "--labels", labels)
    assert RULE in done.out


def test_labels_may_lie_among_the_facts(rulewright, problem):
    facts = problem / "facts.pl"
    facts.write_text(facts.read_text() + (problem / "labels.pl").read_text())
    (problem / "labels.pl").unlink()
    assert RULE in rulewright("learn", problem).out


def test_labels_may_have_truths(rulewright, problem):
    (problem / "labels.pl").write_text("0.9::grandparent(ann, cy). grandparent(bob, eve). 0.1::grandparent(eve, ann).")
    done = rulewright("learn", problem, "--json")
    assert json.loads(done.out)["fidelity"]["facts"] > 3
    assert [entry["support"] for entry in json.loads(done.out)["rules"]][:1] == [2]


@pytest.mark.parametrize("place", ["", "facts"])
def test_facts_and_labels_may_be_tables(rulewright, problem, place):
    lines = (problem / "facts.pl").read_text().replace("\n", " ").split(". ")
    (problem / "facts.pl").unlink()
    (problem / place).mkdir(exist_ok=True)
    for name in ("parent", "friend"):
        rows = [line.strip()[len(name) + 1 :].rstrip(").") for line in lines if line.strip().startswith(name)]
        (problem / place / f"{name}.csv").write_text("\n".join(rows) + "\n")
    (problem / "labels.pl").unlink()
    (problem / "labels.csv").write_text("x,z,truth\nann,cy,1\nann,di,1\nbob,eve,1\nann,gus,1\n")
    (problem / "labels.md").write_text("about the labels")
    done = rulewright("learn", problem, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)["rules"]
    assert [entry["text"] for entry in found][:1] == [RULE]


def test_two_files_of_labels_are_one_too_many(rulewright, problem):
    (problem / "labels.csv").write_text("ann,grandparent,cy\n")
    done = rulewright("learn", problem)
    assert (done.code, done.out) == (2, "")
    assert "labels.csv and labels.pl: keep one of them" in done.err


def test_labels_of_two_predicates_are_refused(rulewright, problem):
    (problem / "labels.pl").write_text("grandparent(ann, cy). uncle(ann, cy).")
    done = rulewright("learn", problem)
    assert done.code == 2
    assert "labels grandparent, uncle: a file of labels holds facts of one predicate" in done.err


def test_labels_that_cannot_arise_may_be_left_out(rulewright, problem):
    with (problem / "labels.pl").open("a") as file:
        file.write("grandparent(eve, gus).")
    done = rulewright("learn", problem)
    assert done.code == 2
    assert "grandparent(eve, gus)" in done.err
    assert RULE in rulewright("learn", problem, "--ignore-impossible").out


@pytest.mark.parametrize(
    "options",
    [
        ["--objective", "margin"],
        ["--optimiser", "adagrad", "--step", "0.3"],
        ["--alpha", "0.8"],
        ["--validation", "0.3", "--seed", "1"],
        ["--restarts", "1", "--epochs", "100", "--batch", "2"],
    ],
    ids=" ".join,
)
def test_options_reach_the_training(rulewright, problem, options):
    done = rulewright("learn", problem, *options, "--json")
    assert done.code == 0, done.err
    assert RULE in [entry["text"] for entry in json.loads(done.out)["rules"]]
