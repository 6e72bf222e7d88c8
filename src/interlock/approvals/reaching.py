"""Tell people that a call waits for them: on the desktop, and through the webhook of their own policy.

Everything happens in a thread of its own. A receiver that is slow or gone delays no call and no answer, and what cannot
be told is logged once; the request waits in the inbox all the same.
"""

from __future__ import annotations

import logging
import random
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from heapq import heappop, heappush
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from msgspec import json

from interlock.config.settings import inbox_settings, personal_policies
from interlock.errors import InterlockError
from interlock.policy.inbox_settings import InboxSettings, Webhook
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Store

if TYPE_CHECKING:
    from interlock.approvals.desktop import Desktop
    from interlock.approvals.webhook import Delivery

__all__ = ["Outreach"]

_LOG = logging.getLogger("interlock")
_MOST_WAITING = 200
_MOST_REMEMBERED = 1000  # requests whose receivers will be told how they ended
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_END_ATTEMPTS = 3
_LONG = 3600.0


class _News(NamedTuple):
    """A request that began to wait, or ended."""

    id: str
    is_end: bool = False


class _Unsent(NamedTuple):
    """A message that has not arrived yet, and when it is sent again."""

    due: float
    attempts: int
    news: _News
    webhook: Webhook
    delivery: Delivery

    def __lt__(self, other: tuple[object, ...]) -> bool:
        return isinstance(other, _Unsent) and self.due < other.due


def _own_settings() -> InboxSettings:
    return inbox_settings(personal_policies())


class Outreach:
    """Tells people of requests. A message that does not arrive is sent again, for as long as the request waits."""

    def __init__(
        self,
        store: Callable[[], Store],
        *,
        link: Callable[[ApprovalRequest], str | None] = lambda _: None,
        settings: Callable[[], InboxSettings] = _own_settings,
        desktop: Desktop | None = None,
        say: Callable[[str], object] = _LOG.warning,
        first_pause: float = _FIRST_PAUSE,
    ) -> None:
        """`link` gives an address at which a person can answer this one request, or None if there is none now."""
        self.link = link
        self._store = store
        self._settings = settings
        self._desktop = desktop
        self._say = say
        self._first_pause = first_pause
        self._wake = threading.Condition()
        self._news: deque[_News] = deque()
        self._unsent: list[_Unsent] = []  # a heap: the message whose next attempt comes first is first
        self._busy = False
        self._thread: threading.Thread | None = None
        self._announced: OrderedDict[str, None] = OrderedDict()
        self._problem: str | None = None

    @property
    def problem(self) -> str | None:
        """Why the last message did not arrive, if it did not."""
        return self._problem

    def announce(self, id: str) -> None:
        """Tell people of a request that was committed. Returns at once, and never fails."""
        self._put(_News(id))

    def conclude(self, id: str) -> None:
        """Tell those who heard of a request how it ended. Returns at once, and never fails."""
        self._put(_News(id, is_end=True))

    def finish(self) -> None:
        """Wait until everything is told, or has failed for good."""
        with self._wake:
            self._wake.wait_for(lambda: not (self._news or self._unsent or self._busy))

    def _put(self, news: _News) -> None:
        with self._wake:
            if len(self._news) + len(self._unsent) >= _MOST_WAITING:
                self._complain("more requests wait to be told than fit; people are not told of all of them")
                return
            self._news.append(news)
            self._wake.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="interlock-outreach", daemon=True)
                try:
                    self._thread.start()
                except RuntimeError as error:
                    self._thread = None
                    self._complain(f"no thread to tell people of requests: {error}")

    def _work(self) -> None:
        while True:
            task = self._next_task()
            try:
                task()
            except InterlockError as error:  # the store or the policy cannot be read
                self._complain(f"people could not be told of a request: {error.in_one_line()}")
            except Exception as error:  # noqa: BLE001 - the edge of the thread: the next request must be told
                self._complain(f"people could not be told of a request: {type(error).__name__}: {error}")

    def _next_task(self) -> Callable[[], None]:
        """Wait for a request that nobody has heard of yet, or for a message whose next attempt is due."""
        with self._wake:
            self._busy = False
            self._wake.notify_all()
            while not self._news:
                now = monotonic()
                due = self._unsent[0].due if self._unsent else now + _LONG
                if due <= now:
                    self._busy = True
                    message = heappop(self._unsent)
                    return lambda: self._retry(message)
                self._wake.wait(due - now)
            self._busy = True
            news = self._news.popleft()
            return lambda: self._tell(news)

    def _tell(self, news: _News) -> None:
        request = self._store().request(news.id)
        if request is None:
            return
        settings = self._settings()
        if settings.desktop and not news.is_end and request.status == "waiting":
            self._show(request)
        if settings.webhook is not None:
            self._post(settings.webhook, request, news)

    def _show(self, request: ApprovalRequest) -> None:
        from interlock.approvals.desktop import Desktop  # noqa: PLC0415 - few policies want it
        from interlock.approvals.messages import desktop_text  # noqa: PLC0415

        if self._desktop is None:
            self._desktop = Desktop(say=self._say)
        self._desktop.show_text(desktop_text(request))

    def _post(self, webhook: Webhook, request: ApprovalRequest, news: _News) -> None:
        from interlock.approvals.messages import MESSAGES  # noqa: PLC0415 - few policies want it
        from interlock.approvals.webhook import Delivery  # noqa: PLC0415 - brings http and ssl

        if news.is_end:
            if request.id not in self._announced:
                return  # its receiver has never heard of it
            del self._announced[request.id]
        elif request.status != "waiting":
            return
        say_asked, say_ended = MESSAGES[webhook.message]
        link = None if news.is_end else _at_page(self.link(request), webhook.page)
        body = json.encode(say_ended(request) if news.is_end else say_asked(request, link))
        self._attempt(_Unsent(0.0, 0, news, webhook, Delivery(secrets.token_hex(16), body)))

    def _retry(self, message: _Unsent) -> None:
        # What it says must still be so. How a request ended stays true, but is soon of no interest.
        if message.news.is_end:
            if message.attempts <= _END_ATTEMPTS:
                self._attempt(message)
            return
        request = self._store().request(message.news.id)
        if request is not None and request.status == "waiting":
            self._attempt(message)

    def _attempt(self, message: _Unsent) -> None:
        from interlock.approvals.webhook import SendError, send  # noqa: PLC0415

        try:
            send(message.webhook, message.delivery)
        except SendError as error:
            self._complain(error.message)
            if error.again:
                pause = min(self._first_pause * 2**message.attempts, _LONGEST_PAUSE)
                # Many messages that failed together must not all come back together.
                rest = error.pause or pause * random.uniform(0.5, 1.0)  # noqa: S311 - spread, not a secret
                with self._wake:
                    again = message._replace(due=monotonic() + rest, attempts=message.attempts + 1)
                    heappush(self._unsent, again)
            return
        self._problem = None
        if not message.news.is_end:
            self._announced[message.news.id] = None
            while len(self._announced) > _MOST_REMEMBERED:
                self._announced.popitem(last=False)

    def _complain(self, text: str) -> None:
        """Log a failure, unless it is the same as the last one: a receiver that is gone would fill the log."""
        if text != self._problem:
            self._problem = text
            self._say(text)


def _at_page(link: str | None, page: str | None) -> str | None:
    """The link under the address at which people reach the page, if they do so elsewhere than on this machine."""
    if link is None or page is None:
        return link
    base, parts = urlsplit(page), urlsplit(link)
    return urlunsplit((base.scheme, base.netloc, base.path.rstrip("/") + parts.path, parts.query, parts.fragment))
