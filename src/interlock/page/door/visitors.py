"""Lets in who has signed in, and lets them change something if they can show that it is their own browser that asks."""

from __future__ import annotations

import re
import time
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from interlock.page.door.keeper import Doorkeeper, Visitor
from interlock.page.door.rates import ANSWERS, REQUESTS, Rates
from interlock.page.door.refusals import refusal

__all__ = ["KEY_HEADER", "Visitors", "Visits", "visitor_of"]

KEY_HEADER = "Interlock-Key"
_OPEN = ("/enter", "/static/")
_SCOPED = re.compile(r"/inbox/([0-9a-f]+)(?:/\w+)?")
_FOR_ALL = ("/events", "/alive", "/leave")
_OPEN_AGAIN = "Type `interlock open` in a terminal, and open the link that it prints."


class Visits:
    """When the page was last used, and how many tabs listen: a page that nobody uses ends by itself."""

    def __init__(self) -> None:
        self.last = time.monotonic()
        self.streams = 0

    def idle(self) -> float:
        """Seconds since anybody used the page."""
        return 0.0 if self.streams else time.monotonic() - self.last


class Visitors:
    """Finds out who asks. Nobody else reaches a view."""

    def __init__(
        self, app: ASGIApp, keeper: Doorkeeper, cookie: str, visits: Visits, open_paths: tuple[str, ...] = ()
    ) -> None:
        self._app = app
        self._keeper = keeper
        self._cookie = cookie
        self._visits = visits
        self._open_paths = open_paths
        self._requests = Rates(REQUESTS)
        self._answers = Rates(ANSWERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visitor = self._visitor(scope)
        app = self._refusal(scope, visitor) or self._app
        if visitor is not None:
            self._visits.last = time.monotonic()
            scope.setdefault("state", {})["visitor"] = visitor
        await app(scope, receive, send)

    def _visitor(self, scope: Scope) -> Visitor | None:
        try:
            cookies = SimpleCookie(Headers(scope=scope).get("cookie", ""))
        except CookieError:
            return None
        found = cookies.get(self._cookie)
        return None if found is None else self._keeper.visitor(found.value)

    def _refusal(self, scope: Scope, visitor: Visitor | None) -> ASGIApp | None:
        wait = self._requests.take("" if visitor is None else visitor.id)
        if wait:
            return refusal(scope, 429, "These are too many requests.", "Wait a moment, and try again.", wait=wait)
        if scope["path"].startswith(_OPEN) or (scope["path"] in self._open_paths and scope["method"] != "POST"):
            return None
        if visitor is None:
            return refusal(scope, 401, "This browser is not signed in.", _OPEN_AGAIN)
        if visitor.scope is not None and not _is_about(scope["path"], visitor.scope):
            return refusal(scope, 403, "The link was for one request only.", _OPEN_AGAIN)
        if scope["method"] != "POST":
            return None
        if not self._keeper.may_answer(visitor, Headers(scope=scope).get(KEY_HEADER, "")):
            # The cookie alone proves little: a browser sends it to every server on this machine.
            return refusal(scope, 403, "This browser may look, but not answer.", _OPEN_AGAIN)
        wait = self._answers.take(visitor.id)
        if wait:
            return refusal(scope, 429, "These are too many answers.", "Wait a moment, and try again.", wait=wait)
        return None


def _is_about(path: str, request: str) -> bool:
    found = _SCOPED.fullmatch(path)
    return path in _FOR_ALL if found is None else found[1] == request


def visitor_of(request: Request) -> Visitor:
    """Who asks. There is always somebody: the door lets nobody else reach a view."""
    found: Visitor = request.state.visitor
    return found
