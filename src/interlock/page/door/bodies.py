"""What a request that changes something may carry: JSON, not too much of it, and not too slowly."""

from __future__ import annotations

import asyncio
from typing import Any, TypeAlias

from msgspec import DecodeError, json
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from interlock.page.door.refusals import refusal

__all__ = ["MOST_BODY", "Bodies", "object_in"]

JsonObject: TypeAlias = dict[str, Any]
MOST_BODY = 1 << 20  # an edited call may contain a whole file
_SECONDS = 10.0


class Bodies:
    """Reads the body of a POST, so that views find it whole; refuses what is too long, too slow or not JSON."""

    def __init__(self, app: ASGIApp, seconds: float = _SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["method"] == "POST":
            found = await self._read(scope, receive)
            if isinstance(found, bytes):
                scope.setdefault("state", {})["body"] = found
            else:
                app = refusal(scope, found, *_WHY[found])
        await app(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | int:
        headers = Headers(scope=scope)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY:
            return 413
        body = bytearray()
        try:
            async with asyncio.timeout(self._seconds):
                while True:
                    message = await receive()
                    body += message.get("body", b"")
                    if len(body) > MOST_BODY:
                        return 413
                    if message["type"] != "http.request" or not message.get("more_body"):
                        return bytes(body)
        except TimeoutError:
            return 408


_WHY = {
    408: ("The request did not arrive whole.", "Send it again."),
    413: (f"The request is longer than {MOST_BODY:,} bytes.", "Answer without an edit, or make the edit shorter."),
    415: ("The page takes nothing but JSON.", "Send `Content-Type: application/json`."),
}


def object_in(request: Request) -> JsonObject | None:
    """The JSON object that a request carries; None if it carries anything else."""
    try:
        found = json.decode(request.state.body)
    except (DecodeError, ValueError):
        return None
    return found if isinstance(found, dict) else None
