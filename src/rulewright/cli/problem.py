"""A learning problem as a folder of plain text files.

facts.pl  facts.tsv  facts/*.csv  *.csv    what is known
template.rules                             the shape of the rules to learn
labels.pl  labels.csv                      head facts that are true, or with their truth; without such a file, the
                                           facts of the head's own relation
"""

from dataclasses import dataclass
from pathlib import Path

from rulewright.errors import InputError
from rulewright.kb.gathering import Gathering
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.kb.reading import FACTS, PROLOG, TRIPLES, read_facts
from rulewright.kb.tables import LABELS, Table, tables_in
from rulewright.kb.text_file import DEFAULT_LIMITS, readable

TEMPLATE = "template.rules"
LARGEST_TEXT = 8 << 20  # bytes of a template or of settings; a template may have a million characters


@dataclass(frozen=True)
class Problem:
    """Facts, the template's text, and labels where a file gives them."""

    kb: KnowledgeBase
    template: str
    labels: dict[Fact, float] | None


def read_problem(data: Path, template: Path | None, labels: Path | None) -> Problem:
    """The problem in a folder, or in a file of facts with a template beside it."""
    with readable(data):
        if not data.exists():
            raise InputError(f"{data} does not exist: name a folder with facts and a {TEMPLATE}, or a file of facts")
        folder = data if data.is_dir() else data.parent
    template = template or folder / TEMPLATE
    if not template.is_file():
        raise InputError(f"there is no template: {template} does not exist; write one or name it with --template FILE")
    text = read_text(template)
    facts = folder / FACTS if data.is_dir() and (folder / FACTS).is_dir() else data
    kb = read_facts(facts)
    labels = labels or labels_in(folder)
    if labels is None:
        return Problem(kb, text, None)
    as_table = facts.is_dir() and any(file.stem != FACTS for file in tables_in(facts))
    return Problem(kb, text, read_labels(labels, as_table))


def labels_in(folder: Path) -> Path | None:
    """The one file of labels in a folder, if there is one."""
    suffixes = (*PROLOG, *TRIPLES, ".csv")
    found = sorted(file for file in folder.glob(f"{LABELS}.*") if file.suffix.lower() in suffixes)
    if len(found) > 1:
        names = " and ".join(file.name for file in found)
        raise InputError(f"{folder} holds {names}: keep one of them, or name it with --labels FILE")
    return found[0] if found else None


def read_labels(path: Path, as_table: bool) -> dict[Fact, float]:
    """The facts of the one predicate in a file of labels, with their truths.

    They are written as the facts are: where these are tables, one file per predicate, so are the labels.
    """
    if as_table and path.suffix.lower() in (".csv", ".tsv"):
        gathering = Gathering()
        Table(path, "utf-8", DEFAULT_LIMITS).gather(None, gathering)
        kb = gathering.knowledge_base(path)
    else:
        kb = read_facts(path)
    if len(kb.relations) != 1:
        raise InputError(f"{path} labels {', '.join(kb.relations)}: a file of labels holds facts of one predicate")
    (name,) = kb.relations
    return dict(zip(kb.facts_of(name), kb[name].truths.tolist(), strict=True))


def read_text(path: Path) -> str:
    """A UTF-8 text file, with or without a byte order mark."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_TEXT + 1)
        if len(content) > LARGEST_TEXT:
            raise InputError(f"{path} has more than {LARGEST_TEXT:,} bytes: that is no template, and no settings")
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as cause:
        raise InputError(f"cannot read {path}: {cause}") from cause
