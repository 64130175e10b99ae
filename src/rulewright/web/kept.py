"""Pages that were made are kept for the next who asks: a run does not change while it is served."""

from collections import OrderedDict

from rulewright.web.guard import Application, Message, Receive, Scope, Send

ROOM = 32 << 20  # bytes of pages
LARGEST = 1 << 20  # a page larger than this is made anew every time
KINDS = (b"text/html", b"application/json")


class Kept:
    """An ASGI application around another: whole answers of status 200, the least recently used one forgotten first.

    It runs on the event loop alone, so nothing has to be locked.
    """

    def __init__(self, app: Application, room: int = ROOM) -> None:
        self.app, self.room = app, room
        self.pages: OrderedDict[tuple[str, bytes], tuple[Message, bytes]] = OrderedDict()
        self.held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        key = scope["path"], scope["query_string"]
        if key in self.pages:
            self.pages.move_to_end(key)
            start, body = self.pages[key]
            await send(dict(start))
            await send({"type": "http.response.body", "body": body})
            return
        starts: list[Message] = []
        parts: list[bytes] = []

        async def send_and_keep(message: Message) -> None:
            if message["type"] == "http.response.start":
                starts.append(dict(message))
            else:
                parts.append(message.get("body", b""))
            await send(message)

        await self.app(scope, receive, send_and_keep)
        if starts and starts[0]["status"] == 200 and dict(starts[0]["headers"])[b"content-type"].startswith(KINDS):
            self.keep(key, starts[0], b"".join(parts))

    def keep(self, key: tuple[str, bytes], start: Message, body: bytes) -> None:
        """Make room for a page and keep it."""
        if len(body) > LARGEST or key in self.pages:
            return
        self.pages[key] = start, body
        self.held += len(body)
        while self.held > self.room:
            _, (_, oldest) = self.pages.popitem(last=False)
            self.held -= len(oldest)
