"""Sign in with a link, and sign out.

The secret of a link is behind its `#`. Browsers send that to no server, so neither a preview of the link nor a log or
a `Referer` has it; a script of the page sends it once, in the body of a request, and takes it out of the address.
"""

from __future__ import annotations

from msgspec import json
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.door.bodies import object_in
from interlock.page.door.keeper import SESSION_SECONDS, Doorkeeper
from interlock.page.door.rates import SIGN_INS, Rates
from interlock.page.door.refusals import refusal
from interlock.page.door.visitors import visitor_of
from interlock.page.render import render

__all__ = ["Entrance"]

_LONGEST = 1024


class Entrance:
    """The routes by which people come in and leave."""

    def __init__(self, keeper: Doorkeeper, cookie: str) -> None:
        self._keeper = keeper
        self._cookie = cookie
        self._tries = Rates(SIGN_INS)
        self.routes = [
            Route("/enter", self._show),
            Route("/enter", self._enter, methods=["POST"]),
            Route("/leave", self._leave, methods=["POST"]),
            Route("/alive", self._alive),
        ]

    def _show(self, request: Request) -> Response:
        body = render("enter.html", wants_passphrase=self._keeper.passphrase() is not None)
        return Response(body, media_type="text/html")

    def _enter(self, request: Request) -> Response:
        wait = self._tries.wait()
        if wait:
            todo = "Wait a moment, and open the link again."
            return refusal(request.scope, 429, "These were too many tries.", todo, wait=wait)
        said = object_in(request) or {}
        secret, passphrase = said.get("secret"), said.get("passphrase", "")
        if not isinstance(secret, str) or not isinstance(passphrase, str) or len(secret + passphrase) > _LONGEST:
            secret = passphrase = ""
        given = self._keeper.admit(secret, passphrase)
        if given is None:
            self._tries.take()
            wants = " or the passphrase is wrong" if self._keeper.passphrase() is not None else ""
            todo = "A link works once, for ten minutes. Type `interlock open` in a terminal for another one."
            return refusal(request.scope, 403, f"This link does not work{wants}.", todo)
        to = "/inbox" if given.scope is None else f"/inbox/{given.scope}"
        response = Response(json.encode({"key": given.key, "to": to}), media_type="application/json")
        response.set_cookie(
            self._cookie,
            given.cookie,
            max_age=int(SESSION_SECONDS),
            path="/",
            httponly=True,
            samesite="strict",
            secure=request.headers["origin"].startswith("https://"),
        )
        return response

    def _leave(self, request: Request) -> Response:
        self._keeper.dismiss(visitor_of(request))
        return Response(b"{}", media_type="application/json")

    def _alive(self, request: Request) -> Response:
        """For a tab whose stream has ended: whether it is still signed in."""
        return Response(b"{}", media_type="application/json")
