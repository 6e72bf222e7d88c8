"""Read JSON-RPC messages so that no later reader can understand them differently, and write Interlock's own.

A peer may use the first of two equal keys, fold their case, or end a line at a bare carriage return. Anything that
could be read in two ways is refused, and the bytes are never searched: `tools\\u002fcall` is a call too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from json import JSONDecodeError, JSONDecoder
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType, json

from interlock.errors import InterlockError
from interlock.jsontext import read_value

__all__ = [
    "Batch",
    "Id",
    "Key",
    "Message",
    "error_line",
    "find_id",
    "key_of",
    "members_of",
    "read_message",
    "request_line",
    "result_line",
    "with_params",
]

Id: TypeAlias = int | float | str
Key: TypeAlias = tuple[Literal["text", "number"], Id]
JsonObject: TypeAlias = dict[str, Any]

INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
PARSE_ERROR = -32700

_ENVELOPE = ("jsonrpc", "id", "method", "params", "result", "error")


class Message(Struct, frozen=True, kw_only=True):
    """One message and its original bytes. `fault` says why it cannot be judged, although it can be passed on."""

    line: bytes
    kind: Literal["request", "notification", "response"]
    value: JsonObject
    method: str = ""
    id: Id | None = None
    fault: InterlockError | None = None

    @property
    def params(self) -> Any:
        return self.value.get("params")


class Batch(Struct, frozen=True):
    """Several messages in one line, as early revisions of the protocol allow."""

    line: bytes
    parts: tuple[bytes, ...]


def read_message(line: bytes) -> Message | Batch:
    """The message in a line. Raises InterlockError if it is not a message, or could be read in another way."""
    if b"\r" in line.removesuffix(b"\n").removesuffix(b"\r"):
        raise InterlockError("a bare carriage return, which some readers take for the end of the line")
    fault: InterlockError | None = None
    try:
        value = read_value(line)
    except InterlockError as error:
        fault, value = error, _read_loosely(line)
    if isinstance(value, list):
        return Batch(line, _parts(line, value))
    if not isinstance(value, dict):
        raise InterlockError("not a JSON-RPC message: expected an object")
    return _message(line, value, fault)


def _message(line: bytes, value: JsonObject, fault: InterlockError | None) -> Message:
    for key in value:
        if key not in _ENVELOPE and key.casefold() in _ENVELOPE:
            raise InterlockError(f"the key `{key}` may pass for `{key.casefold()}`")
    answers = "result" in value or "error" in value
    method, id_ = value.get("method"), value.get("id")
    if "id" in value and not _is_id(id_) and not (id_ is None and "error" in value):
        raise InterlockError("the field `id` is neither a string nor a number")
    if "method" not in value and answers and "id" in value:
        return Message(line=line, kind="response", value=value, id=id_, fault=fault)
    if not isinstance(method, str) or answers:
        raise InterlockError("neither a request nor a notification nor a response")
    kind: Literal["request", "notification"] = "request" if "id" in value else "notification"
    return Message(line=line, kind=kind, value=value, method=method, id=id_, fault=fault)


def _is_id(value: Any) -> bool:
    return isinstance(value, int | float | str) and not isinstance(value, bool)


def _parts(line: bytes, value: list[Any]) -> tuple[bytes, ...]:
    if not value:
        raise InterlockError("an empty batch")
    try:
        return tuple(bytes(part) + b"\n" for part in json.decode(line, type=list[Raw]))
    except DecodeError as error:
        raise InterlockError("a batch that cannot be taken apart") from error


# --- what is not judged may be odd -------------------------------------------------------------------------


class _Twice(dict[str, Any]):
    """An object that contains a key twice."""


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Twice(found)


_loosely = JSONDecoder(object_pairs_hook=_object)


def _read_loosely(line: bytes) -> Any:
    """A reading that is lenient about a message's contents, but strict about the message itself."""
    try:
        value = _loosely.decode(line.decode("utf-8").strip(" \t\r\n"))
    except UnicodeDecodeError as error:
        raise InterlockError("not valid UTF-8") from error
    except (JSONDecodeError, RecursionError, ValueError) as error:
        raise InterlockError("not valid JSON") from error
    if isinstance(value, _Twice):
        raise InterlockError("the message contains a key twice")
    return value


# --- ids ---------------------------------------------------------------------------------------------------


def key_of(id_: Id, known: Mapping[Key, Any] | None = None) -> Key:
    """What distinguishes ids. Among `known` keys, the one that a client may treat as equal: some read "7" as 7."""
    key: Key = ("text", id_) if isinstance(id_, str) else ("number", id_)
    if known is None or key in known:
        return key
    if isinstance(id_, str):
        other: Key = ("number", int(id_)) if re.fullmatch(r"-?\d{1,18}", id_, re.ASCII) else key
    else:
        other = ("text", str(id_))
    return other if other in known else key


_FIRST = re.compile(rb'^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,256}")\s*[,}]')
_LAST = re.compile(rb'[,{]\s*"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,256}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')


def find_id(head: bytes, tail: bytes) -> Id | None:
    """The id of a message that cannot be read, if it is at the beginning or the end, where servers write it."""
    found = _FIRST.search(head) or _LAST.search(tail)
    if found is None:
        return None
    try:
        id_: Id = json.decode(found[1])
    except DecodeError:
        return None
    return id_


# --- our own words -----------------------------------------------------------------------------------------


def error_line(id_: Id | None, code: int, message: str) -> bytes:
    return _line({"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}})


def result_line(id_: Id | None, result: Any) -> bytes:
    return _line({"jsonrpc": "2.0", "id": id_, "result": result})


def request_line(id_: Id | None, method: str, params: JsonObject) -> bytes:
    """A request, or a notification if there is no id."""
    numbered = {} if id_ is None else {"id": id_}
    return _line({"jsonrpc": "2.0", **numbered, "method": method, "params": params})


def _line(value: JsonObject) -> bytes:
    return json.encode(value) + b"\n"


def members_of(line: bytes | Raw) -> dict[str, Raw]:
    """An object's members, each as it was written."""
    return json.decode(line, type=dict[str, Raw])


def with_params(line: bytes, changes: Mapping[str, Any | UnsetType], id_: Id | UnsetType = UNSET) -> bytes:
    """The message with some of its parameters replaced, or removed; everything else as it was written."""
    message = members_of(line)
    params = members_of(message.get("params", Raw(b"{}")))
    for name, value in changes.items():
        if value is UNSET:
            params.pop(name, None)
        else:
            params[name] = value if isinstance(value, Raw) else Raw(json.encode(value))
    message["params"] = Raw(json.encode(params))
    if id_ is not UNSET:
        message["id"] = Raw(json.encode(id_))
    return json.encode(message) + b"\n"
