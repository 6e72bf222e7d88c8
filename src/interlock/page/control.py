"""Answer in the page's process what others ask of it: a link, its state, or to stop.

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

from msgspec import DecodeError, json

from interlock.config.places import state_folder
from interlock.daemon.page_client import PATIENCE, PageOrder, PageReply, PageState, control_place
from interlock.daemon.peers import check_user, host_above, peer_of
from interlock.errors import InterlockError
from interlock.files.private import private_folder
from interlock.framing import Closed, receive, send

__all__ = ["Control"]

_LOOKS = 30.0  # seconds after which it is looked whether anybody still uses the page


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
        limit = time.monotonic() + PATIENCE
        with suppress(Closed, TimeoutError):
            try:
                order = json.decode(receive(connection, limit), type=PageOrder)
                reply = self._obey(order, connection)
            except InterlockError as error:
                order, reply = None, PageReply(error=error.message, help=error.help)
            except DecodeError:
                order, reply = None, PageReply(error="this is not a question that the page understands")
            send(connection, json.encode(reply), limit)
            if order is not None and order.do == "stop":
                self._stop()
                return
        connection.close()

    def _obey(self, order: PageOrder, connection: socket.socket) -> PageReply:
        peer = peer_of(connection)
        if peer is not None:
            check_user(peer[1])
        if order.do != "link":
            return PageReply(state=self._state)
        host = None if peer is None else host_above(peer[0], state_folder() / "sessions")
        if host is not None:
            raise InterlockError(
                f"an agent's session (process {host.pid}) has started this command, and agents get no link",
                help="run `interlock open` in a terminal of your own",
            )
        return PageReply(state=self._state, link=self._link(order.scope))


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
