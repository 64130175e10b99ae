"""A learning problem as a folder of plain text files.

facts.pl  facts.tsv  facts/*.csv     what is known
template.rules                       the shape of the rules to learn
labels.pl  labels.csv                head facts, true ones or with a truth; left out: the facts have the head's relation
"""

from dataclasses import dataclass
from pathlib import Path

from rulewright.errors import InputError
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.kb.reading import read_facts

TEMPLATE = "template.rules"


@dataclass(frozen=True)
class Problem:
    """Facts, the template's text, and labels where a file gives them."""

    kb: KnowledgeBase
    template: str
    labels: dict[Fact, float] | None


def read_problem(data: Path, template: Path | None, labels: Path | None) -> Problem:
    """The problem in a folder, or in a file of facts with a template beside it."""
    if not data.exists():
        raise InputError(f"{data} does not exist: name a folder with facts and a {TEMPLATE}, or a file of facts")
    folder = data if data.is_dir() else data.parent
    template = template or folder / TEMPLATE
    if not template.is_file():
        raise InputError(f"there is no template: {template} does not exist; write one or name it with --template FILE")
    labels = labels or next((path for path in sorted(folder.glob("labels.*"))), None)
    return Problem(read_facts(data), read_text(template), None if labels is None else read_labels(labels))


def read_labels(path: Path) -> dict[Fact, float]:
    """The facts of the one predicate in a file of labels, with their truths."""
    kb = read_facts(path)
    if len(kb.relations) != 1:
        raise InputError(f"{path} labels {', '.join(kb.relations)}: a file of labels holds facts of one predicate")
    (name,) = kb.relations
    return dict(zip(kb.facts_of(name), kb[name].truths.tolist(), strict=True))


def read_text(path: Path) -> str:
    """A UTF-8 text file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as cause:
        raise InputError(f"cannot read {path}: {cause}") from cause
