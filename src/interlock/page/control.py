"""Ask the page's process for a link, for its state, or to stop: over a socket that only this user can reach.

A process that an agent's session has started gets no link, even if it has made itself a terminal.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from msgspec import DecodeError, Struct, ValidationError, json

from interlock.config.places import socket_path, state_folder
from interlock.daemon.control import connection_to
from interlock.daemon.peers import check_user, host_above, peer_of
from interlock.errors import InterlockError
from interlock.files.private import private_folder
from interlock.framing import Closed, receive, send

__all__ = ["Control", "PageState", "control_place", "link_for", "new_link", "state_of_page", "stop_page"]

_PATIENCE = 10.0
_LOOKS = 30.0  # seconds after which it is looked whether anybody still uses the page


class PageState(Struct, frozen=True, kw_only=True):
    """What a running page says about itself."""

    version: str
    pid: int
    address: str
    public: str | None = None
    editor: str = ""
    metrics: bool = False
    started: float = 0.0


class _Order(Struct, frozen=True):
    do: Literal["state", "link", "stop"]
    scope: str | None = None


class _Reply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    state: PageState | None = None
    link: str | None = None
    error: str | None = None
    help: str | None = None


def control_place() -> Path:
    return socket_path().with_name("page.sock")


# --- in the page's process ---------------------------------------------------------------------------------------


class Control:
    """Answers on the socket until the page stops."""

    def __init__(self, state: PageState, link: Callable[[str | None], str], stop: Callable[[], None]) -> None:
        self._state = state
        self._link = link
        self._stop = stop

    @contextmanager
    def listening(self, is_unused: Callable[[], bool]) -> Iterator[None]:
        """Answer while the block runs; stop the page once nobody has used it for long enough."""
        with _listener(control_place()) as listener:
            thread = threading.Thread(target=self._serve, args=(listener, is_unused), daemon=True)
            thread.start()
            try:
                yield
            finally:
                listener.close()
                control_place().unlink(missing_ok=True)

    def _serve(self, listener: socket.socket, is_unused: Callable[[], bool]) -> None:
        listener.settimeout(_LOOKS)
        while True:
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                if is_unused():
                    self._stop()
                continue
            except OSError:
                return  # it was closed: the page stops
            # Left open if the page stops: whoever asked for that sees by its end that the process is gone.
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        limit = time.monotonic() + _PATIENCE
        with suppress(Closed, TimeoutError):
            try:
                order = json.decode(receive(connection, limit), type=_Order)
                reply = self._obey(order, connection)
            except InterlockError as error:
                order, reply = None, _Reply(error=error.message, help=error.help)
            except (DecodeError, ValidationError):
                order, reply = None, _Reply(error="this is not a question that the page understands")
            send(connection, json.encode(reply), limit)
            if order is not None and order.do == "stop":
                self._stop()
                return
        connection.close()

    def _obey(self, order: _Order, connection: socket.socket) -> _Reply:
        peer = peer_of(connection)
        if peer is not None:
            check_user(peer[1])
        if order.do != "link":
            return _Reply(state=self._state)
        host = None if peer is None else host_above(peer[0], state_folder() / "sessions")
        if host is not None:
            raise InterlockError(
                f"an agent's session (process {host.pid}) has started this command, and agents get no link",
                help="run `interlock open` in a terminal of your own",
            )
        return _Reply(state=self._state, link=self._link(order.scope))


@contextmanager
def _listener(place: Path) -> Iterator[socket.socket]:
    folder = os.open(private_folder(place.parent), os.O_RDONLY | os.O_DIRECTORY)
    before = os.umask(0o177)
    try:
        # By the folder's number, because a socket's path may have only about a hundred characters.
        near = Path(f"/proc/self/fd/{folder}")
        place.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str((near if near.exists() else place.parent) / place.name))
            os.umask(before)
            listener.listen()
            yield listener
    finally:
        os.umask(before)
        os.close(folder)


# --- in other processes ------------------------------------------------------------------------------------------


def state_of_page() -> PageState | None:
    """The state of the page that runs now; None if none does."""
    reply = _ask(_Order("state"))
    return None if reply is None else reply.state


def new_link(scope: str | None = None) -> str | None:
    """A link that signs a person in once; None if no page runs. Raises InterlockError if it is not given."""
    reply = _ask(_Order("link", scope))
    return None if reply is None else reply.link


def link_for(request: str | None) -> str | None:
    """A link to one request, or to everything: for messages that reach a person elsewhere. None if there is none."""
    try:
        return new_link(request)
    except InterlockError:
        return None


def stop_page() -> bool:
    """End the page's process, and return whether one was running."""
    return _ask(_Order("stop"), until_end=True) is not None


def _ask(order: _Order, *, until_end: bool = False) -> _Reply | None:
    limit = time.monotonic() + _PATIENCE
    try:
        with connection_to(control_place()) as page:
            send(page, json.encode(order), limit)
            reply = json.decode(receive(page, limit), type=_Reply)
            if until_end:
                page.settimeout(_PATIENCE)
                page.recv(1)  # nothing comes: it ends with the process
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
        return None
    except (OSError, Closed, DecodeError) as error:
        raise InterlockError(f"the page does not answer on `{control_place()}`: {error}") from error
    if reply.error is not None:
        raise InterlockError(reply.error, help=reply.help)
    return reply
