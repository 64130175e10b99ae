"""--rules FILE of `rulewright learn`: rules mined elsewhere or written by hand."""

from pathlib import Path

from rulewright.cli.output import print_note
from rulewright.cli.problem import Problem
from rulewright.completion.given import Given
from rulewright.completion.placing import given_rules
from rulewright.errors import InputError
from rulewright.kb.splits import Dataset
from rulewright.learning import fitting_rules
from rulewright.logic.rule import Rule
from rulewright.rules.exchange.reading import read_rules

SHOWN = 3


def rules_for_graph(path: Path, dataset: Dataset, strict: bool) -> Given:
    """The rules of a file as base predicates of a knowledge graph; what does not fit is told."""
    given = given_rules(read_rules(path), dataset.entities, dataset.relations)
    report(path, str(given.misfits), strict)
    if not len(given):
        raise InputError(f"{path} holds no rule that fits {dataset.name}")
    print_note(
        f"{sum(map(len, given.paths.values())):,} directed paths and "
        f"{sum(len(facts) for facts, _ in given.constants.values()):,} rules with constants from {path}, "
        f"for {len(given.relations)} of {len(dataset.relations)} relations"
    )
    return given


def rules_for_problem(path: Path, problem: Problem, strict: bool) -> list[Rule]:
    """The rules of a file that a template can say; what does not fit is told."""
    rules = [rated.rule for rated in read_rules(path)]
    fitting, others = fitting_rules(problem.kb, problem.template, problem.labels, rules)
    shown = "".join(f"\n    {rule}" for rule in others[:SHOWN])
    report(path, f"{len(others):,} rules do not fit: the template cannot say them{shown}" if others else "", strict)
    if not fitting:
        raise InputError(f"{path} holds no rule that the template can say")
    return fitting


def report(path: Path, misfits: str, strict: bool) -> None:
    """Say what does not fit; with --strict-rules it is an error."""
    if misfits and strict:
        raise InputError(f"{path}: {misfits}\nWithout --strict-rules they are left out.")
    if misfits:
        print_note(f"{path}: {misfits}")
