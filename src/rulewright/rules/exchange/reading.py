"""read_rules(path): the rules in a file, whichever tool wrote it."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rulewright.errors import InputError, RunFolderError
from rulewright.kb.text_file import DEFAULT_LIMITS, ReadLimits, text_blocks
from rulewright.logic.rated import RatedRule
from rulewright.rules.exchange.amie import ARROW as AMIE_ARROW
from rulewright.rules.exchange.amie import read_amie
from rulewright.rules.exchange.anyburl import ROW, read_anyburl
from rulewright.rules.exchange.rule_text import read_rule_text
from rulewright.rules.store import rule_from_json

LINES = 50  # looked at to tell who wrote a file


def read_rules(path: str | Path, limits: ReadLimits = DEFAULT_LIMITS) -> Iterator[RatedRule]:
    """The rules of a file of AnyBURL, AMIE or Rulewright (text or JSON), told apart by what they look like."""
    path = Path(path)
    if path.suffix.lower() == ".json":
        return read_rule_json(path)
    blocks = text_blocks(path, "utf-8", limits)
    first = list(islice((line for block in blocks for _, line in block.lines()), LINES))
    if any(ROW.match(line) for line in first):
        return read_anyburl(path, limits)
    if any(AMIE_ARROW in line.split("\t")[0] and ":-" not in line for line in first):
        return read_amie(path, limits)
    return read_rule_text(path, limits)


def read_rule_json(path: Path) -> Iterator[RatedRule]:
    """The rules of a program or of mixtures as `rulewright export --format json` writes them."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        for entry in data["rules"]:
            weight = entry.get("weight", entry.get("truth"))
            predicted = entry.get("predicted", entry.get("support") if "truth" in entry else None)
            figures = (weight, predicted, entry.get("correct"), entry.get("confidence"))
            kinds = (float, int, int, float)
            numbers = [None if figure is None else kind(figure) for kind, figure in zip(kinds, figures, strict=True)]
            yield RatedRule(rule_from_json(entry["rule"]), *numbers)
    except OSError as cause:
        raise InputError(f"cannot read {path}: {cause.strerror}") from cause
    except RunFolderError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as cause:
        raise InputError(f"{path} holds no rules as Rulewright writes them: {type(cause).__name__}: {cause}") from cause
