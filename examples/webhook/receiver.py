"""Receive Interlock's webhook: check the signature, the time and whether a message is a repeated one, then show it.

    python receiver.py ~/.config/interlock/webhook.key 8787

It uses the standard library only. Take `WebhookGate` into your own server, whatever that is written with.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

WINDOW = 300  # seconds that a message may be old, or that the two clocks may differ
MOST_BYTES = 1_000_000


class MessageError(Exception):
    """The message is not one of ours, or not one of now."""


class WebhookGate:
    """Lets a message through if somebody who has the key made it a short while ago, and it is not a repeated one."""

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        self._key = key
        self._clock = clock
        self._seen: dict[str, float] = {}
        self._lock = threading.Lock()

    def open(self, headers: Mapping[str, str], body: bytes) -> dict[str, Any] | None:
        """The message; None if it was received before. Raises MessageError if it must not be believed."""
        timestamp = headers.get("Interlock-Timestamp", "")
        signature = headers.get("Interlock-Signature", "")
        wanted = hmac.new(self._key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        # Compared in constant time, and before anything in the message is looked at.
        if not hmac.compare_digest(f"v1={wanted}".encode(), signature.encode()):
            raise MessageError("the signature is wrong")
        now = self._clock()
        if not timestamp.isdecimal() or abs(now - int(timestamp)) > WINDOW:
            raise MessageError("the message is too old")
        delivery = headers.get("Interlock-Delivery", "")
        with self._lock:
            self._seen = {id: until for id, until in self._seen.items() if until > now}
            if delivery in self._seen:
                return None  # sent again because our answer was lost: take it, and do nothing twice
            self._seen[delivery] = now + 2 * WINDOW
        message: dict[str, Any] = json.loads(body)
        return message

    def forget(self, headers: Mapping[str, str]) -> None:
        """Take the message again when it comes again: it could not be passed on."""
        with self._lock:
            self._seen.pop(headers.get("Interlock-Delivery", ""), None)


def serve(key: bytes, port: int, act: Callable[[dict[str, Any]], None]) -> ThreadingHTTPServer:
    """A server on this machine that calls `act` with each message. If `act` fails, Interlock sends it again."""
    gate = WebhookGate(key)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if length > MOST_BYTES:
                self._answer(413)
                return
            try:
                message = gate.open(self.headers, self.rfile.read(length))
            except (MessageError, ValueError) as error:
                print(f"refused: {error}", file=sys.stderr, flush=True)
                self._answer(401)
                return
            try:
                if message is not None:
                    act(message)
            except OSError as error:
                print(f"not passed on: {error}", file=sys.stderr, flush=True)
                gate.forget(self.headers)
                self._answer(503)
                return
            self._answer(204)

        def _answer(self, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Addresses of requests are no news."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def text_of(message: dict[str, Any]) -> str:
    """A message in one line. `ascii` keeps what an agent wrote from acting in this terminal."""
    call = ascii(message["call"])[1:-1]
    if message["event"] == "asked":
        why = "; ".join(one["text"] for one in message["reasons"])
        where = message["links"]["answer"] or f"interlock approve {message['id']}"
        return f"asked: {call} ({ascii(why)[1:-1]}) until {message['until']}; answer: {where}"
    if message["event"] == "answered":
        return f"answered: {call}: {message['by']} said {message['answer']}"
    return f"{message['event']}: {call}"


def main() -> None:
    key, port = Path(sys.argv[1]).expanduser().read_bytes().strip(), int(sys.argv[2])
    server = serve(key, port, lambda message: print(text_of(message), flush=True))
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
