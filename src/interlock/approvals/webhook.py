"""Send a signed message to the address that a person has chosen. Nothing else is asked, and nobody else is told."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ssl
import time
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.policy.inbox_settings import Webhook

__all__ = ["Delivery", "SendError", "read_key", "send", "signature_of"]

_SECONDS = 10.0  # for one attempt to connect, and for each part of the answer
_SHORTEST_KEY = 16  # bytes: a shorter one can be guessed
_LONGEST_PAUSE = 300.0  # seconds that a receiver may ask for
_AGAIN = frozenset({408, 425, 429})  # and everything from 500 on: the same message may be taken later


class Delivery(Struct, frozen=True):
    """One message. Its id stays the same however often it is sent, so that a receiver can tell."""

    id: str
    body: bytes


class SendError(InterlockError):
    """A message did not arrive. `again`: it may, later; `pause`: after so many seconds, if the receiver said that."""

    def __init__(self, message: str, *, again: bool, pause: float | None = None) -> None:
        super().__init__(message)
        self.again = again
        self.pause = pause


def read_key(webhook: Webhook) -> bytes | None:
    """The key that signs messages; None if there is none. Raises SendError if it cannot be used."""
    if webhook.secret is None:
        return None
    file = Path(webhook.secret).expanduser()
    try:
        key = file.read_bytes().strip()
    except OSError as error:
        raise SendError(f"the webhook's key cannot be read: {error}", again=True) from error
    if len(key) < _SHORTEST_KEY:
        raise SendError(f"the webhook's key in {file} is shorter than {_SHORTEST_KEY} bytes", again=True)
    return key


def signature_of(key: bytes, timestamp: str, body: bytes) -> str:
    """`v1=` and the HMAC of the time and the body: neither can be changed, nor an old message sent again later."""
    return "v1=" + hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def send(webhook: Webhook, delivery: Delivery, now: float | None = None) -> None:
    """Send one message once. Raises SendError unless the receiver took it. Redirects are not followed."""
    key = read_key(webhook)
    timestamp = str(int(time.time() if now is None else now))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "interlock",
        "Interlock-Delivery": delivery.id,
        "Interlock-Timestamp": timestamp,
    }
    if key is not None:
        headers["Interlock-Signature"] = signature_of(key, timestamp, delivery.body)
    parts = urlsplit(webhook.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _connection(parts.scheme, parts.hostname or "", parts.port)
    try:
        connection.request("POST", path, body=delivery.body, headers=headers)
        answer = connection.getresponse()
        status, pause = answer.status, answer.getheader("Retry-After", "")
    except (OSError, http.client.HTTPException) as error:
        raise SendError(f"the webhook cannot be reached: {error or type(error).__name__}", again=True) from error
    finally:
        connection.close()
    if not 200 <= status < 300:
        wait = min(float(pause), _LONGEST_PAUSE) if pause.isdecimal() else None
        again = status in _AGAIN or status >= 500
        raise SendError(f"the webhook's receiver answered {status}", again=again, pause=wait)


def _connection(scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=_SECONDS, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port, timeout=_SECONDS)  # the policy allows this on this machine only
