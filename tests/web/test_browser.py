"""The explorer as somebody uses it: in a real browser, by keyboard, on a phone, on data with hostile names."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.web.conftest import RELATION, SCRIPT

playwright = pytest.importorskip("playwright.sync_api")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# No sandbox: it cannot be set up as root in a container, and only our own pages are opened. No calls home.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PHONE = {"width": 390, "height": 844}

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a running server."""
    command = [sys.executable, "-m", "rulewright.web", str(folder), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            found = next(filter(None, (re.search(r" at (http\S+)/ ", line) for line in server.stderr)))
            yield found.group(1)
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield address


@pytest.fixture(scope="module")
def template_site(template_folder: Path) -> Iterator[str]:
    with served(template_folder) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator["playwright.Browser"]:
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


class Visit:
    """A page of its own, and what went wrong on it."""

    def __init__(self, browser: "playwright.Browser", site: str, **options: object) -> None:
        self.site = site
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.problems: list[str] = []
        self.hosts: set[str] = set()
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.problems.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))

    def open(self, path: str) -> "playwright.Page":
        self.page.goto(self.site + path)
        return self.page

    def wide(self) -> int:
        """By how many pixels the page is wider than the window."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return width


@pytest.fixture
def visit(browser: "playwright.Browser", site: str) -> Iterator[Visit]:
    found = Visit(browser, site)
    yield found
    found.context.close()
    assert found.problems == []
    assert found.hosts == {urlsplit(site).netloc}


def test_search_a_relation_then_its_rules_then_see_where_one_holds(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_label("Search relations").type("grand", delay=20)
    playwright.expect(page.get_by_role("status")).to_have_text("1 of 3 relations")
    assert page.url.endswith("/?q=grand&sort=facts")
    page.get_by_role("link", name="grandparent", exact=True).click()
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text("grandparent")
    page.get_by_label("Sort by").select_option("weight")
    page.get_by_label("Kind").select_option("path")
    playwright.expect(page.locator("tbody tr").first).to_contain_text("parent(X, A), parent(A, Y)")
    page.get_by_role(
        "link", name=re.compile(r"Open the rule grandparent\(X, Y\) :- parent\(X, A\), parent\(A, Y\)")
    ).click()
    playwright.expect(page.get_by_role("heading", level=2)).to_have_text("Where it holds")
    page.get_by_role("link", name="not among the facts", exact=True).click()
    assert page.get_by_text("a fact already").count() == 0
    page.get_by_role("link", name=re.compile("^Explain")).first.click()
    playwright.expect(page.get_by_role("heading", name="The arithmetic")).to_be_visible()


def test_ask_by_keyboard_alone_with_completion_while_typing(visit: Visit) -> None:
    page = visit.open("/")
    press = page.keyboard.press
    press("Tab")
    playwright.expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    press("Enter")
    page.goto(visit.site + "/ask")
    head = page.get_by_role("combobox", name=re.compile("^Head"))
    for _ in range(8):
        press("Tab")
        if head.evaluate("field => field === document.activeElement"):
            break
    page.keyboard.type("g", delay=20)
    playwright.expect(head).to_have_attribute("aria-expanded", "true")
    options = page.get_by_role("option")
    playwright.expect(options.first).to_have_text("g2")
    press("ArrowDown")
    playwright.expect(options.first).to_have_attribute("aria-selected", "true")
    playwright.expect(head).to_have_attribute("aria-activedescendant", "head-options-0")
    press("ArrowUp")
    press("ArrowDown")
    press("Enter")
    playwright.expect(head).to_have_value("g2")
    playwright.expect(head).to_have_attribute("aria-expanded", "false")
    press("Tab")
    page.keyboard.type("grand", delay=20)
    playwright.expect(options.first).to_have_text("grandparent")
    press("Escape")
    playwright.expect(options).to_have_count(0)
    page.keyboard.type("p", delay=20)
    playwright.expect(options.first).to_have_text("grandparent")
    press("ArrowDown")
    press("Enter")
    press("Enter")
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text("grandparent(g2, ?)")
    assert page.url == visit.site + "/ask?head=g2&relation=grandparent"
    names = page.locator("tbody th").all_inner_texts()
    assert {"c200", "c201", "c210", "c211"} <= set(names)
    page.get_by_role("link", name="Why? c201").focus()
    press("Enter")
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text("grandparent(g2, c201)")


def test_an_explanation_shows_facts_arithmetic_and_what_would_bring_it_down(visit: Visit) -> None:
    page = visit.open("/explanation?head=g2&relation=grandparent&tail=c201")
    drawing = page.get_by_role("img", name="The facts behind grandparent(g2, c201)")
    assert drawing.locator(".node").count() >= 3
    assert drawing.locator(".edge title").first.text_content() == "parent(g2, p20)"
    rows = [float(text) for text in page.locator(".sum tbody td:first-child").all_inner_texts()]
    total = float(page.locator(".sum tfoot td").first.inner_text())
    assert sum(rows) == pytest.approx(total, abs=0.001 * len(rows))
    page.get_by_role("link", name="Search for facts it depends on").click()
    playwright.expect(page.locator("#result")).to_contain_text("the score falls")
    assert "/explanation?" in page.url


def test_a_link_that_is_shared_shows_another_person_the_same_page(visit: Visit, browser: "playwright.Browser") -> None:
    page = visit.open("/relation?relation=grandparent")
    page.get_by_label("Search rules").type("GRAND", delay=20)
    playwright.expect(page.get_by_role("status")).to_contain_text("Show all")
    page.get_by_label("Sort by").select_option("confidence")
    page.wait_for_url("**sort=confidence**")
    other = Visit(browser, visit.site)
    other.page.goto(page.url)
    assert other.page.locator("#results").inner_text() == page.locator("#results").inner_text()
    assert other.page.get_by_label("Search rules").input_value() == "GRAND"
    other.context.close()


def test_hostile_names_are_only_ever_text(visit: Visit) -> None:
    page = visit.open("/ask")
    page.get_by_role("combobox", name=re.compile("^Head")).type("<scr", delay=20)
    page.get_by_role("option").first.click()
    page.get_by_role("combobox", name=re.compile("^Relation")).type("img", delay=20)
    page.get_by_role("option").first.click()
    page.get_by_role("button", name="Ask").click()
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text(f"{RELATION}({SCRIPT}, ?)")
    relation = page.get_by_role("combobox", name=re.compile("^Relation"))
    relation.fill("grandparent")
    relation.press("Escape")
    relation.press("Enter")
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text(f"grandparent({SCRIPT}, ?)")
    page.get_by_role("link", name=re.compile("Why")).first.click()
    playwright.expect(page.get_by_role("heading", name="The arithmetic")).to_be_visible()
    page.goto(visit.site + "/")
    page.get_by_role("link", name=RELATION, exact=True).click()
    assert page.locator("img").count() == 0
    assert page.evaluate("document.querySelectorAll('script').length") == 1


def test_a_name_too_long_to_type_is_chosen_from_the_list(visit: Visit) -> None:
    page = visit.open("/ask?relation=parent")
    page.get_by_role("combobox", name=re.compile("^Head")).type("longlong", delay=20)
    page.get_by_role("option").first.click()
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**head_id=*")
    playwright.expect(page.get_by_role("heading", level=1)).to_contain_text("longlong")
    page.get_by_role("button", name="Ask").click()
    playwright.expect(page.get_by_role("heading", level=1)).to_contain_text("longlong")


PAGES = (
    "/",
    "/relation?relation=grandparent",
    "/rule?relation=grandparent&rule=path.0",
    "/ask?head=g2&relation=grandparent",
    "/explanation?head=g2&relation=grandparent&tail=c201",
    "/template?relation=grandparent",
)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_every_page_fits_a_phone_and_can_be_read_there(browser: "playwright.Browser", site: str, colours: str) -> None:
    visit = Visit(browser, site, viewport=PHONE, is_mobile=True, has_touch=True, color_scheme=colours)
    for path in PAGES:
        page = visit.open(path)
        assert visit.wide() <= 0, path
        assert page.evaluate(WORST_CONTRAST) >= 4.5, path
    visit.context.close()
    assert visit.problems == []


def test_a_template_is_searched_and_explained_on_a_phone(browser: "playwright.Browser", template_site: str) -> None:
    visit = Visit(browser, template_site, viewport=PHONE, is_mobile=True, has_touch=True)
    page = visit.open("/")
    for path in ("/", "/template", "/rule?rule=0", "/ask", "/explanation?fact=0"):
        visit.open(path)
        assert visit.wide() <= 0, path
        assert page.evaluate(WORST_CONTRAST) >= 4.5, path
    page.get_by_role("link", name="Facts", exact=True).click()
    page.get_by_label("Search facts").type("CY", delay=20)
    page.wait_for_url("**/ask?q=CY")
    playwright.expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("link", name="Why? child(cy, '<b>bob')").click()
    playwright.expect(page.get_by_role("heading", level=1)).to_have_text("child(cy, <b>bob)")
    playwright.expect(page.locator(".tree .node-line").first).to_contain_text("child(cy, '<b>bob')")
    assert page.locator("main b", has_text="bob").count() == 0
    visit.context.close()
    assert visit.problems == []
    assert visit.hosts == {urlsplit(template_site).netloc}


def test_who_goes_on_with_the_tab_key_sees_where_it_is(visit: Visit) -> None:
    for path in ("/", "/relation?relation=grandparent", "/ask?head=g2&relation=grandparent"):
        page, seen = visit.open(path), set()
        for _ in range(25):
            page.keyboard.press("Tab")
            where, width = page.evaluate(
                "(e => [e.outerHTML, parseFloat(getComputedStyle(e).outlineWidth)])(document.activeElement)"
            )
            assert width >= 2, where
            seen.add(where)
        assert len(seen) > 10, path


def test_pages_work_without_scripts(browser: "playwright.Browser", site: str) -> None:
    visit = Visit(browser, site, java_script_enabled=False)
    page = visit.open("/ask")
    page.get_by_label(re.compile("^Head")).fill("g2")
    page.get_by_label(re.compile("^Relation")).fill("grandparent")
    page.get_by_role("button", name="Ask").click()
    page.get_by_role("link", name="Why? c201").click()
    page.get_by_role("link", name="Search for facts it depends on").click()
    playwright.expect(page.locator("#result")).to_contain_text("the score falls")
    visit.context.close()


# The least contrast (WCAG's ratio) of a text with the nearest painted background behind it.
WORST_CONTRAST = """() => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  let worst = 21;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest("svg, .hidden, .skip, script")) continue;
    let behind = element;
    while (behind && (parts(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0) behind = behind.parentElement;
    const ground = light(parts(getComputedStyle(behind ?? document.body).backgroundColor));
    const ink = light(parts(getComputedStyle(element).color));
    worst = Math.min(worst, (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05));
  }
  return worst;
}"""
