"""Messages on a socket: a length first, then the message. Whatever is short, late or cut off is a failure."""

from __future__ import annotations

import socket
import struct
import time

__all__ = ["Closed", "receive", "receive_exactly", "send"]

_HEADER = struct.Struct(">I")
_CHUNK = 1 << 20


class Closed(Exception):  # noqa: N818 - how a conversation ends
    """The other side is gone."""


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
    (length,) = _HEADER.unpack(receive_exactly(channel, _HEADER.size, deadline))
    return receive_exactly(channel, length, deadline)


def receive_exactly(channel: socket.socket, count: int, deadline: float | None = None) -> bytes:
    """Receive so many bytes. Raises Closed, or TimeoutError at the deadline (of the monotonic clock)."""
    parts: list[bytes] = []
    while count:
        try:
            _limit(channel, deadline)
            part = channel.recv(min(count, _CHUNK))
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(str(error)) from error
        if not part:
            raise Closed("end of stream")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _limit(channel: socket.socket, deadline: float | None) -> None:
    """Give the next call the time left, not a time of its own: a peer that trickles must not run on."""
    left = None if deadline is None else deadline - time.monotonic()
    if left is not None and left <= 0:
        raise TimeoutError
    channel.settimeout(left)
