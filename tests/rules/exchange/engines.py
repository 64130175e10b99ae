"""Other engines, run on what was exported."""

import shutil
import subprocess
from pathlib import Path

import clingo
import pytest

needs_prolog = pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog is not installed")


def prolog(text: str, goal: str, folder: Path) -> list[str]:
    """The lines that a goal prints; any warning or error of the system fails the test."""
    file = folder / "program.pl"
    file.write_text(text, encoding="utf-8")
    command = ["swipl", "-q", "-g", f"set_stream(user_output, encoding(utf8)), {goal}", "-t", "halt", str(file)]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, encoding="utf-8", check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def prolog_facts(text: str, predicate: str, arity: int, folder: Path) -> set[tuple[str, ...]]:
    """The facts of a predicate, by the text of their constants (which must hold no tab)."""
    variables = ", ".join(f"X{place}" for place in range(arity))
    show = f"forall('{predicate}'({variables}), (atomic_list_concat([{variables}], '\\t', T), format('~w~n', [T])))"
    return {tuple(line.split("\t")) for line in prolog(text, show, folder)}


def clingo_facts(text: str) -> set[tuple[str, ...]]:
    """The facts that a Datalog program shows, by the text of their constants."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        (found,) = [[symbol.arguments for symbol in model.symbols(shown=True)] for model in models]
    return {tuple(map(shown, arguments)) for arguments in found}


def shown(term: clingo.Symbol) -> str:
    return term.string if term.type == clingo.SymbolType.String else str(term)
