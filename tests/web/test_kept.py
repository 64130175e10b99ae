"""A page is made once, and forgotten when room is needed."""

import asyncio
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


class Slow(Counting):
    """One that takes its time."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.05)
        await super().__call__(scope, receive, send)


async def answers(app: Kept, users: int) -> list[bytes]:
    """What many users get who ask for one page at the same time; the first of them never takes it."""
    found: list[bytes] = []

    async def ask(number: int) -> None:
        async def send(message: Any) -> None:
            if number == 0:
                await asyncio.sleep(3600)
            if message["type"] == "http.response.body":
                found.append(message["body"])

        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b""}
        await app(scope, asyncio.Event().wait, send)

    asking = [asyncio.create_task(ask(number)) for number in range(users)]
    await asyncio.wait(asking[1:], timeout=10)
    asking[0].cancel()
    return found


def test_who_asks_for_a_page_that_is_being_made_waits_for_it_and_for_nobody_who_reads_it() -> None:
    page = Slow()
    assert b"".join(asyncio.run(answers(Kept(page), 5))) == b"page" * 4
    assert page.asked == 1
    mistake = Slow(status=400)
    assert b"".join(asyncio.run(answers(Kept(mistake), 5))) == b"page" * 4
    assert mistake.asked == 5


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
