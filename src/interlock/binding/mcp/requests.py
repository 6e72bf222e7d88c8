"""The client's open requests, and what a call or an answer says."""

from __future__ import annotations

import threading
from typing import Any, TypeAlias

from msgspec import Struct, json

from interlock.binding.mcp.judging import Ruling, ServerCall
from interlock.binding.mcp.lane import Place
from interlock.binding.mcp.messages import (
    INTERNAL_ERROR,
    Batch,
    Id,
    Message,
    error_line,
    members_of,
    read_message,
    result_line,
)
from interlock.binding.mcp.results import withheld
from interlock.errors import InterlockError
from interlock.judging.asking import BY_HOST, Asks

__all__ = [
    "AwaitingCall",
    "Open",
    "call_in",
    "carries_task",
    "in_place_of",
    "meta_of",
    "read_parts",
    "replace_member",
    "task_in",
]

JsonObject: TypeAlias = dict[str, Any]

_VERSION = "io.modelcontextprotocol/protocolVersion"


class Open(Struct):
    """A request of the client that has no answer yet."""

    id: Id
    method: str
    line: bytes = b""
    params: JsonObject = {}
    call: ServerCall | None = None
    ruling: Ruling | None = None
    place: Place | None = None
    is_sent: bool = False
    is_cancelled: bool = False
    question: str = ""  # the id of Interlock's own request to the client about it
    until: float = 0.0
    over: threading.Event | None = None
    asks: Asks = BY_HOST
    inbox: str | None = None  # the request in the inbox that is not answered yet

    @property
    def is_modern(self) -> bool:
        """Whether the client says in each request what it can do, instead of once."""
        return _VERSION in meta_of(self.params)


class AwaitingCall(Struct):
    """A call that is sent again with a person's answer, as in the latest revision of the protocol."""

    call: ServerCall
    ruling: Ruling
    params: JsonObject


def read_parts(batch: Batch) -> list[Message]:
    found = []
    for part in batch.parts:
        message = read_message(part)
        if isinstance(message, Batch):
            raise InterlockError("a batch within a batch")
        found.append(message)
    return found


def call_in(message: Message) -> tuple[JsonObject, str, JsonObject]:
    """The parameters, name and arguments of a call. Raises InterlockError if they are ambiguous or invalid."""
    if message.fault is not None:
        raise message.fault
    params = message.params
    if not isinstance(params, dict):
        raise InterlockError("the field `params` is missing or not an object")
    for key in params:
        if key not in ("name", "arguments") and key.casefold() in ("name", "arguments"):
            raise InterlockError(f"the key `params.{key}` may pass for `{key.casefold()}`")
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str) or not name:
        raise InterlockError("the field `params.name` is missing or not a string")
    if arguments is not None and not isinstance(arguments, dict):
        raise InterlockError("the field `params.arguments` is not an object")
    return params, name, arguments or {}


def meta_of(params: JsonObject) -> JsonObject:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def task_in(result: JsonObject) -> str | None:
    task = result.get("task")
    id_ = task.get("taskId") if isinstance(task, dict) else result.get("taskId")
    return id_ if isinstance(id_, str) else None


def carries_task(message: Message) -> bool:
    params = message.params
    inside = isinstance(params, dict) and any(isinstance(params.get(key), dict) for key in ("result", "error"))
    return inside and message.kind == "notification" and message.method.startswith("notifications/tasks")


def in_place_of(request: Open, why: str) -> bytes:
    """What the client gets in place of an answer that must not be read."""
    if request.method == "tools/call":
        kind = {"resultType": "complete"} if request.is_modern else {}
        return result_line(request.id, withheld(kind, why))
    return error_line(request.id, INTERNAL_ERROR, f"Interlock: the server's answer is dropped: {why}")


def replace_member(line: bytes, member: str, value: JsonObject) -> bytes:
    """The message with one member replaced; everything else as it was written."""
    members: JsonObject = dict(members_of(line))
    return json.encode({**members, member: value}) + b"\n"
