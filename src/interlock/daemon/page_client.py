"""Ask the page's process for a link, for its state, or to stop: over a socket that only this user can reach.

It is here and not in `page/` so that the daemon can put links into its messages without loading the page.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Literal

from msgspec import DecodeError, Struct, json

from interlock.config.places import socket_path
from interlock.daemon.control import connection_to
from interlock.errors import InterlockError
from interlock.framing import Closed, receive, send

__all__ = [
    "PATIENCE",
    "PageOrder",
    "PageReply",
    "PageState",
    "control_place",
    "link_for",
    "new_link",
    "state_of_page",
    "stop_page",
]

PATIENCE = 10.0  # seconds for one question


class PageState(Struct, frozen=True, kw_only=True):
    """What a running page says about itself."""

    version: str
    pid: int
    address: str
    public: str | None = None
    editor: str = ""
    metrics: bool = False
    started: float = 0.0


class PageOrder(Struct, frozen=True):
    """What the page is asked for. `scope`: the request that a link is for; None: for everything."""

    do: Literal["state", "link", "stop"]
    scope: str | None = None


class PageReply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the page answers."""

    state: PageState | None = None
    link: str | None = None
    error: str | None = None
    help: str | None = None


def control_place() -> Path:
    return socket_path().with_name("page.sock")


def state_of_page() -> PageState | None:
    """The state of the page that runs now; None if none does."""
    reply = _ask(PageOrder("state"))
    return None if reply is None else reply.state


def new_link(scope: str | None = None) -> str | None:
    """A link that signs a person in once; None if no page runs. Raises InterlockError if it is not given."""
    reply = _ask(PageOrder("link", scope))
    return None if reply is None else reply.link


def link_for(request: str | None) -> str | None:
    """A link to one request, or to everything: for messages that reach a person elsewhere. None if there is none."""
    try:
        return new_link(request)
    except InterlockError:
        return None


def stop_page() -> bool:
    """End the page's process, and return whether one was running."""
    return _ask(PageOrder("stop"), until_end=True) is not None


def _ask(order: PageOrder, *, until_end: bool = False) -> PageReply | None:
    limit = time.monotonic() + PATIENCE
    try:
        with connection_to(control_place()) as page:
            send(page, json.encode(order), limit)
            reply = json.decode(receive(page, limit), type=PageReply)
            if until_end:
                page.settimeout(PATIENCE)
                page.recv(1)  # nothing comes: it ends with the process
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
        return None
    except (OSError, Closed, DecodeError) as error:
        raise InterlockError(f"the page does not answer on `{control_place()}`: {error}") from error
    if reply.error is not None:
        raise InterlockError(reply.error, help=reply.help)
    return reply
