"""Reading facts from whatever is there: a file by its extension, a folder by its files."""

import stat
from pathlib import Path

from rulewright.errors import KnowledgeBaseError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.prolog import read_prolog
from rulewright.kb.rdf import read_rdf
from rulewright.kb.tables import read_tables, tables_in
from rulewright.kb.text_file import DEFAULT_LIMITS, ReadLimits, readable
from rulewright.kb.triples import read_triples

TRIPLES = (".tsv", ".txt")
PROLOG = (".pl", ".pro", ".facts", ".dl")
RDF = (".nt", ".nq", ".ttl", ".trig", ".rdf", ".jsonld", ".n3")
KNOWN = (
    f"{' '.join(TRIPLES)} (triples separated by tabs), .csv (triples separated by commas), "
    f"{' '.join(PROLOG)} (Prolog-style facts), {' '.join(RDF)} (RDF)"
)
FACTS = "facts"


def read_facts(
    path: str | Path,
    *,
    header: bool | None = None,
    encoding: str = "utf-8",
    limits: ReadLimits = DEFAULT_LIMITS,
) -> KnowledgeBase:
    """Read a knowledge base from a file or a folder.

    .tsv .txt              triples: head, relation, tail, and optionally the truth, separated by tabs
    .csv                   the same, separated by commas
    .pl .pro .facts .dl    Prolog-style facts: parent(ann, bob).
    .nt .nq .ttl ...       RDF, with the extra `rdf`
    a folder               its file facts.<one of these extensions>, or else one .csv or .tsv file per predicate

    header    whether the first line of a .csv file, or of every file of a folder of tables, names the columns; None
              decides by the rules of `read_triples` (it says head,relation,tail) and `read_tables` (its mark)
    encoding  of everything but RDF, which is always UTF-8

    The readers themselves (`read_triples`, `read_tables`, `read_prolog`, `read_rdf`) have more options.
    """
    path = Path(path)
    with readable(path):
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    if is_folder:
        return read_folder(path, header, encoding, limits)
    suffix = path.suffix.lower()
    if suffix in TRIPLES:
        return read_triples(path, header=bool(header), encoding=encoding, limits=limits)
    if suffix == ".csv":
        return read_triples(path, separator=",", quotes=True, header=header, encoding=encoding, limits=limits)
    if suffix in PROLOG:
        return read_prolog(path, encoding=encoding, limits=limits)
    if suffix in RDF:
        return read_rdf(path, limits=limits)
    raise KnowledgeBaseError(f"{path} has no extension that says how to read it; known are {KNOWN}")


def read_folder(folder: Path, header: bool | None, encoding: str, limits: ReadLimits) -> KnowledgeBase:
    """The facts of a folder: its facts file, or its tables."""
    known = {*TRIPLES, ".csv", *PROLOG, *RDF}
    with readable(folder):
        present = sorted(file for file in folder.iterdir() if file.is_file() and file.name[0] != ".")
    whole = [file for file in present if file.stem == FACTS and file.suffix.lower() in known]
    tables = [file for file in tables_in(folder) if file.stem != FACTS]
    if len(whole) > 1 or (whole and tables):
        names = ", ".join(file.name for file in (*whole, *tables))
        raise KnowledgeBaseError(
            f"{folder} holds the facts more than once: {names}; read one file, or remove the others"
        )
    if whole:
        return read_facts(whole[0], header=header, encoding=encoding, limits=limits)
    if tables:
        return read_tables(folder, header=header, encoding=encoding, limits=limits)
    found = ", ".join(file.name for file in present[:10]) or "no file"
    raise KnowledgeBaseError(
        f"{folder} holds neither a file {FACTS}.* with an extension out of {KNOWN}, nor a .csv or .tsv file per "
        f"predicate (labels.* does not count); it holds {found}"
    )
