"""Who may look at the page and who may answer: one-time links, and the two halves of what they are exchanged for.

Browsers keep cookies apart by host, not by port: any other server on this machine that a person's browser visits is
sent the page's cookie. So the cookie alone only lets its bearer look. To change something, a request must also carry a
key that the page's own script keeps where browsers do separate ports.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

__all__ = ["SESSION_SECONDS", "Admission", "Doorkeeper", "Visitor"]

SESSION_SECONDS = 12 * 3600.0
LINK_SECONDS = 600.0
_BYTES = 32
_MOST_LINKS = 200  # that nobody has used yet; of more than these the oldest are dropped
_MOST_VISITORS = 50
_MOST_TRIES = 5  # of a passphrase, with one link


class Visitor(Struct, frozen=True, kw_only=True):
    """A browser in which a person has signed in. Only digests of what it was given are kept."""

    id: str
    key: str
    until: float
    scope: str | None = None  # the only request that it may see and answer


class Admission(Struct, frozen=True, kw_only=True):
    """What a browser is given at sign-in: the cookie lets it look, the key as well lets it answer."""

    cookie: str
    key: str
    scope: str | None


class _Link(Struct, frozen=True, kw_only=True):
    until: float
    scope: str | None
    tries: int = 0


class Doorkeeper:
    """Makes links, lets people in by them, and recognises who is in. Nothing of it is ever written to a file."""

    def __init__(
        self,
        passphrase: Callable[[], Callable[[str], bool] | None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.passphrase = passphrase  # gives what proves a text to be the person's passphrase; None: they have none
        self._clock = clock
        self._lock = threading.Lock()
        self._links: dict[str, _Link] = {}
        self._visitors: dict[str, Visitor] = {}

    def mint(self, scope: str | None = None) -> str:
        """The secret of a new link, which works once and for ten minutes."""
        secret = secrets.token_urlsafe(_BYTES)
        with self._lock:
            self._drop_ended()
            self._links[_digest(secret)] = _Link(until=self._clock() + LINK_SECONDS, scope=scope)
            while len(self._links) > _MOST_LINKS:
                del self._links[next(iter(self._links))]
        return secret

    def admit(self, secret: str, passphrase: str = "") -> Admission | None:
        """What a browser is given for a link's secret; None if the link does not work, or the passphrase is wrong."""
        name = _digest(secret)
        proves = self.passphrase()
        with self._lock:
            self._drop_ended()
            link = self._links.pop(name, None)
            if link is not None and proves is not None and link.tries + 1 < _MOST_TRIES:
                self._links[name] = replace(link, tries=link.tries + 1)
        # Outside of the lock: checking a passphrase is slow on purpose.
        if link is None or (proves is not None and not proves(passphrase)):
            return None
        with self._lock:
            if proves is not None and link.tries + 1 < _MOST_TRIES and self._links.pop(name, None) is None:
                return None  # somebody else has used it meanwhile
            return self._let_in(link.scope)

    def _let_in(self, scope: str | None) -> Admission:
        given = Admission(cookie=secrets.token_urlsafe(_BYTES), key=secrets.token_urlsafe(_BYTES), scope=scope)
        until = self._clock() + SESSION_SECONDS
        visitor = Visitor(id=_digest(given.cookie), key=_digest(given.key), until=until, scope=scope)
        self._visitors[visitor.id] = visitor
        while len(self._visitors) > _MOST_VISITORS:
            del self._visitors[next(iter(self._visitors))]
        return given

    def visitor(self, cookie: str) -> Visitor | None:
        """Who has this cookie, as long as they are in."""
        # Looked up by its digest: the time that takes says nothing about the cookie.
        found = self._visitors.get(_digest(cookie))
        return found if found is not None and self.is_in(found) else None

    def is_in(self, visitor: Visitor) -> bool:
        return visitor.id in self._visitors and self._clock() < visitor.until

    def may_answer(self, visitor: Visitor, key: str) -> bool:
        return hmac.compare_digest(visitor.key, _digest(key))

    def dismiss(self, visitor: Visitor) -> None:
        """End what a browser was given."""
        with self._lock:
            self._visitors.pop(visitor.id, None)

    def _drop_ended(self) -> None:
        now = self._clock()
        self._links = {name: one for name, one in self._links.items() if now < one.until}
        self._visitors = {name: one for name, one in self._visitors.items() if now < one.until}


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
