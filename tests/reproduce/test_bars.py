"""Bars are as long as their values, and names in them are text."""

import re
from pathlib import Path
from xml.etree import ElementTree

from rulewright.reproduce.bars import LONGEST, OURS, write_bars

SVG = "{http://www.w3.org/2000/svg}"


def test_a_bar_is_as_long_as_its_value(tmp_path: Path) -> None:
    write_bars({"theirs": 0.5, "ours": 1.0}, frozenset({"ours"}), "MRR", tmp_path / "bars.svg")
    bars = ElementTree.parse(tmp_path / "bars.svg").getroot().findall(f"{SVG}rect")[1:]
    assert [float(bar.attrib["width"]) for bar in bars] == [LONGEST / 2, LONGEST]
    assert [bar.attrib["fill"] == OURS for bar in bars] == [False, True]


def test_a_name_is_text(tmp_path: Path) -> None:
    write_bars({"<b>&": 0.5}, frozenset(), "<i>", tmp_path / "bars.svg")
    root = ElementTree.parse(tmp_path / "bars.svg").getroot()
    assert {re.sub(r"{.*}", "", part.tag) for part in root.iter()} == {"svg", "title", "rect", "text"}
