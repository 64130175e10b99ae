"""A page is made once, and forgotten when room is needed."""

from typing import Any

from tests.web.conftest import Client

from rulewright.web.guard import Guard
from rulewright.web.kept import LARGEST, Kept


class Counting:
    """An application that counts how often it is asked."""

    def __init__(self, body: bytes = b"page", status: int = 200, kind: bytes = b"text/html; charset=utf-8") -> None:
        self.body, self.status, self.kind, self.asked = body, status, kind, 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        headers = [(b"content-type", self.kind)]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body[:2], "more_body": True})
        await send({"type": "http.response.body", "body": self.body[2:]})


def test_the_second_who_asks_gets_the_same_page_without_making_it() -> None:
    app = Counting()
    client = Client(Guard(Kept(app)))
    first, second = client.get("/ask?head=a"), client.get("/ask?head=a")
    assert first.text == second.text == "page"
    assert first.headers == second.headers
    assert app.asked == 1
    client.get("/ask?head=b")
    assert app.asked == 2


def test_mistakes_files_and_other_methods_are_not_kept() -> None:
    for app, method in ((Counting(status=400), "GET"), (Counting(kind=b"text/css"), "GET"), (Counting(), "HEAD")):
        client = Client(Guard(Kept(app)))
        client.request(method, "/")
        client.request(method, "/")
        assert app.asked == 2


def test_the_page_unused_for_longest_is_forgotten_first() -> None:
    app = Counting(b"x" * 10)
    client = Client(Guard(Kept(app, room=25)))
    for path in ("/a", "/b", "/a", "/c"):
        client.get(path)
    assert app.asked == 3
    client.get("/a")
    assert app.asked == 3
    client.get("/b")
    assert app.asked == 4


def test_a_very_large_page_is_not_kept() -> None:
    app = Counting(b"x" * (LARGEST + 1))
    client = Client(Guard(Kept(app)))
    client.get("/")
    client.get("/")
    assert app.asked == 2
