import builtins
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import FactFormatError, KnowledgeBaseError, MissingExtraError, RulewrightError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.rdf import read_rdf
from rulewright.kb.text_file import ReadLimits

PREFIX = "@prefix : <http://x.org/> . @prefix y: <http://y.org/k#> .\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rdf")


def read(folder: Path, text: str | bytes, suffix: str = ".ttl", **options: Any) -> KnowledgeBase:
    file = folder / f"facts{suffix}"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_rdf(file, **options)


def test_a_statement_is_a_binary_fact_with_whole_iris_as_names(folder: Path) -> None:
    kb = read(folder, PREFIX + ":ann :parent :bob .")
    assert kb.facts_of("http://x.org/parent") == [("http://x.org/ann", "http://x.org/bob")]


def test_literals_are_named_by_their_text_and_blank_nodes_by_their_label(folder: Path) -> None:
    kb = read(folder, PREFIX + '_:n :p 5, "x y"@en, 1.50 .')
    assert set(kb.facts_of("http://x.org/p")) == {("_:n", "5"), ("_:n", "x y"), ("_:n", "1.50")}


def test_local_names_are_what_follows_the_last_slash_or_hash(folder: Path) -> None:
    kb = read(folder, PREFIX + ":ann y:parent <urn:isbn:bob>, <http://z.org/> .", local_names=True)
    assert set(kb.facts_of("parent")) == {("ann", "bob"), ("ann", "http://z.org/")}


def test_two_iris_of_one_local_name_are_an_error(folder: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"http://x.org/ann and http://y.org/k#ann one name, ann"):
        read(folder, PREFIX + ":ann :p y:ann .", local_names=True)


def test_a_predicate_and_a_constant_may_share_a_local_name(folder: Path) -> None:
    assert read(folder, PREFIX + ":p y:p :a .", local_names=True).facts_of("p") == [("p", "a")]


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".nt", "<http://x/a> <http://x/p> <http://x/b> .\n"),
        (".nq", "<http://x/a> <http://x/p> <http://x/b> <http://x/graph> .\n"),
        (".trig", "<http://x/graph> { <http://x/a> <http://x/p> <http://x/b> }"),
        (".jsonld", '{"@id": "http://x/a", "http://x/p": {"@id": "http://x/b"}}'),
    ],
)
def test_the_extension_names_the_format(folder: Path, suffix: str, text: str) -> None:
    assert read(folder, text, suffix).facts_of("http://x/p") == [("http://x/a", "http://x/b")]


def test_many_statements_are_taken_in_parts(folder: Path) -> None:
    lines = "".join(f"<http://x/{row}> <http://x/p> <http://x/b> .\n" for row in range(10_001))
    kb = read(folder, lines, ".nt")
    assert len(kb) == 10_001
    assert kb.constants.names[-1] == "http://x/10000"


def test_a_mistake_is_an_error_with_its_place(folder: Path) -> None:
    with pytest.raises(FactFormatError, match=r"facts\.ttl:3:7: q is not a valid RDF object") as error:
        read(folder, PREFIX + ":a :p :b .\n:q :q q .\n")
    assert (error.value.line, error.value.column) == (3, 7)


def test_a_statement_about_a_statement_is_an_error(folder: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="statement about a statement"):
        read(folder, PREFIX + ":a :p <<( :b :p :c )>> .")


def test_limits_hold(folder: Path) -> None:
    text = "<http://x/a> <http://x/p> <http://x/b> .\n"
    with pytest.raises(KnowledgeBaseError, match="more than 5 bytes"):
        read(folder, text, ".nt", limits=ReadLimits(file_bytes=5))
    with pytest.raises(KnowledgeBaseError, match="name of more than 9 characters"):
        read(folder, text, ".nt", limits=ReadLimits(name_length=9))


def test_a_file_without_statements_is_an_error(folder: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        read(folder, PREFIX)


def test_an_unknown_extension_is_an_error(folder: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="no extension of an RDF format"):
        read(folder, PREFIX, ".zzz")


def test_a_missing_file_is_an_error(folder: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="no file or folder"):
        read_rdf(folder / "missing.ttl")


def test_without_the_library_the_error_names_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without_oxigraph(name: str, *rest: Any) -> Any:
        if name == "pyoxigraph":
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_oxigraph)
    with pytest.raises(MissingExtraError, match=r"rulewright\[rdf\]"):
        read(folder, PREFIX + ":a :p :b .")


@settings(deadline=None)
@given(content=st.binary(max_size=40), suffix=st.sampled_from([".nt", ".nq", ".ttl", ".rdf", ".jsonld"]))
def test_any_bytes_are_facts_or_an_error_of_ours(folder: Path, content: bytes, suffix: str) -> None:
    with suppress(RulewrightError):
        read(folder, content, suffix)
