import os
import re
import signal
import subprocess
import sys
import time

import pytest

from rulewright.cli import app as command_line
from rulewright.cli.learn_graph import what_is_kept
from rulewright.completion.settings import CompletionSettings
from rulewright.completion.unfinished import UnfinishedRun
from rulewright.errors import InputError, RulewrightError


def cleanly(done, code: int) -> str:
    """The message of a command that failed as it should: no result, no traceback."""
    assert done.code == code
    assert done.out == ""
    assert "Traceback" not in done.err
    assert done.err.startswith("error: ")
    return done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--objective", "hinge"], "objective must be one of binary, margin, softmax"),
        (["--optimiser", "sgd"], "optimiser must be one of adam, adagrad"),
        (["--step", "0"], "step and margin must be greater than 0"),
        (["--epochs", "0"], "epochs must be a whole number, at least 1"),
        (["--validation", "1.5"], "validation is a share"),
        (["--seed", "-1"], "seed must be a whole number"),
        (["--alpha", "0.6"], "no LNN operator with 2 inputs exists at alpha = 0.6"),
        (["--template", "missing.rules"], "there is no template: missing.rules does not exist"),
        (["--labels", "missing.pl"], "there is no file or folder missing.pl"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_of_the_users_leaves_with_2_and_one_clean_message(rulewright, problem, options, message):
    assert message in cleanly(rulewright("learn", problem, *options), 2)


def test_data_that_is_not_there_is_told(rulewright, tmp_path):
    assert "missing" in cleanly(rulewright("learn", tmp_path / "missing"), 2)


def test_a_folder_without_a_template_is_told_what_a_folder_may_hold(rulewright, problem):
    (problem / "template.rules").unlink()
    message = cleanly(rulewright("learn", problem), 2)
    assert "template.rules" in message
    assert "train.txt" in message


def test_facts_and_templates_that_do_not_parse_are_shown_with_a_caret(rulewright, problem):
    (problem / "template.rules").write_text("grandparent(X, Z :- parent(X, Y).")
    message = cleanly(rulewright("learn", problem), 2)
    assert "line 1, column" in message
    assert message.splitlines()[-1].strip() == "^"
    (problem / "facts.pl").write_text("parent(ann, Bob).")
    message = cleanly(rulewright("learn", problem), 2)
    assert "facts.pl:1:13" in message


def test_all_mistakes_of_a_template_are_told_at_once(rulewright, problem):
    (problem / "template.rules").write_text("grandparent(X, Z) :- P(X, Y), qarent(Y, W).\nP in {parrent}.")
    message = cleanly(rulewright("learn", problem), 2)
    assert "did you mean parent" in message
    assert "head variable Z" in message
    assert "line 2" in message


def test_a_file_that_is_no_text_is_told(rulewright, problem):
    (problem / "template.rules").write_bytes(b"\xff\xfe\x00")
    assert "cannot read" in cleanly(rulewright("learn", problem), 2)


def test_a_run_is_not_written_over_something_else(rulewright, problem, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    assert "choose another place" in rulewright("learn", problem, "--out", tmp_path / "mine").err
    assert (tmp_path / "mine" / "notes.txt").read_text() == "mine"


def test_what_fails_without_being_a_mistake_leaves_with_1(rulewright, problem):
    assert "lower the step size" in cleanly(rulewright("learn", problem, "--step", "1e38"), 1)


def test_with_debug_the_traceback_is_shown_too(rulewright, problem):
    done = rulewright("--debug", "learn", problem, "--step", "0")
    assert done.code == 2
    assert "Traceback (most recent call last)" in done.err
    assert "error: step and margin" in done.err
    cleanly(rulewright("learn", problem, "--step", "0"), 2)  # and the next command is back to normal


def test_what_nobody_foresaw_is_one_message_too(rulewright, problem, monkeypatch):
    def surprise(*_, **__):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("rulewright.cli.learn.read_problem", surprise)
    assert "unexpected ZeroDivisionError: division by zero" in cleanly(rulewright("learn", problem), 1)


@pytest.mark.parametrize(
    "arguments", [["lern"], ["learn"], ["learn", "x", "--stepp", "1"], ["learn", "x", "--step", "a"]]
)
def test_the_wrong_words_leave_with_2(rulewright, arguments):
    done = rulewright(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err


@pytest.mark.parametrize("arguments", [["--help"], ["learn", "--help"], ["rules", "-h"], ["predict", "--help"]])
def test_help_is_a_result(rulewright, arguments):
    done = rulewright(*arguments)
    assert done.code == 0
    assert "Usage" in done.out


def test_the_version_is_a_result(rulewright):
    done = rulewright("--version")
    assert done.code == 0
    assert re.fullmatch(r"rulewright \d+\.\d+.*\n", done.out)


NASTY = "[red]x[/red] :bomb: \x1b[31m\x9b2J\u202e\x07"


@pytest.fixture
def nasty(problem):
    """A problem in whose facts a name holds markup, an emoji's name, and characters that steer a terminal."""
    name = NASTY.replace("\\", "\\\\")
    for file in ("facts.pl", "labels.pl"):
        text = (problem / file).read_text().replace("eve", f"'{name}'").replace("friend", "'[b]friend[/b]\x1b[2J'")
        (problem / file).write_text(text)
    (problem / "template.rules").write_text("grandparent(X, Z) :- P(X, Y), Q(Y, Z).\nP in *.\nQ in *.\n")
    return problem


def test_strange_names_are_printed_as_they_are_but_steer_nothing(rulewright, nasty, tmp_path):
    outputs = [
        rulewright("learn", nasty, "--out", tmp_path / "run"),
        rulewright("rules", tmp_path / "run"),
        rulewright("predict", tmp_path / "run"),
        rulewright("predict", tmp_path / "run", NASTY),
        rulewright("learn", nasty, "--json"),
        rulewright("predict", tmp_path / "run", "--json"),
    ]
    for done in outputs:
        assert done.code == 0
        assert all(c.isprintable() or c == "\n" for c in done.out + done.err)
    assert r"[red]x[/red] :bomb: \x1b[31m\x9b2J\u202e\x07" in outputs[2].out


def test_strange_names_in_errors_steer_nothing(rulewright, nasty):
    (nasty / "template.rules").write_text("grandparent(X, Z) :- P(X, Z).\nP in {'[red]par\x1bent'}.")
    message = cleanly(rulewright("learn", nasty), 2)
    assert "[red]par" in message
    assert all(c.isprintable() or c == "\n" for c in message)


def test_exit_codes_follow_the_tree_of_errors(rulewright, problem, monkeypatch):
    for error, code in ((InputError("mine"), 2), (RulewrightError("yours"), 1)):

        def fail(*_, error=error, **__):
            raise error

        monkeypatch.setattr("rulewright.cli.learn.read_problem", fail)
        assert cleanly(rulewright("learn", problem), code) == f"error: {error}\n"


def in_a_process(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    # A shell lets what it starts in the background ignore interruptions, and tests may have been started so.
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{listening}; from rulewright.cli.app import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def test_a_reader_may_leave_early_and_any_terminal_can_be_written_to(run):
    process = in_a_process("rules", run, PYTHONIOENCODING="ascii")
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert r"\u2514\u2500" in out  # the tree's lines, which this terminal does not have
    process = in_a_process("rules", run)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 0  # it has what it wanted
    assert err == ""


def test_nobody_need_read_what_is_said_beside_the_results(problem, tmp_path):
    process = in_a_process("learn", problem, "--out", tmp_path / "unwatched")
    process.stderr.close()
    assert "grandparent" in process.stdout.read()
    process.stdout.close()
    assert process.wait() == 0
    assert (tmp_path / "unwatched" / "run.json").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise")
def test_an_interruption_is_told_and_leaves_nothing_half_written(tmp_path):
    process = in_a_process("learn", "kinship", "--threads", 1, "--out", tmp_path / "half")
    time.sleep(6)  # an idle machine is at work by then, and far from done; at any other moment the outcome is the same
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "interrupted"
    assert "Traceback" not in err
    assert not (tmp_path / "half").exists()


def test_who_interrupts_is_told_what_is_kept(rulewright, tmp_path, capsys):
    (tmp_path / "relation-0.safetensors").touch()
    (tmp_path / "relation-1.safetensors").touch()
    for kept in (UnfinishedRun(tmp_path, 1, 0, CompletionSettings()), None):
        with pytest.raises(KeyboardInterrupt), what_is_kept(kept):
            raise KeyboardInterrupt
    assert capsys.readouterr().err == "relations that are done and kept: 2; the same command goes on from there\n"


@pytest.mark.parametrize("words", [["--preset", "paper", "--tune", "2"], ["--threads", "1"]])
def test_options_for_a_graph_are_none_for_a_template(rulewright, problem, words):
    message = cleanly(rulewright("learn", problem, *words), 2)
    assert words[0] in message
    assert "for a knowledge graph only" in message


def test_options_for_a_template_are_none_for_a_graph(rulewright):
    message = cleanly(rulewright("learn", "umls", "--alpha", 0.95, "--epochs", 3), 2)
    assert message.startswith("error: --alpha, --epochs: for a template only, and umls is a knowledge graph")


def test_the_place_of_a_run_is_looked_at_before_anything_is_learned(rulewright, problem, tmp_path, monkeypatch):
    monkeypatch.setattr("rulewright.cli.learn.learn", lambda *_, **__: pytest.fail("it was learned first"))
    (tmp_path / "taken").touch()
    assert "is not a folder" in cleanly(rulewright("learn", problem, "--out", tmp_path / "taken"), 2)


def test_the_handler_of_errors_is_the_only_way_out(monkeypatch, capsys):
    monkeypatch.setattr(command_line, "app", lambda: None)
    command_line.main()
    assert capsys.readouterr() == ("", "")
