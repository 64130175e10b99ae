"""RDF files (N-Triples, N-Quads, Turtle, TriG, RDF/XML, JSON-LD, N3), read with pyoxigraph.

Every statement is a binary fact. IRIs are names as they stand; a literal is a constant named by its text, without its
datatype and language; a blank node is named _:x. All named graphs are read as one.
"""

import re
from pathlib import Path
from types import ModuleType
from typing import Any

from rulewright.errors import FactFormatError, KnowledgeBaseError, MissingExtraError
from rulewright.kb.gathering import Gathering
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.nesting import check_nesting
from rulewright.kb.text_file import DEFAULT_LIMITS, ReadLimits, unreadable

LOCAL_NAME = re.compile(r"[^/#]*:(?=[^:/#]+\Z)|.*[/#](?=[^/#]+\Z)")
STATEMENTS_AT_A_TIME = 10_000


def read_rdf(path: str | Path, *, local_names: bool = False, limits: ReadLimits = DEFAULT_LIMITS) -> KnowledgeBase:
    """Read an RDF file, whose extension names its format.

    local_names  name an IRI by what follows its last / or #; an error when two IRIs would get one name. A literal with
                 the text of such a name is the same constant.
    """
    path, oxigraph, gathering = Path(path), pyoxigraph(), Gathering()
    format = oxigraph.RdfFormat.from_extension(path.suffix.removeprefix("."))
    if format is None:
        raise KnowledgeBaseError(
            f"{path} has no extension of an RDF format: .nt, .nq, .ttl, .trig, .rdf, .jsonld or .n3"
        )
    predicates, constants = Naming(oxigraph, path, local_names, limits), Naming(oxigraph, path, local_names, limits)
    relations: list[str] = []
    names: list[str] = []
    check_nesting(path, format.file_extension, limits)
    try:
        for statement in oxigraph.parse(path=str(path), format=format):
            relations.append(predicates.name(statement.predicate))
            names += (constants.name(statement.subject), constants.name(statement.object))
            if len(relations) == STATEMENTS_AT_A_TIME:
                gathering.add(relations, names, 2)
                relations, names = [], []
    except OSError as failure:
        raise unreadable(path, failure) from failure
    except SyntaxError as mistake:  # how pyoxigraph reports text that is no RDF
        reason = mistake.msg.split(": ", 1)[-1]
        raise FactFormatError(reason, path, mistake.lineno or 0, mistake.offset or 0) from mistake
    if relations:
        gathering.add(relations, names, 2)
    return gathering.knowledge_base(path)


def pyoxigraph() -> ModuleType:
    """The library that parses RDF, or an error that names the extra."""
    try:
        import pyoxigraph
    except ImportError as missing:
        raise MissingExtraError("reading RDF", "rdf") from missing
    return pyoxigraph


class Naming:
    """How RDF terms become names."""

    def __init__(self, oxigraph: ModuleType, path: Path, local_names: bool, limits: ReadLimits) -> None:
        self.iri, self.blank_node, self.literal = oxigraph.NamedNode, oxigraph.BlankNode, oxigraph.Literal
        self.path, self.local_names, self.limits = path, local_names, limits
        self.behind: dict[str, str] = {}  # local name -> the IRI that it stands for

    def name(self, term: Any) -> str:
        """The name of a term."""
        if isinstance(term, self.iri):
            name = self.local_name(term.value) if self.local_names else str(term.value)
        elif isinstance(term, self.literal):
            name = str(term.value)
        elif isinstance(term, self.blank_node):
            name = f"_:{term.value}"
        else:
            raise KnowledgeBaseError(f"{self.path} has a statement about a statement, which no fact can say: {term}")
        if len(name) > self.limits.name_length:
            raise KnowledgeBaseError(f"{self.path} has a name of {self.limits.passed('name_length')}: {name[:60]}...")
        return name

    def local_name(self, iri: str) -> str:
        """The end of an IRI; the whole of it when it ends in a separator."""
        name = LOCAL_NAME.sub("", iri, count=1)
        if self.behind.setdefault(name, iri) != iri:
            raise KnowledgeBaseError(
                f"{self.path}: local_names would give {self.behind[name]} and {iri} one name, {name}; read it without"
            )
        return name
