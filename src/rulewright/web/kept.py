"""Pages that were made are kept for the next who asks: a run does not change while it is served."""

from asyncio import Event
from collections import OrderedDict

from rulewright.web.guard import Application, Message, Receive, Scope, Send

ROOM = 32 << 20  # bytes of pages
LARGEST = 1 << 20  # a page larger than this is made anew every time
KINDS = (b"text/html", b"application/json")

Key = tuple[str, bytes]  # path and query


class Kept:
    """An ASGI application around another: whole answers of status 200, the least recently used one forgotten first.

    Who asks for a page that is being made waits for it. All of it runs on the event loop, so nothing has to be locked.
    """

    def __init__(self, app: Application, room: int = ROOM) -> None:
        self.app, self.room = app, room
        self.pages: OrderedDict[Key, tuple[Message, bytes]] = OrderedDict()
        self.held = 0
        self.making: dict[Key, Event] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        key = scope["path"], scope["query_string"]
        if key in self.making:
            await self.making[key].wait()
        messages: list[Message] = []
        try:
            if key in self.pages:
                self.pages.move_to_end(key)
                start, body = self.pages[key]
                messages += [dict(start), {"type": "http.response.body", "body": body}]
            else:
                await self.make(key, scope, receive, messages)
        finally:  # a failure has its answer too
            for message in messages:
                await send(message)

    async def make(self, key: Key, scope: Scope, receive: Receive, messages: list[Message]) -> None:
        """Have a page made and keep it. Nobody waits for the one who asked to take it."""

        async def gather(message: Message) -> None:
            messages.append(message)

        made = self.making[key] = Event()
        try:
            await self.app(scope, receive, gather)
            start, *parts = messages
            if start["status"] == 200 and dict(start["headers"])[b"content-type"].startswith(KINDS):
                self.keep(key, dict(start), b"".join(part.get("body", b"") for part in parts))
        finally:
            self.making.pop(key, None)
            made.set()

    def keep(self, key: Key, start: Message, body: bytes) -> None:
        """Make room for a page and keep it."""
        if len(body) > LARGEST or key in self.pages:
            return
        self.pages[key] = start, body
        self.held += len(body)
        while self.held > self.room:
            _, (_, oldest) = self.pages.popitem(last=False)
            self.held -= len(oldest)
