"""A receiver of webhooks on this machine that keeps what it is sent, and answers as it is told."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

from msgspec import json


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        found: dict[str, Any] = json.decode(self.body)
        return found


class Receiver:
    """`answers` are the status codes of the next answers; after them, everything is taken."""

    def __init__(self) -> None:
        self.received: Queue[Received] = Queue()
        self.answers: list[int] = []
        self.headers: dict[str, str] = {}
        self.url = ""

    def next(self) -> Received:
        return self.received.get(timeout=30)


@contextmanager
def receiving(certificate: Path | None = None) -> Iterator[Receiver]:
    """A receiver that listens while the block runs; with a certificate and its key in one file, over TLS."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            # Before the answer: whoever has the answer knows that this is here.
            receiver.received.put(Received(self.path, dict(self.headers), body))
            status = receiver.answers.pop(0) if receiver.answers else 204
            self.send_response(status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme, host = ("http", "127.0.0.1") if certificate is None else ("https", "localhost")
    receiver.url = f"{scheme}://{host}:{server.server_port}/hook?team=shop"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
