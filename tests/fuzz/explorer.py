"""Any bytes as a request to the explorer, asked without a client in between, which would tidy the address first."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from time import process_time
from urllib.parse import unquote_to_bytes

from tests.fuzz.mutations import Choices
from tests.fuzz.targets import LONGEST, BrokenPromiseError
from tests.fuzz.watch import watched_everywhere

from rulewright.web.guard import Application, Message

SCRIPT = "<script>alert(1)</script>"
METHODS = ("GET", "GET", "GET", "GET", "GET", "HEAD", "POST", "DELETE", "OPTIONS", "TRACE")
PATHS = (
    "/", "/relation", "/rule", "/ask", "/names", "/explanation", "/counterfactual", "/template", "/overview.json",
    "/ask.json", "/relation.json", "/explanation.json", "/names.json", "/static/", "/static/explorer.js", "/static/..",
    "/../", "/..", "/%2e%2e/", "/etc/passwd", "//", "/.", "\\..\\", "/static/../app.py", "/static/%2e%2e/routes.py",
    "/static/..%2fguard.py", "%00", "é", "/run.json", "/static//etc/passwd", SCRIPT,
)  # fmt: skip
KEYS = (
    "relation", "relation_id", "head", "head_id", "tail", "tail_id", "rule", "only", "answer", "q", "kind", "sort",
    "page", "top", "of", "part", "fact", "x",
)  # fmt: skip
VALUES = (
    "", "0", "1", "-1", "99", "1e9", "9" * 30, "9" * 5000, "nan", "parent", "parent^-1", "grandparent", "g0", "g1",
    "p00", "p10", "entity", "relation", "path.0", "constant.0", "direct.0", "path.-1", "path.9999999999999999999",
    "path.x", "known", "missing", "weight", "%00", "%ff", "%", "+", "%0d%0aX-Evil:1", "..%2f..%2fetc%2fpasswd",
    "../../run.json",
    "%3Cscript%3Ealert(1)%3C/script%3E", "%22%20onload%3Dalert(1)", "{{7*191}}", "x" * 600, "x" * 21_000,
    "%F0%9F%92%A9",
)  # fmt: skip
EXPECTED = (200, 304, 307, 400, 404, 405, 414)
SECRETS = ("root:x:0", "Traceback", "def create_app", 'File "')


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


class Scripts(HTMLParser):
    """What a browser would run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and not (given.get("src") or "").startswith("/static/"):
            self.found.append("a script")
        self.found += [name for name in given if name.startswith("on")]
        self.found += [str(v) for n, v in given.items() if n in ("href", "src") and (v or "").startswith("javascript")]


def feed_explorer(apps: Sequence[Application], data: bytes) -> Answer:
    """Ask one of the explorers what the bytes say; whatever it is, the answer keeps what is promised."""
    choices = Choices(data)
    app = apps[choices.number(len(apps))]
    method = METHODS[choices.number(len(METHODS))]
    path = "".join(PATHS[choices.number(len(PATHS))] for _ in range(1 + choices.number(3) // 2))
    parts = [
        f"{KEYS[choices.number(len(KEYS))]}={VALUES[choices.number(len(VALUES))]}".encode()
        for _ in range(choices.number(5))
    ]
    query = b"&".join([*parts, *([choices.rest(40)] if choices.number(4) == 3 else [])])
    started = process_time()
    with watched_everywhere() as done:
        answer = asyncio.run(ask(app, method, path, query))
    taken = process_time() - started
    asked = f"{method} {path}?{query[:200]!r}"
    if done:
        raise BrokenPromiseError(f"{asked} did more than read: {done[:3]}")
    if taken > LONGEST:
        raise BrokenPromiseError(f"{asked} took {taken:.1f} s")
    check(asked, answer)
    return answer


def check(asked: str, answer: Answer) -> None:
    """The promises about every answer."""
    text = answer.body.decode("utf-8", "replace")
    if answer.status not in EXPECTED:
        raise BrokenPromiseError(f"{asked} gave {answer.status}: {text[:300]}")
    if "default-src 'self'" not in answer.headers.get("content-security-policy", ""):
        raise BrokenPromiseError(f"{asked} came back without its guard")
    if "x-evil" in answer.headers or not answer.headers.get("location", "/").startswith(("/", "http://127.0.0.1")):
        raise BrokenPromiseError(f"{asked} wrote headers: {answer.headers}")
    if any(secret in text for secret in SECRETS):
        raise BrokenPromiseError(f"{asked} told what it must not: {text[:300]}")
    kind = answer.headers.get("content-type", "")
    if kind.startswith("text/html") and (scripts := Scripts(text).found):
        raise BrokenPromiseError(f"{asked} holds what a browser would run: {scripts[:3]}")
    if kind == "application/json" and answer.body:
        json.loads(text)


async def ask(app: Application, method: str, path: str, query: bytes) -> Answer:
    """One request, as a server hands it to an application."""
    said: list[Message] = []
    asked: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if not asked:
            await asyncio.Event().wait()  # whoever asked waits for the answer and says nothing more
        return asked.pop()

    async def send(message: Message) -> None:
        said.append(message)

    raw = path.encode("utf-8")
    scope: Message = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": unquote_to_bytes(raw).decode("utf-8", "replace"), "raw_path": raw, "query_string": query,
        "root_path": "", "headers": [(b"host", b"127.0.0.1:8321")],
        "client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 8321),
    }  # fmt: skip
    await app(scope, receive, send)
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in said[0]["headers"]}
    return Answer(said[0]["status"], headers, b"".join(message.get("body", b"") for message in said[1:]))
