"""The messages between the spawned client and the daemon: lengths come first, and a short message is a failure."""

from __future__ import annotations

import socket
import time
from pathlib import Path

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.framing import Closed, receive_exactly
from interlock.hosts import Reply, in_envelope
from interlock.spawn import exchange

__all__ = [
    "ANY_HOST",
    "OTHER_VERSION",
    "HookRequest",
    "NotOurs",
    "OtherVersion",
    "answer_frame",
    "read_answer",
    "read_request",
    "text_frame",
]

ANY_HOST = exchange.ANY.removesuffix(":")
_HEADER = len(exchange.MAGIC) + exchange.VERSION_SIZE + 8
_MOST_NAMES = 16 * 1024


class NotOurs(InterlockError):  # noqa: N818 - said of what came
    """What arrived is not a request from Interlock's client."""


class OtherVersion(Exception):  # noqa: N818 - not a fault: the package was replaced while this daemon ran
    """The client and this daemon have different versions."""


class HookRequest(Struct, frozen=True):
    """One event as the client passed it on."""

    event: str
    project: Path | None  # where the host was started; None: only the event can tell
    raw: bytes
    host: str = "claude-code"
    call: str = ""  # an id for a call that the host does not name
    says_project: bool = True  # the host named the project; otherwise it is the host's working directory
    entry: str = "claude-code"  # for whom the entry was made that some host has run
    problem: str = ""  # why nothing can be judged by this request


def read_request(connection: socket.socket, limit: float) -> HookRequest:
    """One client's request, read completely before `limit` on the monotonic clock."""
    head = _exactly(connection, _HEADER, limit)
    if not head.startswith(exchange.MAGIC):
        raise NotOurs("what arrived on the socket is not a request")
    version, lengths = head[len(exchange.MAGIC) : -8], head[-8:]
    if version.rstrip(b"\0") != exchange.VERSION.encode():
        raise OtherVersion
    names, size = int.from_bytes(lengths[:4]), int.from_bytes(lengths[4:])
    if names > _MOST_NAMES or size > exchange.MOST:
        raise NotOurs("a request of this size does not come from Interlock's client")
    body = _exactly(connection, names + size, limit)
    named, _, rest = body[:names].partition(b"\0")
    where, *words = rest.decode("utf-8", "surrogateescape").split("\0")
    host, colon, event = named.decode("utf-8", "replace").rpartition(":")
    if not where.startswith("/") and (where or not host):
        raise NotOurs("the project's folder is not an absolute path")
    raw = body[names:]
    if not host:
        return HookRequest(f"{colon}{event}", Path(where), raw)
    project = Path(where) if where else None
    if host == ANY_HOST:
        return HookRequest("", None, raw, host, says_project=False, entry=f"{host}:{event}")
    return HookRequest(event, project, in_envelope(host, raw, words), host, says_project=bool(where), entry=host)


def _exactly(connection: socket.socket, size: int, limit: float) -> bytes:
    try:
        return receive_exactly(connection, size, limit)
    except Closed as error:
        raise NotOurs("half a request") from error
    except TimeoutError as error:
        raise NotOurs("a request took too long to arrive") from error


def answer_frame(reply: Reply) -> bytes:
    """An answer as the client reads it."""
    return _frame(exchange.ANSWER, reply.exit_code, reply.stdout, reply.stderr.encode("utf-8", "replace"))


def read_answer(connection: socket.socket) -> bytes:
    """What a daemon answered, for callers other than the client: what the client would have printed."""
    limit = time.monotonic() + exchange.SILENCE
    head = _exactly(connection, exchange.HEADER, limit)
    if not head.startswith(exchange.MAGIC):
        raise NotOurs("what arrived is not an answer")
    if head[4] != exchange.ANSWER:
        raise OtherVersion
    return _exactly(connection, int.from_bytes(head[6:10]), limit)


def text_frame(stdout: bytes) -> bytes:
    """An answer that is not a verdict."""
    return _frame(exchange.ANSWER, 0, stdout, b"")


def _frame(kind: int, code: int, stdout: bytes, stderr: bytes) -> bytes:
    lengths = len(stdout).to_bytes(4) + len(stderr).to_bytes(4)
    return b"".join((exchange.MAGIC, bytes((kind, code)), lengths, stdout, stderr))


OTHER_VERSION = _frame(exchange.OTHER_VERSION, 0, b"", b"")
