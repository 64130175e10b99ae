"""A reader of HTML that insists: tags close in order, nothing runs, nothing is loaded from anywhere."""

import re
from html.parser import HTMLParser

EVIL = "x\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\x1b[31m\u202e"
VOID = {"meta", "rect", "line", "circle"}
NEVER = {"script", "img", "iframe", "link", "object", "embed", "a", "form", "base"}


class Reader(HTMLParser):
    """Collects text, tags and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def read(html: str) -> Reader:
    """The HTML, read; an error where it is not well formed or not harmless."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    assert not reader.tags & NEVER
    assert not {name for name in reader.attributes if name.startswith("on")}
    assert not reader.attributes & {"href", "src", "xlink:href", "action"}
    assert not re.search(r"://|url\(|@import|javascript:", html)
    assert not any(ord(c) < 32 and c != "\n" for c in html)
    assert "\u202e" not in html
    return reader


def card(value: object) -> Reader:
    """What a notebook shows of a value, read."""
    html = value._repr_html_()  # type: ignore[attr-defined]
    reader = read(html)
    assert html.startswith('<div class="rulewright">')
    assert not reader.tags & {"h1", "h2", "h3"}  # headings are the notebook's own
    return reader
