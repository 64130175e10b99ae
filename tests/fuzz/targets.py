"""What is fuzzed: each target takes any bytes as a hostile file or folder, and lets only errors of our tree pass.

A further target is one more entry of TEXTS (bytes become a file) or of FOLDERS (bytes choose how a sound folder is
broken); tests/fuzz and benchmarks/fuzz.py take up both.
"""

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time

from tests.fuzz.mutations import broken_folder
from tests.fuzz.watch import watched

from rulewright.cli.learn_graph import read_settings
from rulewright.cli.problem import read_labels, read_text
from rulewright.completion.explain import explain
from rulewright.completion.placing import given_rules
from rulewright.completion.presets import SMALL
from rulewright.completion.rules import rules_of
from rulewright.completion.saving import load_model
from rulewright.errors import RulewrightError
from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.plan import plan
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.reading import read_facts
from rulewright.kb.splits import read_splits
from rulewright.kb.tables import read_tables
from rulewright.kb.vocabulary import Vocabulary
from rulewright.learning import fitting_rules
from rulewright.rules.exchange.anyburl import to_anyburl
from rulewright.rules.exchange.reading import read_rules
from rulewright.rules.exchange.rule_text import to_rule_text
from rulewright.rules.folder import read_document
from rulewright.rules.occurrences import unroll
from rulewright.rules.render import render_text
from rulewright.saving import load
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template

LONGEST = 8.0  # processor seconds that any input may take; most take milliseconds
LIMITS = GroundingLimits(rows=20_000)
FACTS = KnowledgeBase.of(
    {"p": [("a", "b"), ("b", "c")], "q": [("b", "a"), ("c", "c")], "has x": [("a",)], "t": [("a", "b", "c")]}
)


@dataclass(frozen=True)
class TextTarget:
    """A file of one kind: its name, words that sound ones are made of, and what reads it."""

    file: str
    words: tuple[str, ...]
    read: Callable[[Path], object]


@dataclass(frozen=True)
class FolderTarget:
    """A folder of one kind, and what reads it."""

    read: Callable[[Path], object]


class BrokenPromiseError(AssertionError):
    """Something other than an error of our tree came out, or something else was done."""


def template(path: Path) -> None:
    """Parse, bind to facts, ground; and what is printed parses to the same."""
    parsed = parse_template(read_text(path))
    if parse_template(str(parsed)) != parsed:
        raise BrokenPromiseError(f"{parsed} is not what was read")
    steps = plan(bind(parsed, FACTS))
    unroll(steps)
    ground(steps, FACTS, LIMITS, allow_empty=True)


def template_run(folder: Path) -> None:
    """Load a run of a template and use all of it."""
    learned = load(folder, LIMITS)
    render_text(learned.program)
    learned.predict()


def graph_run(folder: Path) -> None:
    """Load a run of a knowledge graph and use all of it."""
    model = load_model(folder)
    read_document(folder, "figures")
    for relation in range(min(2 * len(model.relations), 6)):
        for rule in rules_of(model, relation, 5):
            str(rule)
    head, relation_name = model.entities.names[0], model.relations.names[0]
    answers = model.predict(head, relation_name, include_known=True)
    for answer in answers[:2]:
        if answer.score != answer.score:
            raise BrokenPromiseError("a score is not a number")
        str(explain(model, head, relation_name, answer.entity))


def tables(path: Path) -> None:
    read_tables(path.parent)


def settings(path: Path) -> None:
    read_settings(path, SMALL)


def dataset(path: Path) -> None:
    str(read_splits(path.parent))


def rules(path: Path) -> None:
    """Read rules of another tool, place them on a knowledge graph and in a template, and write them again."""
    found = list(read_rules(path))
    str(given_rules(found, FACTS.constants, Vocabulary(["p", "q"])).misfits)
    fitting_rules(FACTS, "q(X, Z) :- P(X, Y), Q(Y, Z). P in *. Q in *.", "q", [rated.rule for rated in found])
    list(to_anyburl(found))
    list(to_rule_text(found))


FACT_WORDS = ("a", "b b", "ö", "\t", ",", "\n", "\r\n", "1", "0.5", "nan", "-1", '"', "'", "\x00", "\ufeff", "\x1b[31m")
PROLOG_WORDS = ("p", "(", ")", ".", "a", "'b c'", "X", "_", "%", "/*", "*/", "::", "0.5", ":-", "\\", "'", *FACT_WORDS)
TEMPLATE_WORDS = (
    "S", "(", ")", "X", "Y", "Z", "_", ",", " :- ", " <- ", ";", "|", "&", "not ", "~", ".", " in ", "{", "}", "p", "q",
    "*", "has*", "'has x'", "^-1", " over ", " except ", "@alpha(0.9)", "@attention", "@product", "@", "<", "!=", "=",
    "1", "'", '"', "\\", "%", "\n", "S(X, Z) :- P(X, Y), Q(Y, Z). P in *. Q in {p, q}.", "S(X) :- not p(X, X).",
    "S(X, Y) :- p(X, Y), not (q(X, Y), p(Y, X)), X < Y.",
)  # fmt: skip
SETTINGS_WORDS = (
    "length", "paths", " = ", "1", "-1", "1e400", "nan", "true", '"a"', "[limits]", "[constants]", "branch", "\n",
    "[", "]", "{", "}", "'''", "#", "sharpness", "walker", '"forward"', "constants", "seed", "9" * 30, "rate = 1\n",
)  # fmt: skip
RDF_WORDS = ("<a:b>", " ", ".", '"x"', "_:b", "@en", "^^", "<<", ">>", "\n", "\\u0041", "# c", "<a:c> <a:p> <a:d> .\n")
NESTED_WORDS = ("(", ")", "[", "]", "{", "}", "<<( <a:a> <a:b> ", " )>>", "{|", "|}", '"""', "'", "\\", *RDF_WORDS)
XML_WORDS = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="a:">', "</rdf:RDF>", "<x:p>", "</x:p>",
    '<rdf:Description rdf:about="a:b">', "</rdf:Description>", '<x:p rdf:resource="a:c"/>', "text", "&a;", "&#38;",
    "<!DOCTYPE r [", '<!ENTITY a "&a;">', "]>", "<![CDATA[", "]]>", "<!--", "-->", '<?xml version="1.0"?>', "\x00",
    ' rdf:parseType="Literal"', ' rdf:parseType="Collection"', ' xml:lang="en"', "<", ">", '"',
)  # fmt: skip
JSONLD_WORDS = (
    '{"@context": {"@vocab": "a:"}, "@id": "a:x", "p": {"@id": "a:y"}}', "{", "}", "[", "]", '"@id"', '"@list"',
    '"@graph"', '"@reverse"', '"@type"', '"@context": ', '"http://127.0.0.1:9/x"', '"@import": ', "null", "1e999", "1",
    ", ", ": ", '"a:b"', '"\\ud800"', '"@value": ', '"@json"', '"@nest"', '"@protected": true',
)  # fmt: skip
RULE_WORDS = (
    "q(X, Y) :- p(X, Y).", "0.5  ", "q(X, Z) :- p(X, A), p(A, Z).\n", ":-", "not ", "X", "'b b'", "<=", "9" * 400, "!=",
    "q(X, b) :- p(X, c).", "1e400  ", *TEMPLATE_WORDS[:20],
)  # fmt: skip
ANYBURL_WORDS = (
    "3\t2\t0.6\tq(X,Y) <= p(X,A), p(A,Y)\n", "3\t2\t0.6\tq(X,b) <= p(X,c)\n", "3", "\t", "0.5", "nan", "1e999", "<=",
    "q(X,Y)", ", ", "p(X,A)", "(", ")", ",", "X", "9" * 5000, "-", "\n", "q(X,X)", "q(a,b)", "p(X,(,)",
)  # fmt: skip
AMIE_WORDS = (
    "?a  p  ?f  ?f  p  ?b   => ?a  q  ?b", "\t0.5\t0.8\t0.9\t98\t123\n", "?a p ?b => ?b q ?a", "\t", "=>", "  ", "?a",
    "?", "p", "nan", "inf", "1e999", "9" * 5000, "0,5", "\n", "?ß", "?1", "? ", "b",
)  # fmt: skip
JSON_WORDS = (
    '{"rules": [{"weight": 0.5, "rule": {"head": {"predicate": "q", "terms": [{"variable": "X"}, {"variable": "Y"}]}, '
    '"body": [{"atom": {"predicate": "p", "terms": [{"variable": "X"}, {"variable": "Y"}]}, "negated": false}]}}]}',
    '{"rules": [', "]}", "{", "}", "[", "]", '"rule": ', '"head": ', '"body": ', '"weight": ', '"truth": ', "NaN",
    "Infinity", "1e999", "9" * 5000, '"predicted": ', '"correct": ', "null", "-1", ", ", '"\\ud800"', '"operator": ',
)  # fmt: skip

TEXTS: Mapping[str, TextTarget] = {
    "template": TextTarget("template.rules", TEMPLATE_WORDS, template),
    "triples": TextTarget("facts.tsv", FACT_WORDS, read_facts),
    "csv": TextTarget("facts.csv", FACT_WORDS, read_facts),
    "prolog": TextTarget("facts.pl", PROLOG_WORDS, read_facts),
    "tables": TextTarget("likes.csv", FACT_WORDS, tables),
    "rdf": TextTarget("facts.nt", RDF_WORDS, read_facts),
    "turtle": TextTarget("facts.ttl", NESTED_WORDS, read_facts),
    "rdf as xml": TextTarget("facts.rdf", XML_WORDS, read_facts),
    "rdf as json": TextTarget("facts.jsonld", JSONLD_WORDS, read_facts),
    "labels": TextTarget("labels.csv", FACT_WORDS, partial(read_labels, as_table=True)),
    "splits": TextTarget("train.txt", FACT_WORDS, dataset),
    "settings": TextTarget("settings.toml", SETTINGS_WORDS, settings),
    "rules by hand": TextTarget("rules.txt", RULE_WORDS, rules),
    "anyburl": TextTarget("rules.anyburl", ANYBURL_WORDS, rules),
    "amie": TextTarget("rules.amie", AMIE_WORDS, rules),
    "rules as json": TextTarget("rules.json", JSON_WORDS, rules),
}
FOLDERS: Mapping[str, FolderTarget] = {
    "template run": FolderTarget(template_run),
    "graph run": FolderTarget(graph_run),
}


def feed_text(name: str, data: bytes, folder: Path) -> RulewrightError | None:
    """Give a target a file with these bytes; the error it told, None where it had no objection."""
    target = TEXTS[name]
    path = folder / target.file
    path.write_bytes(data)
    return checked_read(target.read, path)


def feed_folder(name: str, data: bytes, sound: Path, folder: Path) -> RulewrightError | None:
    """Give a target a copy of a sound folder, broken as the bytes say."""
    return checked_read(FOLDERS[name].read, broken_folder(sound, folder, data))


def checked_read(read: Callable[[Path], object], path: Path) -> RulewrightError | None:
    """Read it: only an error of our tree may come out, soon, with a message, and nothing may have been done."""
    gc.collect(0)
    told: RulewrightError | None = None
    started = process_time()
    with watched() as done:
        try:
            read(path)
        except RulewrightError as error:
            told = error
    taken = process_time() - started
    if done:
        raise BrokenPromiseError(f"it did more than read: {done[:3]}")
    if taken > LONGEST:
        raise BrokenPromiseError(f"it took {taken:.1f} s")
    if told is not None and not str(told).strip():
        raise BrokenPromiseError(f"{type(told).__name__} says nothing")
    return told
