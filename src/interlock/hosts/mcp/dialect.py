"""The dialect of the proxy, which is its own host: it carries the verdict out itself.

Bytes are written only to be kept: when an event comes twice, the store gives the same ones again.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, json

from interlock.effect import Effect
from interlock.errors import InterlockError
from interlock.event import Event
from interlock.hosts.base.decode import decode
from interlock.hosts.base.lower import lower
from interlock.hosts.base.reading import Output, Reading
from interlock.hosts.base.reply import Reply
from interlock.verdict import Change, Decision, Reason, Verdict, combine, failure

__all__ = ["HOST", "TITLE", "decode", "encode", "fail", "honours", "read", "restore"]

HOST = "mcp"
TITLE = "An MCP client"

# What the proxy does with each part of a verdict. It has no way to put a call off, or to end a turn.
_HONOURED: dict[str, frozenset[Effect]] = {
    "PreToolUse": frozenset({"allow", "ask", "deny", "change", "context"}),
    "PermissionRequest": frozenset({"allow", "ask", "deny"}),
    "PostToolUse": frozenset({"output", "context"}),
    "PostToolUseFailure": frozenset({"context"}),
    "ElicitationResult": frozenset({"deny"}),
}


class _Parts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the proxy needs of a verdict."""

    decision: Decision | None = None
    reasons: tuple[Reason, ...] = ()
    input: dict[str, Any] = {}
    changes: tuple[Change, ...] = ()
    output: Any = UNSET
    withheld: str | None = None
    context: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


_to_json = json.Encoder().encode
_from_json = json.Decoder(_Parts).decode


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
    """Only the proxy speaks this dialect."""
    raise InterlockError("hooks do not answer in the proxy's own form", help="register them as claude-code or flat")


def restore(stdout: bytes, verdict: Verdict) -> Verdict:
    """The verdict that was carried out when the event first arrived."""
    kept = _from_json(stdout)
    return Verdict(**{name: getattr(kept, name) for name in _Parts.__struct_fields__})


def _reply(event_name: str, verdict: Verdict) -> Reply:
    verdict = lower(verdict, event_name, honours(event_name), TITLE)
    kept = _Parts(**{name: getattr(verdict, name) for name in _Parts.__struct_fields__})
    return Reply(stdout=_to_json(kept), verdict=verdict)
