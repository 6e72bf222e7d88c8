"""Calls about which the host shows a prompt while a person is asked in the inbox, too: the first answer counts."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import Any

from msgspec import json

from interlock.daemon.frames import HookRequest
from interlock.event import Event, ToolEvent
from interlock.hosts import Reply, dialect_of
from interlock.judging.asking import change_between
from interlock.verdict import Opinion, combine

__all__ = ["Prompts", "prompt_answer"]

_MOST = 1_000


class Prompts:
    """The calls that the host was told to ask about. Its prompt has no call's id, so they are known by their input."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: OrderedDict[str, HookRequest] = OrderedDict()

    def add(self, event: Event, running: dict[str, Any], request: HookRequest) -> None:
        """Keep a call until its prompt is shown. `running` is its input as the host was told."""
        with self._lock:
            self._calls[_key(event, running)] = request
            if len(self._calls) > _MOST:
                self._calls.popitem(last=False)

    def take(self, event: Event) -> HookRequest | None:
        """The call that a prompt is about."""
        if not isinstance(event, ToolEvent):
            return None
        with self._lock:
            return self._calls.pop(_key(event, event.tool_input), None)


def _key(event: Event, given: dict[str, Any]) -> str:
    tool = event.tool_name if isinstance(event, ToolEvent) else ""
    parts = (event.session_id, event.agent_id, tool, given)
    return hashlib.sha256(json.encode(parts, order="sorted")).hexdigest()


def prompt_answer(host: str, prompt: Event, judged: Reply) -> Reply:
    """The answer to a prompt that lets its call run, or not, as the call itself was judged."""
    said = judged.verdict
    given = prompt.tool_input if isinstance(prompt, ToolEvent) else {}
    by = said.reasons[0].by if said.reasons else "interlock"
    if said.decision == "allow":
        opinion = Opinion(by=by, decision="allow", reason=said.reason, change=change_between(given, said.input))
    else:
        opinion = Opinion(by=by, decision="deny", reason=said.reason or "this call was not approved")
    return dialect_of(host).encode(prompt, combine([opinion], given))
