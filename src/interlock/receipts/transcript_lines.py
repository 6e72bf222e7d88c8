"""Lines of the host's transcript: the blocks of their messages, and which calls they show as carried out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from msgspec import DecodeError, Struct, json

__all__ = ["CALL", "RESULT", "UNRAISED", "blocks_of", "check_transcript", "message_ids", "time_of"]

RESULT = b'"tool_result"'
CALL = b'"tool_use"'
# Calls that the host carries out itself without raising an event.
UNRAISED = frozenset({"StructuredOutput", "EndConversation"})
_MESSAGE_ID = re.compile(rb'"uuid":\s*"([0-9a-fA-F-]{36})"')


class _Line(Struct):
    type: str = ""
    timestamp: str = ""
    message: Any = None


_decode = json.Decoder(_Line).decode


def check_transcript(lines: Iterable[bytes], since: float = 0.0) -> list[str]:
    """The ids of the calls that have a result written since a time that is not an error. A torn line has none.

    Only messages to the model count; the host also writes copies of requests, without a time.
    """
    found: dict[str, None] = {}
    unraised: set[str] = set()
    for line in lines:
        if RESULT not in line and CALL not in line:
            continue
        try:
            read = _decode(line)
        except (DecodeError, RecursionError, UnicodeDecodeError):
            continue  # not a line of this form; a line still being written is read later
        if read.type == "assistant":
            unraised.update(_calls_without_event(read.message))
        elif read.type == "user" and not _is_before(read.timestamp, since):
            found.update(dict.fromkeys(_results_in(read.message)))
    return [call for call in found if call not in unraised]


def message_ids(text: bytes) -> set[bytes]:
    """The ids of the messages in a transcript: a fork keeps its parent's."""
    return set(_MESSAGE_ID.findall(text))


def blocks_of(message: Any, kind: str) -> Iterable[dict[str, Any]]:
    """The blocks of one kind in a message: `text`, `tool_use` or `tool_result`."""
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == kind:
            yield block


def time_of(timestamp: str) -> float | None:
    """When a line was written; None if it does not say."""
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except (ValueError, OverflowError):
        return None


def _results_in(message: Any) -> Iterable[str]:
    for block in blocks_of(message, "tool_result"):
        if block.get("is_error") is not True and isinstance(call := block.get("tool_use_id"), str):
            yield call


def _calls_without_event(message: Any) -> Iterable[str]:
    for block in blocks_of(message, "tool_use"):
        if block.get("name") in UNRAISED and isinstance(call := block.get("id"), str):
            yield call


def _is_before(timestamp: str, since: float) -> bool:
    """Whether a line is from before the session was watched. A line without a time is not excused."""
    at = time_of(timestamp)
    return at is not None and at < since
