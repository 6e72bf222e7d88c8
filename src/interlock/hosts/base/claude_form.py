"""Answers in the form of Claude Code, which other hosts took over: what is about one event is inside, and names it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from interlock.event import Event
from interlock.hosts.base.table import NativeAnswer
from interlock.verdict import Verdict

__all__ = ["Write", "nested_answer", "permission_answer", "tell"]

JsonObject: TypeAlias = dict[str, Any]
Write: TypeAlias = Callable[[Verdict, Event | None], NativeAnswer]


def nested_answer(event_name: str, said: JsonObject, verdict: Verdict, whole: JsonObject | None = None) -> NativeAnswer:
    """What is nested, beside `whole` and what a person is told. Nothing at all is printed if there is none of these:
    an empty answer says no more, and at the start of a session some hosts tell the model whatever is printed.
    """
    answer = dict(whole or {})
    if said:
        answer["hookSpecificOutput"] = {"hookEventName": event_name, **said}
    if verdict.notices:
        answer["systemMessage"] = "\n".join(verdict.notices)
    return NativeAnswer(answer or None)


def tell(event_name: str) -> Write:
    """What the model is told at an event that decides nothing."""

    def write(verdict: Verdict, event: Event | None) -> NativeAnswer:
        return nested_answer(event_name, {"additionalContext": verdict.told} if verdict.told else {}, verdict)

    return write


def permission_answer(verdict: Verdict, event: Event | None) -> NativeAnswer:
    """The answer in place of the person's to a prompt; without a decision, the host asks them."""
    decision: JsonObject = {"behavior": verdict.decision}
    if verdict.decision == "deny":
        decision["message"] = verdict.reason
    said = {"decision": decision} if verdict.decision in ("allow", "deny") else {}
    return nested_answer("PermissionRequest", said, verdict)
