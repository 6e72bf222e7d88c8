"""The dialect of the proxy, which is its own host: the parts of a verdict that it carries out, as JSON.

The bytes count and not the verdict beside them: when an event comes twice, the store gives the same bytes again.
"""

from __future__ import annotations

import sys
from typing import Any

from msgspec import UNSET, Struct, json

from interlock.effect import Effect
from interlock.errors import InterlockError
from interlock.event import Event
from interlock.hosts import DIALECTS, Reply
from interlock.hosts.base.decode import decode
from interlock.hosts.base.lower import lower
from interlock.hosts.base.reading import Output, Reading
from interlock.verdict import Decision, Verdict, combine, failure

__all__ = ["HOST", "Answer", "Changed", "decode", "encode", "fail", "honours", "read", "read_answer", "register"]

HOST = "mcp"
_SHOWN = "An MCP client"

# What the proxy does with each part of a verdict. It has no way to put a call off, or to end a turn.
_HONOURED: dict[str, frozenset[Effect]] = {
    "PreToolUse": frozenset({"allow", "ask", "deny", "change", "context"}),
    "PermissionRequest": frozenset({"allow", "ask", "deny"}),
    "PostToolUse": frozenset({"output", "context"}),
    "PostToolUseFailure": frozenset({"context"}),
    "ElicitationResult": frozenset({"deny"}),
}


class Changed(Struct, frozen=True):
    """A field of the arguments that was rewritten, and who did it."""

    field: str
    by: str


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is done with one event."""

    decision: Decision | None = None
    reason: str | None = None
    told: str | None = None
    withheld: str | None = None
    input: dict[str, Any] | None = None
    changes: tuple[Changed, ...] = ()
    output: Any = UNSET
    notices: tuple[str, ...] = ()


_to_json = json.Encoder().encode
read_answer = json.Decoder(Answer).decode


def honours(event_name: str) -> frozenset[Effect]:
    """What the proxy does with an answer to this event."""
    return _HONOURED.get(event_name, frozenset())


def encode(event: Event, verdict: Verdict) -> Reply:
    """The verdict, as far as it can be carried out here."""
    return _reply(event.hook_event_name, verdict)


def fail(
    event_name: str | None, message: str, *, detail: str = "", event: Event | None = None, raw: bytes = b""
) -> Reply:
    """The answer when there is no verdict."""
    return _reply(event_name or "PreToolUse", combine([failure(event_name, "interlock", message, detail)]))


def read(event_name: str, output: Output, by: str) -> Reading:
    """Nobody else's hook speaks this dialect."""
    raise InterlockError("hooks do not answer in the proxy's own form", help="register them as claude-code or flat")


def _reply(event_name: str, verdict: Verdict) -> Reply:
    verdict = lower(verdict, event_name, honours(event_name), _SHOWN)
    answer = Answer(
        decision=verdict.decision,
        reason=verdict.reason,
        told=verdict.told,
        withheld=verdict.withheld,
        input=verdict.input if verdict.changes else None,
        changes=tuple(Changed(change.field, change.by) for change in verdict.changes),
        output=verdict.output,
        notices=verdict.notices,
    )
    return Reply(stdout=_to_json(answer), verdict=verdict)


def register() -> None:
    """Let `service.handle` speak this dialect."""
    DIALECTS.setdefault(HOST, sys.modules[__name__])
