"""Read one JSON object strictly, and say which field is at fault when it cannot be read.

Python's and most other readers let through what a gate must not: the last of two equal keys, NaN, lone surrogates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any, NamedTuple, NoReturn

from msgspec import DecodeError, ValidationError
from msgspec.json import Decoder, Encoder
from msgspec.json import format as compact

from interlock.source import InterlockError

__all__ = ["MAX_BYTES", "find_character", "peek_string", "read_object"]

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 200

_decode = Decoder().decode
_encode = Encoder().encode


def read_object(raw: bytes) -> dict[str, Any]:
    """The object `raw` holds, every value exact. Raises InterlockError naming the field that cannot be read."""
    if len(raw) > MAX_BYTES:
        raise InterlockError(_too_big(raw), help=f"at most {MAX_BYTES:,} bytes are read")
    try:
        value = _decode(raw)
        # INVARIANT: bytes equal to their own re-encoding hide no duplicate key; all others are read again.
        # (Stripping white space keeps duplicates, so that a spaced document needs no second reading either.)
        if (plain := _encode(value)) != raw.rstrip() and plain != compact(raw, indent=-1):
            _check_keys(raw.decode("utf-8"))
    except (DecodeError, ValidationError, RecursionError, UnicodeError):
        _explain(raw)
    if not isinstance(value, dict):
        raise InterlockError(f"the input is {_kind(value)}; expected a JSON object")
    if _depth(raw) > MAX_DEPTH:
        raise InterlockError(_too_deep(raw))
    return value


def peek_string(raw: bytes, key: str) -> str | None:
    """The text of one top-level field, read even from a document that is broken or too large elsewhere.

    None unless the field stands there exactly once.
    """
    text = raw.decode("utf-8", "replace")
    found = [member for member in _members(text) if member.key == key]
    if len(found) != 1:
        return None
    value = text[found[0].start : found[0].end].strip()
    return value[1:-1] if re.fullmatch(r'"\w+"', value) else None


def find_character(value: Any, character: str, path: str = "") -> str | None:
    """The path of the first string or key in `value` that holds `character`."""
    if isinstance(value, str):
        return path if character in value else None
    items: Iterator[tuple[Any, Any]] = iter(())
    if isinstance(value, dict):
        if any(character in key for key in value):
            return path
        items = ((f"{path}.{key}" if path else key, item) for key, item in value.items())
    elif isinstance(value, list):
        items = ((f"{path}[{index}]", item) for index, item in enumerate(value))
    return next((found for at, item in items if (found := find_character(item, character, at))), None)


# --- why it was refused ------------------------------------------------------------------------------------


class _Fault:
    """Stands in a tolerant reading where the strict one stopped, so that its path can be told."""

    def __init__(self, text: str) -> None:
        self.text = text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise InterlockError(f"the key `{twice}` stands twice in one object", help="which one counts is unclear")
    return found


_check_keys = JSONDecoder(object_pairs_hook=_once).decode


def _explain(raw: bytes) -> NoReturn:
    """Say what a strict reader found wrong, by a tolerant second reading."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        where = _member_at(raw.decode("utf-8", "replace"), len(raw[: error.start].decode("utf-8", "replace")))
        raise InterlockError(f"byte {error.start}{where} is not valid UTF-8") from error
    if not text.strip():
        raise InterlockError("the input is empty; expected a JSON object")
    if _depth(raw) > MAX_DEPTH:
        raise InterlockError(_too_deep(raw))
    try:
        value = JSONDecoder(parse_constant=_Fault, parse_float=_finite, parse_int=_countable).decode(text)
    except RecursionError as error:
        raise InterlockError(_too_deep(raw)) from error
    except JSONDecodeError as error:
        where = _member_at(text, error.pos)
        raise InterlockError(f"not valid JSON at byte {error.pos}{where}: {_reworded(error, text)}") from error
    fault = _find_fault(value, "")
    if fault is not None:
        raise InterlockError(f"the field `{fault[0]}` is {fault[1]}, which is not JSON")
    raise InterlockError("not valid JSON")


def _reworded(error: JSONDecodeError, text: str) -> str:
    if not text[error.pos :].strip():
        return "it ends too early"
    if text[error.pos] == "\0" or error.msg.startswith("Invalid control"):
        return f"a raw control character (U+{ord(text[error.pos]):04X})"
    return error.msg[0].lower() + error.msg[1:]


def _finite(text: str) -> float | _Fault:
    number = float(text)
    return number if abs(number) < float("inf") else _Fault(text)


def _countable(text: str) -> int | _Fault:
    return int(text) if len(text) <= 4000 else _Fault("a number of over 4,000 digits")


def _find_fault(value: Any, path: str) -> tuple[str, str] | None:
    if isinstance(value, _Fault):
        return path, value.text
    if isinstance(value, str) and not value.isascii() and re.search("[\ud800-\udfff]", value):
        return path, "text with half a surrogate pair"
    items: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        items = [(f"{path}.{key}" if path else key, item) for key, item in value.items()]
    elif isinstance(value, list):
        items = [(f"{path}[{index}]", item) for index, item in enumerate(value)]
    return next((found for at, item in items if (found := _find_fault(item, at))), None)


def _kind(value: Any) -> str:
    kinds = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")


# --- a reading of the top level only, that no broken or huge value stops -----------------------------------


class _Member(NamedTuple):
    key: str
    start: int
    end: int
    depth: int


# Possessive, so that no text makes it slow.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},:]', re.DOTALL)


def _members(text: str) -> list[_Member]:
    """The top-level members of an object as far as its brackets can be followed."""
    members: list[_Member] = []
    depth = deepest = 0
    key: str | None = None
    last = ""
    start = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in "]}":
            depth -= 1
        if depth == 1 and mark == ":" and key is None:
            key, start, deepest = last[1:-1], token.end(), 1
        elif key is not None and (depth == 0 or (depth == 1 and mark == ",")):
            members.append(_Member(key, start, token.start(), deepest))
            key = None
        if depth == 0:
            return members
        last = mark
    if key is not None:
        members.append(_Member(key, start, len(text), deepest))
    return members


def _depth(raw: bytes) -> int:
    # Counting brackets costs far less than following them, and is never too low.
    most = raw.count(b"[") + raw.count(b"{")
    if most <= MAX_DEPTH:
        return most
    return max((member.depth for member in _members(raw.decode("utf-8", "replace"))), default=0)


def _member_at(text: str, position: int) -> str:
    found = [member.key for member in _members(text) if member.start <= position <= member.end]
    return f" in `{found[0]}`" if found else ""


def _too_big(raw: bytes) -> str:
    members = _members(raw.decode("utf-8", "replace"))
    largest = max(members, key=lambda member: member.end - member.start, default=None)
    where = f", most of it in `{largest.key}`" if largest else ""
    return f"the input is {len(raw):,} bytes{where}"


def _too_deep(raw: bytes) -> str:
    members = _members(raw.decode("utf-8", "replace"))
    deepest = max(members, key=lambda member: member.depth, default=None)
    where = f" in `{deepest.key}`" if deepest else ""
    return f"values are nested more than {MAX_DEPTH} deep{where}"
