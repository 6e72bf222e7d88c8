"""Entries of the record as spans. Their ids come from the record, so the same entry is always the same span."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import PurePath

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags
from opentelemetry.util.types import Attributes

from interlock import __version__
from interlock.receipts.logbook import LogEntry
from interlock.store.base import StoredRecord

__all__ = ["SCOPE", "spans_of"]

SCOPE = InstrumentationScope("interlock", __version__)
_MOST_TEXT = 1000  # characters of a call or a reason
_SECOND = 1_000_000_000


def spans_of(entry: LogEntry, resource: Resource, *, is_first: bool) -> Iterator[ReadableSpan]:
    """The span of an entry; with the first entry of a session, the span that all others of it belong to."""
    trace = _number(f"trace {entry.session or entry.id}", 16)
    root = _number(f"session {entry.session or entry.id}", 8)
    at = _time(entry.at)
    if is_first:
        yield ReadableSpan(
            name="session",
            context=_context(trace, root),
            resource=resource,
            attributes=_without_none({**_whose(entry), "interlock.mode": _text(entry.payload.get("permission_mode"))}),
            kind=SpanKind.INTERNAL,
            start_time=at,
            end_time=at,  # it has no end that could be known, and what belongs to it comes later
            instrumentation_scope=SCOPE,
        )
    if entry.event == "SessionStart":
        return
    yield ReadableSpan(
        name=f"execute_tool {entry.tool}" if entry.is_call else str(entry.event),
        context=_context(trace, _number(f"entry {entry.session} {entry.id} {entry.records[0].hash}", 8)),
        parent=_context(trace, root) if entry.session is not None else None,
        resource=resource,
        attributes=_without_none({**_whose(entry), **_what(entry)}),
        events=[Event(str(one.event), _opinion(one), _time(one.at)) for one in entry.records],
        kind=SpanKind.INTERNAL,
        status=_status(entry),
        start_time=at,
        end_time=max(at, _time(entry.records[-1].at)),
        instrumentation_scope=SCOPE,
    )


def _whose(entry: LogEntry) -> dict[str, object]:
    return {
        "gen_ai.conversation.id": entry.session,
        "interlock.project": entry.project,
        "interlock.host": next((one.record["host"] for one in entry.records if one.record.get("host")), None),
    }


def _what(entry: LogEntry) -> dict[str, object]:
    found: dict[str, object] = {
        "interlock.entry": entry.id,
        "interlock.decision": entry.decision or "none",
        "interlock.rules": entry.rules or None,
        "interlock.reason": _text(entry.reason),
        "interlock.changed": sorted({str(change.get("field")) for change in entry.changes}) or None,
        "interlock.asked_by": entry.asked_by,
        "interlock.answer": entry.answer,
        "interlock.outcome": entry.outcome,
        "interlock.refused_by": entry.refused_by,
        "interlock.breach": _text(entry.breach),
        "interlock.ended": _text(entry.end_reason),
        "interlock.errors": [_text(one) for one in entry.errors] or None,
        "interlock.seconds": entry.duration,
    }
    if entry.is_call:
        found |= {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": entry.tool,
            "gen_ai.tool.call.id": entry.call or None,
            "interlock.agent": str(entry.payload.get("agent_type") or "main"),
            "interlock.call": _text(entry.text),
            "interlock.folder": PurePath(entry.cwd).name or None,
        }
    return found


def _status(entry: LogEntry) -> Status:
    """An error is what went wrong. A denial is what a policy is for."""
    if entry.breach is not None:
        return Status(StatusCode.ERROR, _text(entry.breach))
    if entry.outcome == "failed" or entry.errors:
        return Status(StatusCode.ERROR, "the call failed" if entry.outcome == "failed" else _text(entry.errors[0]))
    return Status(StatusCode.UNSET)


def _opinion(record: StoredRecord) -> Attributes:
    return _without_none({"interlock.decision": record.decision, "interlock.rules": list(record.rules) or None})


def _without_none(values: dict[str, object]) -> Attributes:
    return {name: value for name, value in values.items() if value is not None}  # type: ignore[misc]


def _context(trace: int, span: int) -> SpanContext:
    return SpanContext(trace, span, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))


def _number(text: str, size: int) -> int:
    """A number of so many bytes that is never zero, which would be no id."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:size]) or 1


def _text(value: object) -> str | None:
    if value is None:
        return None
    text = str(value)
    return text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…"


def _time(moment: float) -> int:
    return int(moment * _SECOND)
