"""Calls about which the host shows a prompt while a person is asked in the inbox, too: the first answer counts."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, json

from interlock.daemon.frames import HookRequest
from interlock.event import Event, ToolEvent
from interlock.hosts import Reply, dialect_of
from interlock.hosts.base.reply import NothingToJudge
from interlock.judging.asking import change_between
from interlock.verdict import Opinion, combine

__all__ = ["Prompts", "prompt_answer"]

_MOST = 1_000
_ENDS = frozenset(
    {"PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStop", "UserPromptSubmit", "SessionEnd"}
)


class PromptCall(Struct, frozen=True, eq=False):
    """A call that the host asks about, and whether the host's prompt is over."""

    request: HookRequest
    session: str
    agent: str | None
    call: str
    over: threading.Event


class Prompts:
    """The calls that the host was told to ask about. Its prompt has no call's id, so they are known by their input."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: OrderedDict[str, PromptCall] = OrderedDict()
        self._shown: set[PromptCall] = set()

    def add(self, event: Event, running: dict[str, Any], request: HookRequest) -> None:
        """Keep a call until its prompt is shown. `running` is its input as the host was told."""
        call = getattr(event, "tool_use_id", "")
        kept = PromptCall(request, event.session_id, event.agent_id, call, threading.Event())
        with self._lock:
            self._calls[_key(event, running)] = kept
            if len(self._calls) > _MOST:
                self._calls.popitem(last=False)

    @contextmanager
    def on_screen(self, event: Event) -> Iterator[PromptCall | None]:
        """The call that a prompt is about, while it is shown."""
        if not isinstance(event, ToolEvent):
            yield None
            return
        with self._lock:
            found = self._calls.pop(_key(event, event.tool_input), None)
            if found is not None:
                self._shown.add(found)
        try:
            yield found
        finally:
            with self._lock:
                self._shown.discard(found)

    def hear(self, request: HookRequest) -> None:
        """End the prompts that an event shows to be over.

        The client does not end the hook of a prompt that was answered at the terminal. It is known by what comes next.
        """
        if not self._shown or request.event not in _ENDS:
            return
        try:
            event = dialect_of(request.host).decode(request.raw)
        except NothingToJudge:
            return
        call = getattr(event, "tool_use_id", None)
        with self._lock:
            for one in self._shown:
                if one.session == event.session_id and one.agent == event.agent_id and call in (None, one.call):
                    one.over.set()


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
