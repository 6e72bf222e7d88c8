"""The whole door: what stands before the views, in order."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.routing import Route

from interlock.errors import InterlockError
from interlock.page.door.addresses import OwnAddress, OwnOrigin
from interlock.page.door.bodies import Bodies
from interlock.page.door.entrance import Entrance
from interlock.page.door.headers import SafeHeaders
from interlock.page.door.keeper import Doorkeeper
from interlock.page.door.visitors import Visitors, Visits
from interlock.page.serving import LOOPBACK

__all__ = ["Door", "origin_of"]

_PORTS = {"http": 80, "https": 443}


class Door:
    """One page's door: the addresses that it answers to, and who keeps it."""

    def __init__(
        self,
        port: int,
        keeper: Doorkeeper | None = None,
        public: str | None = None,
        also: Sequence[str] = (),
        open_paths: Sequence[str] = (),
    ) -> None:
        """`public`: the address that links have; `also`: other addresses by which people reach the page.

        `open_paths`: what may be read without having signed in.
        """
        self.keeper = Doorkeeper() if keeper is None else keeper
        self.visits = Visits()
        self.cookie = f"interlock-{port}"  # browsers do not keep the cookies of two ports apart
        self.address = f"http://{LOOPBACK}:{port}"
        self.public = None if public is None else origin_of(public)
        named = [one for one in (self.public, *map(origin_of, also)) if one is not None]
        self._origins = frozenset([self.address, *named])
        self._open_paths = tuple(open_paths)
        self._entrance = Entrance(self.keeper, self.cookie)

    def link(self, scope: str | None = None) -> str:
        """A link that lets a person in once; into one request only, if `scope` names one."""
        return f"{self.public or self.address}/enter#{self.keeper.mint(scope)}"

    @property
    def routes(self) -> list[Route]:
        return self._entrance.routes

    def middleware(self) -> Sequence[Middleware]:
        """In the order in which a request meets them."""
        return [
            Middleware(SafeHeaders),
            Middleware(OwnAddress, frozenset(origin.partition("://")[2] for origin in self._origins)),
            Middleware(OwnOrigin, self._origins),
            Middleware(Visitors, self.keeper, self.cookie, self.visits, self._open_paths),
            Middleware(Bodies),
        ]


def origin_of(address: str) -> str:
    """The origin of an address, as browsers name it. Raises InterlockError if it is not one."""
    parts = urlsplit(address)
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None or parts.path not in ("", "/"):
        raise InterlockError(f"`{address}` is not the address of a page", help="write https://interlock.example.org")
    port = "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{parts.hostname}{port}"
