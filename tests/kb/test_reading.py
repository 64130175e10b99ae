from pathlib import Path

import pytest

from rulewright.errors import FactFormatError, KnowledgeBaseError
from rulewright.kb.reading import read_facts
from rulewright.kb.text_file import ReadLimits

TEXTS = {
    "facts.tsv": "ann\tparent\tbob\n",
    "facts.txt": "ann\tparent\tbob\n",
    "facts.TSV": "ann\tparent\tbob\n",
    "facts.csv": 'ann, parent,"bob"\n',
    "facts.pl": "parent(ann, bob).",
    "facts.pro": "parent(ann, bob).",
    "facts.facts": "parent(ann, bob).",
    "facts.dl": 'parent("ann", "bob").',
    "facts.nt": "<ann:> <parent:> <bob:> .",
    "facts.ttl": "<ann:> <parent:> <bob:> .",
    "facts.nq": "<ann:> <parent:> <bob:> .",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_is_read_by_its_extension(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(TEXTS[name])
    kb = read_facts(str(tmp_path / name))
    colon = ":" if name[-3:] in (".nt", "ttl", ".nq") else ""
    assert kb.facts_of(f"parent{colon}") == [(f"ann{colon}", f"bob{colon}")]


@pytest.mark.parametrize("name", TEXTS)
def test_a_folder_is_read_by_its_facts_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(TEXTS[name])
    (tmp_path / "template.rules").write_text("")
    (tmp_path / "labels.csv").write_text("a,b,c")
    assert read_facts(tmp_path).constants.names == read_facts(tmp_path / name).constants.names


def test_a_folder_of_tables_has_one_predicate_per_file(tmp_path: Path) -> None:
    (tmp_path / "parent.csv").write_text("ann,bob\n")
    (tmp_path / "likes.tsv").write_text("bob\tcy\n")
    (tmp_path / "labels.tsv").write_text("ann\tgrandparent\tcy\n")
    assert read_facts(tmp_path).arities == {"likes": 2, "parent": 2}


def test_a_header_is_recognised_or_told(tmp_path: Path) -> None:
    (tmp_path / "facts.csv").write_text("head,relation,tail\na,r,b\n")
    assert list(read_facts(tmp_path / "facts.csv").relations) == ["r"]
    assert list(read_facts(tmp_path, header=False).relations) == ["relation", "r"]
    (tmp_path / "facts.csv").rename(tmp_path / "p.csv")
    assert len(read_facts(tmp_path)) == 2
    assert len(read_facts(tmp_path, header=True)) == 1


@pytest.mark.parametrize("name", ["facts.tsv", "facts.csv", "facts.pl"])
def test_encoding_and_limits_reach_every_reader(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(TEXTS[name].replace("ann", "'\u00e9'").encode("latin-1"))
    with pytest.raises(FactFormatError, match="not utf-8 text"):
        read_facts(tmp_path)
    assert "\u00e9" in read_facts(file, encoding="latin-1").constants.names[0]
    with pytest.raises(KnowledgeBaseError, match="more than 9 bytes"):
        read_facts(tmp_path, encoding="latin-1", limits=ReadLimits(file_bytes=9))


def test_a_single_csv_file_that_holds_no_triples_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "parent.csv").write_text("ann,bob\n")
    with pytest.raises(FactFormatError, match="expected 3 columns"):
        read_facts(tmp_path / "parent.csv")


@pytest.mark.parametrize("name", ["facts.xlsx", "facts", "facts.tsv.gz"])
def test_an_unknown_extension_is_an_error_that_lists_the_known(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a\tr\tb\n")
    with pytest.raises(KnowledgeBaseError, match=r"no extension that says how to read it; known are \.tsv"):
        read_facts(tmp_path / name)


@pytest.mark.parametrize("name", ["facts.tsv", "facts.pl", "facts.ttl", "facts.unknown"])
def test_what_is_not_there_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="no file or folder"):
        read_facts(tmp_path / name)


@pytest.mark.parametrize("name", ["facts.tsv", "facts.csv", "facts.pl", "facts.ttl"])
def test_an_empty_file_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    with pytest.raises(KnowledgeBaseError, match="holds no facts"):
        read_facts(tmp_path / name)


def test_a_folder_without_facts_is_an_error_that_says_what_was_looked_for_and_found(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"neither a file facts\.\*.*it holds no file"):
        read_facts(tmp_path)
    (tmp_path / "train.txt").write_text("a\tr\tb\n")
    with pytest.raises(KnowledgeBaseError, match=r"it holds train\.txt"):
        read_facts(tmp_path)


@pytest.mark.parametrize("second", ["facts.pl", "parent.csv"])
def test_facts_in_two_places_are_an_error(tmp_path: Path, second: str) -> None:
    (tmp_path / "facts.tsv").write_text("a\tr\tb\n")
    (tmp_path / second).write_text("")
    with pytest.raises(KnowledgeBaseError, match=rf"more than once: .*{second}"):
        read_facts(tmp_path)
