"""Tell open tabs that the store has changed: one thread looks, for all of them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing, suppress
from typing import Any, TypeAlias

from msgspec import json
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from interlock.errors import InterlockError
from interlock.page.call_text import one_line
from interlock.page.context import PageContext, scope_of
from interlock.page.door.door import Door
from interlock.page.door.keeper import Visitor
from interlock.page.door.refusals import refusal
from interlock.page.door.visitors import visitor_of

__all__ = ["Live"]

JsonObject: TypeAlias = dict[str, Any]
_LOOKS = 0.1  # seconds between two looks
_QUIET = 15.0  # seconds after which a tab is told that nothing happened, and is asked whether it is still there
_MOST_STREAMS = 32
_MOST_LINE = 200


class Live:
    """The stream `/events`: one event when it begins, and one whenever the store has changed."""

    def __init__(self, context: PageContext, door: Door) -> None:
        self._context = context
        self._door = door
        self._lock = threading.Lock()
        self._tabs: set[Callable[[], None]] = set()
        self._looking = False
        self._count = 0
        self.routes = [Route("/events", self._events)]

    async def _events(self, request: Request) -> Response:
        if self._door.visits.streams >= _MOST_STREAMS:
            todo = "Close some of them, and reload this page."
            return refusal(request.scope, 503, "The page is open in too many tabs.", todo, wait=30)
        stream = self._stream(visitor_of(request), scope_of(request))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def _stream(self, visitor: Visitor, only: str | None) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        news = asyncio.Event()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop may have ended meanwhile
                loop.call_soon_threadsafe(news.set)

        self._begin(wake)
        try:
            while self._door.keeper.is_in(visitor):
                news.clear()
                data = await asyncio.to_thread(self._summary, only)
                yield b"event: change\ndata: " + json.encode(data) + b"\n\n"
                while not news.is_set() and self._door.keeper.is_in(visitor):
                    try:
                        await asyncio.wait_for(news.wait(), _QUIET)
                    except TimeoutError:
                        yield b": nothing new\n\n"
            yield b"event: over\ndata: {}\n\n"
        finally:
            self._end(wake)

    def _summary(self, only: str | None) -> JsonObject:
        try:
            found = self._context.requests.look()
        except InterlockError:
            return {"error": "the store cannot be read", "now": self._context.clock()}
        newest = found.newest if only is None else None
        return {
            "waiting": len(found.waiting) if only is None else 0,
            "count": self._count,  # of changes of any kind
            "mark": found.mark,  # of what is unanswered
            "newest": None if newest is None else {"id": newest.id, "line": _line(newest.tool, newest.body)},
            "now": self._context.clock(),
        }

    def _begin(self, wake: Callable[[], None]) -> None:
        with self._lock:
            self._tabs.add(wake)
            self._door.visits.streams = len(self._tabs)
            if not self._looking:
                self._looking = True
                threading.Thread(target=self._look, name="interlock-live", daemon=True).start()

    def _end(self, wake: Callable[[], None]) -> None:
        with self._lock:
            self._tabs.discard(wake)
            self._door.visits.streams = len(self._tabs)
            self._door.visits.last = time.monotonic()

    def _look(self) -> None:
        with closing(self._context.store.watch()) as watch:
            while True:
                with suppress(InterlockError):  # a store that cannot be read now may be read later
                    if watch.has_changed():
                        self._tell()
                with self._lock:
                    if not self._tabs:
                        self._looking = False
                        return
                time.sleep(_LOOKS)

    def _tell(self) -> None:
        with self._lock:
            self._count += 1
            tabs = list(self._tabs)
        for wake in tabs:
            wake()


def _line(tool: str, body: bytes) -> str:
    return one_line(tool, json.decode(body)["input"], _MOST_LINE)
