"""What every request passes: the host it names, its length and letters, and the headers of every answer.

A page elsewhere on the web can make a browser send requests to this machine, and by changing where its own name leads
even read the answers (DNS rebinding). Such requests name that page's host, so only the loopback names and bare
addresses are answered.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any

LONGEST_QUERY = 20_000  # bytes
HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    ),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-cache"),  # the next run is served at the same address
)

Message = MutableMapping[str, Any]
Scope = Message
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: Application, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        if not self.is_ours(dict(scope["headers"]).get(b"host", b"").decode("latin-1")):
            await refuse(send_guarded, 400, b"this host name is not served here: use 127.0.0.1 or localhost\n")
        elif len(scope["query_string"]) > LONGEST_QUERY:
            await refuse(send_guarded, 414, b"the address is too long\n")
        elif not scope["query_string"].isascii():
            await refuse(send_guarded, 400, b"an address is plain ASCII: write other characters as %C3%A9\n")
        else:
            await self.app(scope, receive, send_guarded)

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this machine, or a bare address, which no other site can claim."""
        name = host.rsplit(":", 1)[0] if host.count(":") == 1 or "]:" in host else host
        name = name.strip("[]").lower()
        try:
            ip_address(name)
        except ValueError:
            return name in self.hosts
        return True


async def refuse(send: Send, status: int, text: bytes) -> None:
    """A refusal in plain text: nothing of the request comes back."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
