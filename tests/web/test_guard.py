"""Only requests that mean this machine are answered, and every answer forbids what the explorer does not need."""

import asyncio

import pytest
from tests.fuzz.explorer import ask
from tests.web.conftest import Client

from rulewright.web.guard import LONGEST_QUERY, Guard

HERE = ("127.0.0.1", "127.0.0.1:8321", "localhost", "LOCALHOST:9", "[::1]:8321", "[::1]", "10.1.2.3:80")


@pytest.mark.parametrize("host", HERE)
def test_this_machine_may_be_called_by_its_names_and_by_bare_addresses(client: Client, host: str) -> None:
    assert client.get("/ask", {"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8321", "", "a:b:c"])
def test_any_other_name_is_refused_without_repeating_it(client: Client, host: str) -> None:
    answer = client.get("/ask", {"host": host})
    assert answer.status_code == 400
    assert "evil" not in answer.text


def test_a_name_that_was_asked_for_is_served_too(client: Client) -> None:
    named = Client(Guard(client.app.app, ["desk.example"]))
    assert named.get("/ask", {"host": "desk.example:8321"}).status_code == 200
    assert named.get("/ask", {"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("address", ["/", "/overview.json", "/static/explorer.js", "/nothing", "/ask?head=nobody"])
def test_every_answer_carries_the_headers(client: Client, address: str) -> None:
    headers = client.get(address).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_bytes_that_no_address_may_hold_are_refused(client: Client) -> None:
    answer = asyncio.run(ask(client.app, "GET", "/ask", b"head=\x80\xff"))
    assert (answer.status, answer.body[:27]) == (400, b"an address is plain ASCII: ")


def test_an_endless_query_is_refused(client: Client) -> None:
    assert client.get("/ask?head=" + "x" * LONGEST_QUERY).status_code == 414
