"""From where a request may come: our own address, and pages of our own.

A page of a stranger may make a browser send requests here (cross-site), or give its own name our address (rebinding).
A page on another port of this machine counts as the same *site*, not as the same *origin*, so that is refused too.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from interlock.page.door.refusals import refusal

__all__ = ["METHODS", "OwnAddress", "OwnOrigin"]

METHODS = ("GET", "HEAD", "POST")
_LOOKS = ("GET", "HEAD")
_FROM_ANYWHERE = "/enter"  # a link in a chat or a mail leads here; what it opens is in no request


class OwnAddress:
    """Lets requests through that name one of our addresses as the host, and use a method that we have."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # neither web sockets nor anything else
        named = Headers(scope=scope).getlist("host")
        app = self._app
        if len(named) != 1 or named[0].lower() not in self._hosts:
            todo = "Type `interlock open` in a terminal, and use the address that it prints."
            app = refusal(scope, 421, "This is not the address of Interlock's page.", todo)
        elif scope["method"] not in METHODS:
            app = refusal(scope, 405, "The page does not answer this method.", f"Use {', '.join(METHODS)}.")
        await app(scope, receive, send)


class OwnOrigin:
    """Lets requests through that a person typed or that our own pages make."""

    def __init__(self, app: ASGIApp, origins: frozenset[str]) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app if self._is_ours(scope) else _refuse(scope)
        await app(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        origins, sites = headers.getlist("origin"), headers.getlist("sec-fetch-site")
        if len(sites) > 1 or len(origins) > 1:
            return False
        site = sites[0] if sites else None  # programs that are not browsers do not send it
        if scope["method"] not in _LOOKS:
            return bool(origins) and origins[0] in self._origins and site in (None, "same-origin")
        if origins and origins[0] not in self._origins:
            return False
        if site in (None, "same-origin"):
            return True
        # What follows is only ever to be looked at, in a tab of its own.
        is_tab = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return is_tab and (site == "none" or scope["path"] == _FROM_ANYWHERE)


def _refuse(scope: Scope) -> ASGIApp:
    return refusal(
        scope,
        403,
        "Another page has made this request.",
        "Type the address of Interlock's page into the address bar, or use the link that `interlock open` prints.",
    )
