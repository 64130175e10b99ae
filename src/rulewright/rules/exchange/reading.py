"""read_rules(path): the rules in a file, whichever tool wrote it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from rulewright.errors import InputError
from rulewright.kb.text_file import DEFAULT_LIMITS, ReadLimits, byte_blocks, text_blocks
from rulewright.logic.rated import RatedRule, figure
from rulewright.rules.exchange.amie import ARROW as AMIE_ARROW
from rulewright.rules.exchange.amie import DATALOG as AMIE_DATALOG
from rulewright.rules.exchange.amie import read_amie
from rulewright.rules.exchange.anyburl import ROW, read_anyburl
from rulewright.rules.exchange.rule_text import read_rule_text
from rulewright.rules.store import rule_from_json

LINES = 50  # looked at to tell who wrote a file
LARGEST_JSON = 1 << 30  # bytes; unlike text it is in memory as a whole, and read it takes some ten times as much


def read_rules(path: str | Path, limits: ReadLimits = DEFAULT_LIMITS) -> Iterator[RatedRule]:
    """The rules of a file of AnyBURL, AMIE or Rulewright (text or JSON), told apart by what they look like."""
    path = Path(path)
    if path.suffix.lower() == ".json":
        return read_rule_json(path, limits)
    blocks = text_blocks(path, "utf-8", limits)
    first = list(islice((line for block in blocks for _, line in block.lines()), LINES))
    if any(ROW.match(line) for line in first):
        return read_anyburl(path, limits)
    if any(":-" not in line and (AMIE_ARROW in line.split("\t")[0] or AMIE_DATALOG.match(line)) for line in first):
        return read_amie(path, limits)
    return read_rule_text(path, limits)


def read_rule_json(path: Path, limits: ReadLimits = DEFAULT_LIMITS) -> Iterator[RatedRule]:
    """The rules of a program or of mixtures as `rulewright export --format json` writes them."""
    limits = replace(limits, file_bytes=min(limits.file_bytes, LARGEST_JSON))
    try:
        data: Any = json.loads(b"".join(byte_blocks(path, limits)).decode("utf-8"))
        for entry in data["rules"]:
            weight = entry.get("weight", entry.get("truth"))
            predicted = entry.get("predicted", entry.get("support") if "truth" in entry else None)
            figures = (weight, predicted, entry.get("correct"), entry.get("confidence"))
            kinds = (float, int, int, float)
            stated = zip(kinds, figures, strict=True)
            numbers = [None if found is None else kind(figure(found)) for kind, found in stated]
            yield RatedRule(rule_from_json(entry["rule"]), *numbers)
    except InputError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as cause:
        raise InputError(f"{path} holds no rules as Rulewright writes them: {type(cause).__name__}: {cause}") from cause
