"""A call's input in the form that hosts may give it, so that what ran can be compared with what was judged.

Seen with Claude Code 2.1.325: when a hook changes a call, the client makes its paths absolute, turns texts into the
numbers and booleans that a tool declares, drops fields that the tool does not have and fills in defaults. It changes
nothing else: a text that ran with other white space is a different text.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import msgspec

from interlock.facts.fields import known_fields
from interlock.facts.paths import Places
from interlock.facts.tools import names_of

__all__ = ["differing", "encode_input"]

JsonObject: TypeAlias = dict[str, Any]

_PATHS = {
    "Read": "file_path", "Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path", "NotebookRead": "notebook_path", "Glob": "path", "Grep": "path", "LS": "path",
}  # fmt: skip
_DEFAULTS: dict[str, JsonObject] = {"Edit": {"replace_all": False}}
# Fields that the client sends before the call but not after it.
_SHOWN_BEFORE = {"SendMessage": frozenset({"type", "recipient", "recipient_kind", "content"})}

_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_MOST_EXACT = 2**53  # beyond this, a host that uses doubles may not distinguish two integers


class _Shape(NamedTuple):
    """What is known about a tool's fields. `coerced` says which of them are not texts, and how those are read."""

    known: frozenset[str] | None
    coerced: dict[str, Callable[[Any], Any]]
    path: str | None
    defaults: JsonObject
    dropped: frozenset[str]


def encode_input(given: JsonObject) -> bytes:
    """The input as bytes, whatever the order of its fields."""
    try:
        return _encode(given)
    except (OverflowError, ValueError):  # numbers over 64 bits and half surrogate pairs
        return json.dumps(given, sort_keys=True, separators=(",", ":")).encode()


def differing(tool: str, answered: JsonObject, ran: JsonObject, before: Places, after: Places) -> list[str]:
    """The fields in which what ran differs from what was judged; an empty list if it is the same call.

    `before` and `after` are the places that relative paths start at. Fields that the tool does not have may be dropped
    on the way, but none may be added.
    """
    firm, dropped = _parts(tool, answered, before)
    then, added = _parts(tool, ran, after)
    names = [name for name in {**firm, **then} if not _same(firm, then, name)]
    return sorted(names + [name for name in added if not _same(dropped, added, name)])


def _same(before: JsonObject, after: JsonObject, name: str) -> bool:
    # Compared as bytes: 1 and True are equal in Python, but not to a tool.
    return name in before and name in after and encode_input({"": before[name]}) == encode_input({"": after[name]})


def _parts(tool: str, given: JsonObject, places: Places) -> tuple[JsonObject, JsonObject]:
    """The fields that must be the same, and those that the host may drop because the tool does not have them."""
    shape = _shape_of(tool)
    firm: JsonObject = dict(shape.defaults)
    loose: JsonObject = {}
    for name, value in given.items():
        if name in shape.dropped or (shape.known is not None and name not in shape.known):
            loose[name] = _plain(value)
        elif name == shape.path and isinstance(value, str):
            firm[name] = _absolute(value, places)
        elif name in shape.coerced:
            firm[name] = _plain(shape.coerced[name](value))
        else:
            firm[name] = value if isinstance(value, str) else _plain(value)
    return firm, loose


@lru_cache(maxsize=1024)  # a model may invent names without end
def _shape_of(tool: str) -> _Shape:
    fields = known_fields(tool)
    names = names_of(tool)
    coerced = {name: _COERCED[kind] for name, kind in (fields or {}).items() if kind in _COERCED}
    path = next((_PATHS[name] for name in names if name in _PATHS), None)
    defaults = next((_DEFAULTS[name] for name in names if name in _DEFAULTS), {})
    dropped = _SHOWN_BEFORE.get(tool, frozenset())
    return _Shape(None if fields is None else frozenset(fields), coerced, path, defaults, dropped)


def _number(value: Any) -> Any:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return float(value) if "." in value else int(value)
    return value


def _boolean(value: Any) -> Any:
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


_COERCED: dict[str, Callable[[Any], Any]] = {"int": _number, "double": _number, "bool": _boolean}


def _absolute(path: str, places: Places) -> str:
    # As the client does it, by the text alone: no symbolic link is followed, not even one in front of `..`.
    if path == "~" or path.startswith("~/"):
        path = places.home + path[1:]
    found = posixpath.normpath(posixpath.join(places.cwd, path))
    return found[1:] if found.startswith("//") else found


def _plain(value: Any) -> Any:
    """The value with whole numbers as integers: a host that reads 5.0 may write 5."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_EXACT:
        return int(value)
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


_encode = msgspec.json.Encoder(order="deterministic").encode
