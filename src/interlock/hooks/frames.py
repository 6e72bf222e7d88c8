"""Messages between a process and its hook worker: a length, then JSON. Anything short is a failure."""

from __future__ import annotations

import socket
import struct
import time
from typing import Any

from msgspec import Raw, Struct

from interlock.fold import Round
from interlock.verdict import Opinion

__all__ = ["Answer", "Closed", "Hello", "Question", "receive", "send"]

_HEADER = struct.Struct(">I")


class Closed(Exception):  # noqa: N818 - how a conversation ends
    """The other side is gone."""


class Hello(Struct):
    """What a worker says when its hooks are loaded, or why they are not."""

    hooks: list[str] = []
    error: str | None = None


class Question(Struct):
    """One round about one event. The event travels as the bytes it came in."""

    host: str
    event: Raw
    round_: Round
    number: int
    state: dict[str, Any] | None = None


class Answer(Struct, omit_defaults=True):
    """The opinions of every hook that applies, in order, or why there are none. Numbered as its question was."""

    number: int
    opinions: dict[int, tuple[Opinion, ...]] = {}
    error: str | None = None


def send(channel: socket.socket, message: bytes, deadline: float | None = None) -> None:
    """Send one message whole. Raises Closed, or TimeoutError at the deadline (of the monotonic clock)."""
    try:
        _limit(channel, deadline)
        channel.sendall(_HEADER.pack(len(message)) + message)
    except TimeoutError:
        raise
    except OSError as error:
        raise Closed(str(error)) from error


def receive(channel: socket.socket, deadline: float | None = None) -> bytes:
    """Receive one message whole. Raises Closed, or TimeoutError at the deadline (of the monotonic clock)."""
    (length,) = _HEADER.unpack(_exactly(channel, _HEADER.size, deadline))
    return _exactly(channel, length, deadline)


def _limit(channel: socket.socket, deadline: float | None) -> None:
    """Give the next call the time left, not a time of its own: a peer that trickles must not run on."""
    left = None if deadline is None else deadline - time.monotonic()
    if left is not None and left <= 0:
        raise TimeoutError
    channel.settimeout(left)


def _exactly(channel: socket.socket, count: int, deadline: float | None) -> bytes:
    parts: list[bytes] = []
    while count:
        try:
            _limit(channel, deadline)
            part = channel.recv(min(count, 1 << 20))
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(str(error)) from error
        if not part:
            raise Closed("end of stream")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
