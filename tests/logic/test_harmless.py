"""What steers a terminal or hides is written out; all else stays."""

from rulewright.logic.harmless import harmless


def test_harmless_text_stays_as_it_is():
    assert harmless("Zürich → 東京 'a'\n") == "Zürich → 東京 'a'\n"
    assert harmless("\x1b[2J\t\r\x00\x85\u2028\ud800") == r"\x1b[2J\t\r\x00\x85\u2028\ud800"
