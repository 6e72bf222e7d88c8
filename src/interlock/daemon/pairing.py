"""Ids for the calls of hosts that send none, so that a result can be matched with its call.

Without an id, a result belongs to the oldest call of the same session, tool and input that still waits for one.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import OrderedDict, deque
from typing import Any

from msgspec import json
from msgspec.structs import replace

from interlock.event import Event, PostToolUse, PostToolUseFailure, PreToolUse, ToolEvent

__all__ = ["Pairs", "new_call"]

_MOST = 10_000  # calls whose results have not come


def new_call() -> str:
    """An id for a call that has none."""
    return f"interlock-{secrets.token_hex(8)}"


class Pairs:
    """The calls without an id of their own that may still get a result."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: OrderedDict[str, deque[str]] = OrderedDict()

    def name(self, event: Event, call: str) -> Event:
        """The event with an id, if its host gave it none. `call`: the id if it is about to run."""
        if isinstance(event, PreToolUse) and not event.tool_use_id:
            return replace(event, tool_use_id=call)
        if isinstance(event, PostToolUse | PostToolUseFailure) and not event.tool_use_id:
            return replace(event, tool_use_id=self._result_of(event))
        return event

    def expect(self, event: Event, running: dict[str, Any], call: str) -> None:
        """Expect the result of a call that was not denied. `running` is its input as the host was told."""
        if not isinstance(event, ToolEvent):
            return
        with self._lock:
            key = _key(event, running)
            self._open.setdefault(key, deque()).append(call)
            self._open.move_to_end(key)
            if len(self._open) > _MOST:
                self._open.popitem(last=False)

    def _result_of(self, event: ToolEvent) -> str:
        key = _key(event, event.tool_input)
        with self._lock:
            waiting = self._open.get(key)
            if waiting is None:
                return ""
            call = waiting.popleft()
            if not waiting:
                del self._open[key]
            return call


def _key(event: ToolEvent, given: dict[str, Any]) -> str:
    parts = (event.session_id, event.agent_id, event.tool_name, given)
    return hashlib.sha256(json.encode(parts, order="sorted")).hexdigest()
