"""Serve the page on loopback, in this process."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from interlock.errors import InterlockError

__all__ = ["LOOPBACK", "PORTS", "listen", "serving"]

LOOPBACK = "127.0.0.1"
PORTS = range(4517, 4527)  # `core` keeps agents from these; another port would be one that it does not know
_BACKLOG = 128
_PATIENCE = 10.0  # seconds within which the server must be up, and within which it must be gone


def listen(ports: Sequence[int] = PORTS) -> socket.socket:
    """A socket that listens on the first of these ports that is free."""
    for port in ports:
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((LOOPBACK, port))
            found.listen(_BACKLOG)
        except OSError:
            found.close()
            continue
        return found
    raise InterlockError(
        f"ports {ports[0]} to {ports[-1]} on {LOOPBACK} are all in use", help="end one of the programs that use them"
    )


def server_of(app: Starlette) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


@contextmanager
def serving(app: Starlette, listener: socket.socket) -> Iterator[str]:
    """Serve `app` in a thread until the block ends; gives its address."""
    server = server_of(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="interlock-page", daemon=True)
    thread.start()
    host, port = listener.getsockname()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join(_PATIENCE)
