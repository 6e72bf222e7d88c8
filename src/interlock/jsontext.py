"""Read JSON strictly, and say which field is at fault when it cannot be read.

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

from interlock.errors import InterlockError

__all__ = ["MAX_BYTES", "find_character", "mend_surrogates", "peek_string", "read_object", "read_value"]

MAX_BYTES = 32 * 1024 * 1024  # less than is taken from a client, so that a longer event is answered and not cut off
MAX_DEPTH = 200
_MOST_TOKENS = 100_000

_decode = Decoder().decode
_encode = Encoder().encode


def read_object(raw: bytes) -> dict[str, Any]:
    """The object `raw` holds, every value exact. Raises InterlockError naming the field that cannot be read."""
    value = read_value(raw)
    if not isinstance(value, dict):
        raise InterlockError(f"the input is {_kind(value)}; expected a JSON object")
    return value


def read_value(raw: bytes) -> Any:
    """The JSON value `raw` holds. Raises InterlockError."""
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
    if _is_deep(raw):
        raise InterlockError(_too_deep(raw))
    return value


def peek_string(raw: bytes, key: str) -> str | None:
    """The text of one top-level field, read even from a document that is broken or too large behind it.

    None unless the field stands exactly once before the first fault.
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
    if isinstance(value, dict) and any(character in key for key in value):
        return path
    return next((found for at, item in _items(value, path) if (found := find_character(item, character, at))), None)


_SURROGATE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\\\|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def mend_surrogates(raw: bytes) -> bytes:
    """The text with each half of a surrogate pair replaced, as a host makes one by cutting a string in an emoji."""
    return _SURROGATE.sub(lambda found: b"\\ufffd" if found[1] else found[0], raw)


def _items(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from ((f"{path}.{key}" if path else key, item) for key, item in value.items())
    elif isinstance(value, list):
        yield from ((f"{path}[{index}]", item) for index, item in enumerate(value))


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
    try:
        value = JSONDecoder(parse_constant=_Fault, parse_float=_finite, parse_int=_countable).decode(text)
    except RecursionError as error:
        raise InterlockError(_too_deep(raw)) from error
    except JSONDecodeError as error:
        where = _member_at(text, error.pos)
        raise InterlockError(f"not valid JSON at byte {error.pos}{where}: {_reword(error, text)}") from error
    fault = _find_fault(value, "")
    if fault is not None:
        raise InterlockError(f"the field `{fault[0]}` is {fault[1]}, which is not JSON")
    raise InterlockError("not valid JSON")


def _reword(error: JSONDecodeError, text: str) -> str:
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
    return next((found for at, item in _items(value, path) if (found := _find_fault(item, at))), None)


def _kind(value: Any) -> str:
    kinds = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")


def _too_big(raw: bytes) -> str:
    largest = max(_members(raw.decode("utf-8", "replace")), key=lambda member: member.end - member.start, default=None)
    where = f", most of it in `{largest.key}`" if largest else ""
    return f"the input is {len(raw):,} bytes{where}"


def _too_deep(raw: bytes) -> str:
    deepest = next((m for m in _members(raw.decode("utf-8", "replace")) if m.depth > MAX_DEPTH), None)
    where = f" in `{deepest.key}`" if deepest else ""
    return f"values are nested more than {MAX_DEPTH} deep{where}"


def _member_at(text: str, position: int) -> str:
    found = [member.key for member in _members(text) if member.start <= position <= member.end]
    return f" in `{found[0]}`" if found else ""


def _is_deep(raw: bytes) -> bool:
    # Counting brackets costs far less than following them, and is never too low.
    if raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return False
    brackets = _STRING.sub(b"", raw).translate(None, _NOT_BRACKETS)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)


_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


# --- a reading of the top level only, that no broken or huge value stops -----------------------------------


class _Member(NamedTuple):
    key: str
    start: int
    end: int
    depth: int


# Possessive, so that no text makes it slow. A lone quote at the end is a string that was cut.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},:]|[^\s"\[\]{},:]++', re.DOTALL)


def _members(text: str) -> list[_Member]:
    """The top-level members of an object, up to the first fault at that level or the end of what is affordable."""
    members: list[_Member] = []
    depth = deepest = start = 0
    key, before, count = "", "", 0
    for token in _TOKEN.finditer(text):
        mark, count = token[0], count + 1
        if depth == 1 and not _may_follow(before, mark):
            break
        if mark in ("{", "["):
            depth += 1
            deepest = max(deepest, depth)
        if mark == ":" and depth == 1:
            key, start, deepest = before[1:-1], token.end(), 1
        elif key and depth == 1 and mark in (",", "}"):
            members.append(_Member(key, start, token.start(), deepest))
            key = ""
        if mark in ("}", "]"):
            depth -= 1
        if depth == 0:
            return members
        before = "value" if depth == 1 and mark in ("}", "]") else mark
        if count >= _MOST_TOKENS or deepest > MAX_DEPTH:
            break
    return [*members, _Member(key, start, len(text), deepest)] if key else members


def _may_follow(before: str, mark: str) -> bool:
    """Whether `mark` may stand behind `before` at the top level of an object."""
    if before in ("{", ","):
        return mark[0] == '"' or (mark == "}" and before == "{")
    if mark == ":":
        return before[0] == '"'
    if before == ":":
        return mark not in (",", ":", "}", "]")
    return mark in (",", "}")
