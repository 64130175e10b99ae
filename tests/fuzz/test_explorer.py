"""Whatever is asked of the explorer: an answer, soon, that runs nothing and comes from the run alone."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.explorer import PATHS, VALUES, Answer, check, feed_explorer
from tests.fuzz.runs import explorers
from tests.fuzz.targets import BrokenPromiseError
from tests.fuzz.watch import contents

from rulewright.web.guard import Application


@pytest.fixture(scope="module")
def apps(sound_runs: dict[str, Path]) -> list[Application]:
    return explorers(sound_runs)


def test_whatever_is_asked_the_explorer_answers_and_does_nothing_else(
    apps: list[Application], sound_runs: dict[str, Path]
) -> None:
    before = contents(sound_runs["graph run"])
    statuses: Counter[int] = Counter()

    @settings(deadline=None, max_examples=300)
    @given(st.binary(max_size=60))
    def ask(data: bytes) -> None:
        statuses[feed_explorer(apps, data).status] += 1

    ask()
    assert {200, 400, 404, 405} <= set(statuses)
    assert contents(sound_runs["graph run"]) == before


@pytest.mark.parametrize("path", [place for place, path in enumerate(PATHS) if ".." in path or "passwd" in path])
def test_no_address_leads_out_of_the_explorer(apps: list[Application], path: int) -> None:
    for app in range(len(apps)):
        asked = b"".join(number.to_bytes(2, "little") for number in (app, 0, 0, path, 0, 0))
        assert feed_explorer(apps, asked).status in (400, 404)


def test_an_oversized_query_is_refused(apps: list[Application]) -> None:
    asked = (0, 0, 0, PATHS.index("/ask"), 1, 2, VALUES.index("x" * 21_000), 0)
    answer = feed_explorer(apps, b"".join(number.to_bytes(2, "little") for number in asked))
    assert (answer.status, answer.body) == (414, b"the address is too long\n")


@pytest.mark.parametrize(
    ("status", "kind", "body"),
    [
        (500, "text/plain", b""),
        (200, "text/html", b"<script>alert(1)</script>"),
        (200, "text/html", b"<img src=x onerror=alert(1)>"),
        (200, "text/plain", b"root:x:0:0"),
        (200, "application/json", b"{"),
    ],
)
def test_a_broken_promise_would_be_seen(status: int, kind: str, body: bytes) -> None:
    headers = {"content-type": kind, "content-security-policy": "default-src 'self'"}
    with pytest.raises((BrokenPromiseError, ValueError)):
        check("GET /", Answer(status, headers, body))
