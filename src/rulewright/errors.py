"""Everything that can go wrong, as one tree.

    RulewrightError
      InputError                  what the user gave us is wrong (also a ValueError)
        FactFormatError             a file, line and column of facts that cannot be read
        KnowledgeBaseError          facts that do not form a knowledge base (empty, arity clash, NaN truth)
        TemplateSyntaxError         the template text does not parse
        TemplateBindingError        the template does not fit the knowledge base; all problems at once
        InfeasibleSystemError       linear constraints that contradict each other
        InfeasibleOperatorError     no operator of that arity exists at that alpha
        LabelError                  labels that no training can use
        OptionError                 an option with a value it cannot have
        DatasetError                a data set that is unknown, incomplete, or not what its name promises
        RunFolderError              a run folder that cannot be read or written
        MissingExtraError           an optional dependency is not installed
        MemoryBudgetError           work that cannot fit the memory it was given
      GroundingTooLargeError      a join would pass the row limit
      EmptyGroundingError         no fact can arise at some node of the template
      TrainingDivergedError       the loss is no longer finite
      DownloadError               a data set that cannot be fetched
      EngineError                 a cluster that cannot be reached, or whose workers are lost
      NotFittedError              a learner was asked before it was fitted

A caller who wants to separate the user's mistakes from everything else writes

    try:
        learned = rulewright.learn(kb, template, labels)
    except rulewright.InputError as mistake:
        print(mistake)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path


class RulewrightError(Exception):
    """Base of every error that Rulewright raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        # Python would rebuild an error by calling its class with the finished message, which fails wherever the class
        # takes other arguments; the error must survive the way back from a worker process.
        return _rebuilt, (type(self), self.args, dict(vars(self)))


class InputError(RulewrightError, ValueError):
    """What the user gave us is wrong; the message says what, where and what to write instead."""


class FactFormatError(InputError):
    """A place in a file of facts that cannot be read."""

    def __init__(self, message: str, source: str | Path, line: int = 0, column: int = 0, text: str = "") -> None:
        self.source, self.line, self.column, self.text = str(source), line, column, text
        place = self.source + (f":{line}" if line else "") + (f":{column}" if column else "")
        super().__init__(f"{place}: {message}{excerpt(text, column)}")


class KnowledgeBaseError(InputError):
    """Facts that do not form a knowledge base: none at all, two arities of one predicate, a truth outside [0, 1]."""


class TemplateSyntaxError(InputError):
    """The template text does not parse; `line` and `column` count from 1."""

    def __init__(self, message: str, text: str, line: int, column: int) -> None:
        self.text, self.line, self.column = text, line, column
        super().__init__(pointed(message, text, line, column))


@dataclass(frozen=True)
class Problem:
    """One mistake in a template: what is wrong, and where (line and column from 1, 0 when there is no place)."""

    message: str
    line: int = 0
    column: int = 0


class TemplateBindingError(InputError):
    """A template that parses but does not fit the knowledge base. `problems` holds every mistake found."""

    def __init__(self, problems: Sequence[Problem], text: str = "") -> None:
        self.problems, self.text = tuple(problems), text
        super().__init__("\n".join(pointed(p.message, text, p.line, p.column) for p in self.problems))


class InfeasibleSystemError(InputError):
    """Linear constraints that no point satisfies; `row` names the first that the ones before it rule out."""

    def __init__(self, row: str) -> None:
        self.row = row
        super().__init__(
            f"the linear constraints contradict each other: the ones before {row} leave nothing that satisfies it. "
            f"Loosen it or drop it (slack variables do so for the LNN constraints)."
        )


class InfeasibleOperatorError(InputError):
    """The LNN constraints have no solution: n inputs need alpha > n / (n + 1), or what else `needs` says."""

    def __init__(self, alpha: float, arity: int, needs: str = "") -> None:
        self.alpha, self.arity = alpha, arity
        needs = needs or f"alpha must lie in ({arity}/{arity + 1}, 1] = ({arity / (arity + 1):.4g}, 1]"
        super().__init__(
            f"no LNN operator with {arity} inputs exists at alpha = {alpha:g}: {needs}. Raise alpha, give the operator "
            f"fewer inputs, or choose a parameter-free one (@product, @lukasiewicz)."
        )


class LabelError(InputError):
    """Labels that no training can use: a fact the template cannot generate, no positive, no negative."""


class OptionError(InputError):
    """An option with a value it cannot have."""


class DatasetError(InputError):
    """A data set that is unknown, lacks a file, or is not what its name promises."""


class RunFolderError(InputError):
    """A run folder that is missing, broken, or written by a newer version."""


class MissingExtraError(InputError):
    """An optional dependency is not installed; the message names the extra that brings it."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs an optional dependency: pip install 'rulewright[{extra}]'")


class MemoryBudgetError(InputError):
    """Work that cannot fit the memory it was given; `needed` is the least that would do, in bytes."""

    def __init__(self, what: str, budget: int, needed: int, parts: str = "") -> None:
        self.budget, self.needed = budget, needed
        shown = f" ({parts})" if parts else ""
        super().__init__(
            f"{what} needs at least {needed / 1e9:.2f} GB{shown}, more than the {budget / 1e9:.2f} GB given. Give more "
            f"memory, or learn from fewer facts or with smaller settings."
        )


class GroundingTooLargeError(RulewrightError):
    """A join would produce more rows than the limit allows."""

    def __init__(self, where: str, rows: int, limit: int) -> None:
        self.where, self.rows, self.limit = where, rows, limit
        super().__init__(
            f"{where} would produce {rows:,} rows; the limit is {limit:,}. Narrow a domain, add a condition "
            f"that shares a variable, ground only the head facts you need, or raise the limit."
        )


class EmptyGroundingError(RulewrightError):
    """No fact can arise at a node of the template."""

    def __init__(self, node: str, why: str = "") -> None:
        self.node = node
        super().__init__(f"no fact can arise at {node}" + (f": {why}" if why else ""))


class DownloadError(RulewrightError):
    """A data set that cannot be fetched; the message names the address, and the folder to put its files in by hand."""


class EngineError(RulewrightError):
    """A cluster that cannot be reached or used, or a piece of work that it lost with its workers."""


class NotFittedError(RulewrightError):
    """A learner was asked for predictions before it was fitted."""


class TrainingDivergedError(RulewrightError):
    """The loss is no longer finite."""

    def __init__(self, epoch: int, last_finite: float | None) -> None:
        self.epoch, self.last_finite = epoch, last_finite
        known = "none" if last_finite is None else f"{last_finite:g}"
        super().__init__(f"the loss is not finite in epoch {epoch} (last finite value: {known}); lower the step size")


def _rebuilt(kind: type[RulewrightError], args: tuple[object, ...], fields: dict[str, object]) -> RulewrightError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


def excerpt(text: str, column: int, width: int = 120) -> str:
    """The part of a line around a column, with a caret under it; nothing without a text and a column.

    Every character takes one place, so that the caret stands right: a tab shows as an arrow, any other character that
    a terminal would not print as a question mark.
    """
    if not text or not column:
        return ""
    start = max(0, min(column - width // 2, len(text) - width))
    shown = "".join("→" if c == "\t" else c if c.isprintable() else "?" for c in text[start : start + width])
    return f"\n  {shown}\n  {' ' * (column - 1 - start)}^"


def pointed(message: str, text: str, line: int, column: int) -> str:
    """The message with its place and the offending line, a caret under the column."""
    lines = text.split("\n")
    if not text or not 1 <= line <= len(lines):
        return message
    return f"line {line}, column {column}: {message}{excerpt(lines[line - 1].rstrip(), column)}"


def nearest(name: str, known: Sequence[str], count: int = 3) -> str:
    """' (did you mean ...?)' with the known names closest to a misspelt one, or nothing."""
    found = get_close_matches(name, dict.fromkeys(known), n=count, cutoff=0.6)
    return f" (did you mean {' or '.join(found)}?)" if found else ""
