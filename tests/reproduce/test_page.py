"""The page holds every result, and nothing in a result can do anything to the page."""

from html.parser import HTMLParser
from pathlib import Path

from tests.reproduce.reports import HOSTILE, report

from rulewright.reproduce.markdown import code, plain, report_to_markdown
from rulewright.reproduce.page import page_to_html, page_to_markdown, write_page

ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "p", "nav", "ul", "li", "a", "main",
    "section", "div", "table", "thead", "tbody", "tr", "th", "td", "code", "figure", "figcaption", "img", "b",
    "details", "summary", "pre",
}  # fmt: skip


class Tags(HTMLParser):
    """What a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.images: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "img":
            self.images.append(dict(attrs)["src"] or "")
        elif tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "tags close in the order in which they opened"

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_has_every_table_and_every_headline(tmp_path: Path) -> None:
    reports = [report("umls", "UMLS"), report("kinship", "Kinship")]
    page = Tags(page_to_html(reports, {}, tmp_path))
    assert page.open == []
    assert page.tags.count("table") == 1 + 2 * 2
    for one in reports:
        for table in one.tables:
            assert all(cell in page.text for row in table.rows for cell in row)
        assert one.title in page.text
        assert one.protocol in page.text
    text = page_to_markdown(reports, {})
    assert text.count("## Kinship") == 1
    assert text.count("| ours | 0.973 |") == 2


def test_settings_seeds_and_circumstances_are_on_the_page(tmp_path: Path) -> None:
    page = Tags(page_to_html([report()], {}, tmp_path))
    assert "Seeds 0, 1." in page.text
    assert '"length": 3' in page.text
    assert "numpy 2.0" in page.text


def test_names_from_data_are_text_and_nothing_else(tmp_path: Path) -> None:
    hostile = report(HOSTILE, HOSTILE, HOSTILE)
    html = page_to_html([hostile], {HOSTILE: HOSTILE}, tmp_path)
    page = Tags(html)
    assert set(page.tags) <= ALLOWED
    assert page.open == []
    assert page.text.count("<script>alert(1)</script>") >= 5
    for unseen in ("\x1b", "\u202e"):
        assert unseen not in html
        assert unseen not in page_to_markdown([hostile], {HOSTILE: HOSTILE})


def test_markdown_keeps_hostile_cells_in_their_cells() -> None:
    text = report_to_markdown(report(text=HOSTILE))
    (row,) = [line for line in text.splitlines() if line.startswith("| 1.000")]
    assert row.replace("\\|", "").count("|") == 3
    assert plain("<b>|`") == "\\<b\\>\\|\\`"
    assert code("a`b``c") == "``` a`b``c ```"
    assert code("") == ""


def test_pictures_are_inside_the_page(tmp_path: Path) -> None:
    (tmp_path / "umls").mkdir()
    (tmp_path / "umls" / "mrr.svg").write_text("<svg/>", encoding="utf-8")
    assert Tags(page_to_html([report()], {}, tmp_path)).images == ["data:image/svg+xml;base64,PHN2Zy8+"]
    assert "(umls/mrr.svg)" in page_to_markdown([report()], {})


def test_a_picture_from_elsewhere_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "mrr.svg").write_text("<svg/>", encoding="utf-8")
    assert Tags(page_to_html([report()], {}, tmp_path)).images == []


def test_what_could_not_run_is_said(tmp_path: Path) -> None:
    page = write_page([], {"wn18rr": "no data"}, tmp_path / "results")
    assert "wn18rr" in Tags(page.read_text(encoding="utf-8")).text
    assert "- wn18rr: no data" in (tmp_path / "results" / "index.md").read_text(encoding="utf-8")
